// SPDX-License-Identifier: Apache-2.0
// Two threads beside one, on every workload.
#pragma once

namespace weft::bench {

/// Prints every workload from 64 KiB up on which two threads are slower than one by a twentieth, in
/// the median of so many pairs and again when these are repeated; whether there is none.
bool compare_threads(int rounds);

}  // namespace weft::bench
