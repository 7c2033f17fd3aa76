// SPDX-License-Identifier: Apache-2.0
// Which copies turn parts of the same rows.
#include <weft/graph/plan/rolled_rows.h>

#include <algorithm>
#include <cstdlib>

#include <weft/graph/plan/staging.h>
#include <weft/graph/plan/turned_halves.h>

namespace weft {
namespace {

// More rows are whole lines in parts, too; fewer columns are not turned.
constexpr std::int64_t fewest_rows = 3, most_row_bytes = 256, fewest_columns = 8;

/// Where the loops end that are not within a run, and how long that is.
std::size_t end_of_loops(const Copy& copy, std::int64_t& run) {
  std::size_t end = copy.loops.size();
  for (run = 1; end > 0; run *= copy.loops[--end].extent) {
    const Loop& loop = copy.loops[end - 1];
    if (!loop.is_plain() || loop.out_stride != run || loop.src_stride != run) break;
  }
  return end;
}

bool are_alike(const Loop& a, const Loop& b) {
  return a.is_plain() && b.is_plain() && a.out_stride == b.out_stride &&
         a.src_stride == b.src_stride;
}

/// How many steps of loop `k` of `whole` the other copy has, which lacks it where it is one, if
/// they differ by nothing else; or 0.
std::int64_t steps_beside(const Copy& whole, std::size_t k, const Copy& other) {
  const bool has_it = other.loops.size() == whole.loops.size();
  if (!has_it && other.loops.size() + 1 != whole.loops.size()) return 0;
  std::int64_t steps = 1;
  for (std::size_t i = 0, j = 0; i < whole.loops.size(); ++i) {
    if (i == k && !has_it) continue;
    const Loop& loop = other.loops[j++];
    if (!are_alike(whole.loops[i], loop)) return 0;
    if (i == k) steps = loop.extent;
    else if (loop.extent != whole.loops[i].extent) return 0;
  }
  return steps;
}

}  // namespace

std::optional<RolledRows> rolled_rows(const Copy& a, const Copy& b, std::int64_t element) {
  if (a.source != b.source || a.layer != b.layer || a.out_offset >= b.out_offset) return {};
  const bool is_a_whole = a.loops.size() > b.loops.size() ||
                          (a.loops.size() == b.loops.size() && a.count() >= b.count());
  const Copy& whole = is_a_whole ? a : b;
  std::int64_t run;
  const std::size_t end = end_of_loops(whole, run);
  if (end < 2) return {};
  const Loop& columns = whole.loops[end - 1];
  if (!columns.is_plain() || columns.out_stride != run || columns.extent < fewest_columns)
    return {};
  for (std::size_t k = 0; k + 1 < end; ++k) {
    const Loop& rows = whole.loops[k];
    if (!rows.is_plain() || std::abs(rows.src_stride) != run) continue;
    const std::int64_t beside = steps_beside(whole, k, is_a_whole ? b : a);
    const std::int64_t all = rows.extent + beside;
    if (beside == 0 || all < fewest_rows || all * run * element > most_row_bytes) continue;
    const std::int64_t of_a = is_a_whole ? rows.extent : beside, of_b = all - of_a;
    if (a.out_offset + of_a * rows.out_stride != b.out_offset ||
        b.src_offset + of_b * rows.src_stride != a.src_offset)
      continue;
    RolledRows rolled{whole, k, of_b, rows.src_stride};
    rolled.copy.out_offset = a.out_offset;
    rolled.copy.src_offset = b.src_offset;
    rolled.copy.loops[k] = {all, rows.out_stride, 0};
    return rolled;
  }
  return {};
}

std::vector<bool> parts_of_rolled(const Pass& pass) {
  const std::vector<Copy>& copies = pass.copies;
  if (pass.is_painted || copies.size() < 2 || copies.size() > most_joined_copies) return {};
  constexpr std::int64_t line = 64;
  std::vector<bool> are_parts(copies.size(), false);
  const auto writes_lines = [&](const Copy& copy) {
    return copies.size() == 2 || stretch_of(copy) * pass.element() >= line;
  };
  for (std::size_t i = 0; i < copies.size(); ++i)
    for (std::size_t j = 0; j < copies.size(); ++j)
      if (i != j && writes_lines(copies[i]) && writes_lines(copies[j]) &&
          rolled_rows(copies[i], copies[j], pass.element()))
        are_parts[i] = are_parts[j] = true;
  return are_parts;
}

}  // namespace weft
