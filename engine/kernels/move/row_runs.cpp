// SPDX-License-Identifier: Apache-2.0
// Finding runs in the tables of a row.
#include <weft/engine/kernels/move/row_runs.h>

#include <algorithm>
#include <limits>

namespace weft {
namespace {

// So many elements of a row may be moved one by one.
constexpr std::int64_t most_elements = 16;

class Reader {
 public:
  Reader(const ListedOfRows& all, std::int64_t element) : all_(all), element_(element) {}

  std::optional<RowRuns> read() {
    const std::int64_t length = elements_of_row(all_);
    for (std::int64_t to = 0; to < length;) {
      std::size_t s = 0;
      while (s < most_sources && !(at_[s] < all_[s].count && all_[s].to(at_[s]) == to)) ++s;
      if (s == most_sources) return std::nullopt;
      const std::int64_t count = add(to, s);
      if (count == 0) return std::nullopt;
      at_[s] += count;
      to += count;
    }
    if (2 * elements_ > length || are_lines()) return std::nullopt;
    // Memory is read and written in order by the longest; the others find lines in a cache then.
    std::iter_swap(made_.parts.begin(),
                   std::max_element(made_.parts.begin(), made_.parts.end(),
                                    [](const RowRuns::Part& a, const RowRuns::Part& b) {
                                      return a.bytes < b.bytes;
                                    }));
    return made_;
  }

 private:
  /// So many elements from there on come from what follows with that step in the source.
  std::int64_t steady(std::size_t s, std::int64_t step) const {
    const ListedOfRow& own = all_[s];
    std::int64_t end = at_[s] + 1;
    while (end < own.count && own.to(end) == own.to(end - 1) + 1 &&
           own.src_table[end] == own.src_table[end - 1] + step)
      ++end;
    return end - at_[s];
  }
  bool has_vectors() const {
    return element_ == 1 || element_ == 2 || element_ == 4 || element_ == 8;
  }

  /// Adds what source `s` has from element `to` of the row on: so many elements; 0 where there is
  /// no room.
  std::int64_t add(std::int64_t to, std::size_t s) {
    const std::int64_t from = all_[s].src_table[at_[s]] * element_;
    if (const std::int64_t run = steady(s, 1);
        run > 1 && run * element_ >= RowRuns::fewest_run_bytes)
      return add(to, run, from, s, RowRuns::run);
    if (const std::int64_t same = steady(s, 0);
        same * element_ >= RowRuns::fewest_value_bytes && has_vectors())
      return add(to, same, from, s, RowRuns::value);
    if (++elements_ > most_elements) return 0;
    if (made_.count > 0) {
      // Those of one source follow one another in its table.
      RowRuns::Part& last = made_.parts[static_cast<std::size_t>(made_.count - 1)];
      if (last.kind == RowRuns::elements && last.source == s) {
        last.bytes += static_cast<std::int32_t>(element_);
        return 1;
      }
    }
    return add(to, 1, at_[s], s, RowRuns::elements);
  }
  std::int64_t add(std::int64_t to, std::int64_t count, std::int64_t from, std::size_t s,
                   RowRuns::Kind kind) {
    using Limits = std::numeric_limits<std::int32_t>;
    if (made_.count == static_cast<std::int32_t>(RowRuns::most_parts) || from < Limits::min() ||
        from > Limits::max())
      return 0;
    made_.parts[static_cast<std::size_t>(made_.count++)] = {
        static_cast<std::int32_t>(to * element_), static_cast<std::int32_t>(count * element_),
        static_cast<std::int32_t>(from), static_cast<std::uint16_t>(s), kind};
    return count;
  }

  /// Whether no line is of two parts: nothing is gained by writing these together.
  bool are_lines() const {
    constexpr std::int32_t line = 64;
    for (std::int32_t k = 0; k < made_.count; ++k)
      if (made_.parts[static_cast<std::size_t>(k)].bytes % line != 0) return false;
    return true;
  }

  const ListedOfRows& all_;
  const std::int64_t element_;
  std::array<std::int64_t, most_sources> at_{};
  std::int64_t elements_ = 0;
  RowRuns made_;
};

}  // namespace

ListedOfRows listed_of(const Nest& nest) {
  ListedOfRows all{};
  if (nest.sources == 1) {
    const NestLoop& table = nest.innermost();
    all[0] = {table.extent, nullptr, table.src_table};
  } else {
    for (std::size_t s = 0; s < most_sources; ++s)
      all[s] = {nest.of[s].listed, nest.of[s].dst_table, nest.of[s].src_table};
  }
  return all;
}

std::int64_t elements_of_row(const ListedOfRows& all) { return all[0].count + all[1].count; }

std::optional<RowRuns> find_row_runs(const Nest& nest) {
  if (nest.sources > 1 && nest.of[0].dst != nest.of[1].dst) return std::nullopt;
  const ListedOfRows all = listed_of(nest);
  return Reader(all, nest.element).read();
}

}  // namespace weft
