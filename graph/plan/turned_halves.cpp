// SPDX-License-Identifier: Apache-2.0
// Which copies are halves of rows that are turned.
#include <weft/graph/plan/turned_halves.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace weft {

std::int64_t turned_row_of_half(const Copy& copy, std::int64_t element, std::int64_t bytes) {
  // Tables of longer rows are memory that nobody counts.
  constexpr std::int64_t longest_row = 64 * 1024;
  // Fewer rows are put in order first (f16 [12, 2761, 2, 54, 8]: 40.8 ms, by a table 86).
  constexpr std::int64_t fewest_rows = 16, fewest_rows_bytes = 64;
  // Shorter ones, too, if others follow that are not beside them in the source: in order they are
  // longer (one thread; u8 [2, 457, 2, 32, 14] 203 us, 454; but [25, 158] rows of 30 bytes 17, 13).
  // So are rows of a few bytes, which are put together by words then (u8 [25, 1260, 4]: 12, 24).
  constexpr std::int64_t fewest_row_bytes = 24, few_row_bytes = 8;
  const bool is_turned_word = element <= 4 || element == 6;
  if (copy.loops.size() < 2 || !is_turned_word) return 0;
  const Loop& inner = copy.loops.back();
  const Loop& outer = copy.loops[copy.loops.size() - 2];
  const std::int64_t length = outer.out_stride;
  if (!inner.is_plain() || inner.out_stride != 2 || std::abs(inner.src_stride) < 2 ||
      2 * inner.extent > length + 1 || length > longest_row ||
      bytes < bytes_an_element_of_row * length ||
      length * element < (std::abs(outer.src_stride) != 1 ? fewest_row_bytes : few_row_bytes))
    return 0;
  bool has_rows = false;
  for (const Loop& loop : copy.loops) {
    if (!loop.is_plain()) return 0;
    has_rows |= std::abs(loop.src_stride) == 1 && loop.extent >= fewest_rows &&
                loop.extent * element >= fewest_rows_bytes;
  }
  return has_rows ? length : 0;
}

namespace {

/// Whether two halves make rows, from one source, to whose next row both move on alike.
bool make_rows(const Copy& a, const Copy& b) {
  if (a.source != b.source || a.loops.size() != b.loops.size() ||
      std::abs(a.out_offset - b.out_offset) != 1)
    return false;
  for (std::size_t k = 0; k + 1 < a.loops.size(); ++k) {
    const Loop &x = a.loops[k], &y = b.loops[k];
    if (x.extent != y.extent || x.out_stride != y.out_stride || x.src_stride != y.src_stride)
      return false;
  }
  return std::abs(a.loops.back().extent - b.loops.back().extent) <= 1;
}

}  // namespace

bool are_turned_halves(const Pass& pass) {
  if (pass.is_painted || pass.copies.size() > most_joined_copies) return false;
  std::vector<const Copy*> halves;
  for (const Copy& copy : pass.copies)
    if (turned_row_of_half(copy, pass.element(), pass.bytes()) > 0) halves.push_back(&copy);
  std::int64_t made = 0;
  for (const Copy* const half : halves)
    if (std::any_of(halves.begin(), halves.end(),
                    [&](const Copy* other) { return make_rows(*half, *other); }))
      made += half->count();
  return 4 * made >= 3 * pass.count;
}

}  // namespace weft
