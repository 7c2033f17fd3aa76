// SPDX-License-Identifier: Apache-2.0
// What kernels have moved, as their loops counted it, for tests: in builds that check invariants.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <weft/engine/kernels/kernel.h>

namespace weft {

struct KernelCount {
  std::string_view name;
  std::int64_t calls = 0;
  Traffic traffic{};
  friend bool operator==(const KernelCount&, const KernelCount&) = default;
};

/// Whether this build of weft counts.
bool counts_kernels();

/// Of all threads since reset_kernel_counts(): the kernels that ran, by name. Empty where nothing
/// is counted.
std::vector<KernelCount> kernel_counts();
void reset_kernel_counts();

}  // namespace weft
