// SPDX-License-Identifier: Apache-2.0
// Halves: copies that write every second element of rows that are turned, as one kernel writes the
// rows whole.
#pragma once

#include <cstddef>
#include <cstdint>

#include <weft/graph/plan/plan.h>

namespace weft {

/// Rows that several copies make are looked for among so many copies, as each is compared with
/// those before it, and where a pass has so many bytes for each element of a row: tables of rows
/// take longer to write and to read again than small passes save (u8 [100, 1000] reflected by 3,
/// planned anew: 5 us, 13).
inline constexpr std::size_t most_joined_copies = 32;
inline constexpr std::int64_t bytes_an_element_of_row = 1000;

/// How long the rows are of which a copy writes every second element, where neighbours in a row lie
/// apart in the source and those beside them are in other rows, of a pass of so many bytes. 0 where
/// it writes no such half.
std::int64_t turned_row_of_half(const Copy& copy, std::int64_t element, std::int64_t bytes);
/// Whether most of what a pass writes is both halves of such rows, from one source: a kernel turns
/// them as one.
bool are_turned_halves(const Pass& pass);

}  // namespace weft
