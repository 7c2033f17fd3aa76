// SPDX-License-Identifier: Apache-2.0
// The fill kernel: one unit repeated, from a pattern that stays in the first cache.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/move/fill.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/move/two_loops.h>
#include <weft/engine/kernels/move/wide_units-inl.h>
#include <weft/graph/value/unit.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {

/// Rows of wide units, each unit read again for each time that it is written.
void fill_wide_units(const TwoLoops& loops, std::byte* dst, const std::byte* src) {
  with_wide_unit(loops.unit, [&](auto unit) HWY_ATTR {
    for (std::int64_t i = 0; i < loops.outer.extent; ++i) {
      std::byte* const to = dst + i * loops.outer.dst;
      for (std::int64_t j = 0; j < loops.inner.extent; ++j)
        unit.move(to + j * unit.size(), src + i * loops.outer.src);
    }
  });
}

/// The same wide row again and again.
void copy_wide_rows(const TwoLoops& loops, std::byte* dst, const std::byte* row) {
  with_wide_unit(loops.inner.extent * loops.unit, [&](auto unit) HWY_ATTR {
    for (std::int64_t i = 0; i < loops.outer.extent; ++i) unit.move(dst + i * loops.outer.dst, row);
  });
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(fill_wide_units);
WEFT_BY_SET(copy_wide_rows);

namespace {

// Where the last cache keeps the output, copies of several KiB out of the first write without
// fetching what they replace and faster than streaming stores do (W5: 0.61 copies, 0.69 streamed,
// 0.74 by pieces of 4 KiB); where it does not they are slower (W5c: 0.73, streamed 0.39).
constexpr std::int64_t pattern_bytes = 16 * 1024;
// A call of memcpy takes longer than rows of so many bytes.
constexpr std::int64_t short_bytes = 256;
// Short rows that are made once, and copied then: of fewer each is written by words.
constexpr std::int64_t many_rows = 4;
// Long units that are repeated a few times are read again each time: what has just been written
// comes later.
constexpr std::int64_t fewest_read_again = 64, few_units = 4;
// Units of so many bytes are as good a pattern as what would be made of them.
constexpr std::int64_t pattern_unit = 2048;

/// How the rows of a fill are made.
struct Fill {
  explicit Fill(const TwoLoops& loops) : total(loops.inner.extent * loops.unit) {
    // Whole lines where so many units are few; the next repetition then starts at a line too.
    const std::int64_t lines = std::lcm(loops.unit, std::int64_t{64});
    const std::int64_t period = lines <= pattern_bytes ? lines : loops.unit;
    whole = pattern_bytes / period * period;
    const bool is_same = loops.outer.src == 0 && loops.outer.extent > 1;  // every row
    const bool are_many = is_same && loops.outer.extent >= many_rows;
    const bool is_short = total < 2 * whole && !is_same;
    const bool are_few = loops.inner.extent <= few_units && loops.unit >= fewest_read_again;
    if (whole == 0 || (loops.unit >= pattern_unit && loops.unit % 64 == 0)) way = Way::own_pattern;
    else if (is_short && are_few) way = is_wide(loops.unit) ? Way::short_rows : Way::units;
    else if (total <= short_bytes) way = are_many ? Way::one_row : Way::short_rows;
    else if (is_short) way = Way::doubled;
    else way = loops.outer.src == 0 ? Way::one_pattern : Way::patterns;
    if (way == Way::own_pattern) whole = loops.unit;
  }

  enum class Way {
    units,        ///< one by one: long and few
    short_rows,   ///< unit by unit, or some in a word
    one_row,      ///< the same, once for all of them
    doubled,      ///< short rows: in the output
    patterns,     ///< one for each row
    one_pattern,  ///< for all rows
    own_pattern,  ///< each unit is the pattern of its row
  };
  std::int64_t total, whole;  ///< bytes of a row, of a pattern
  Way way;
};

/// `total` bytes of repetitions of `unit` bytes.
void repeat(std::byte* dst, const std::byte* src, std::int64_t unit, std::int64_t total) {
  copy_run(dst, src, unit, false);
  for (std::int64_t done = unit; done < total; done *= 2)
    copy_run(dst + done, dst, std::min(done, total - done), false);
  count_moved(unit, 0);
}

/// Rows of `total` bytes that repeat one unit, which a word holds whole.
template <class Unit>
void fill_words(const TwoLoops& loops, std::byte* dst, const std::byte* src, std::int64_t total) {
  using Word = std::uint64_t;
  constexpr std::int64_t word = sizeof(Word);
  constexpr Word ones = ~Word{0} / std::numeric_limits<Unit>::max();
  for (std::int64_t i = 0; i < loops.outer.extent; ++i) {
    std::byte* const to = dst + i * loops.outer.dst;
    Unit unit;
    std::memcpy(&unit, src + i * loops.outer.src, sizeof(Unit));
    const Word all = unit * ones;
    const auto put = [&](std::int64_t at, auto part) { std::memcpy(to + at, &all, part()); };
    if (total < 4) {
      put(0, std::integral_constant<std::size_t, 2>{});
      put(total - 2, std::integral_constant<std::size_t, 2>{});
    } else if (total < word) {
      put(0, std::integral_constant<std::size_t, 4>{});
      put(total - 4, std::integral_constant<std::size_t, 4>{});
    } else if (total < 2 * word) {
      put(0, std::integral_constant<std::size_t, word>{});
      put(total - word, std::integral_constant<std::size_t, word>{});
    } else {
      const Word two[] = {all, all};
      for (std::int64_t at = 0; at + 2 * word < total; at += 2 * word)
        std::memcpy(to + at, two, sizeof(two));
      std::memcpy(to + total - 2 * word, two, sizeof(two));
    }
    count_moved(loops.unit, total);
  }
}

void fill_units(const TwoLoops& loops, std::byte* dst, const std::byte* src) {
  if (is_wide(loops.unit)) {
    on_this_machine(fill_wide_units_by_set)(loops, dst, src);
    const std::int64_t rows = loops.outer.extent, row_bytes = loops.inner.extent * loops.unit;
    return count_moved(rows * loops.unit, rows * row_bytes);
  }
  with_unit(loops.unit, [&](auto unit) {
    for (std::int64_t i = 0; i < loops.outer.extent; ++i) {
      std::byte* const to = dst + i * loops.outer.dst;
      for (std::int64_t j = 0; j < loops.inner.extent; ++j)
        unit.move(to + j * unit.size(), src + i * loops.outer.src);
      count_moved(unit.size(), loops.inner.extent * unit.size());
    }
  });
}

void fill_short_rows(const TwoLoops& loops, std::byte* dst, const std::byte* src,
                     std::int64_t total) {
  if (loops.inner.extent == 1) return fill_units(loops, dst, src);
  if (loops.unit == 1) return fill_words<std::uint8_t>(loops, dst, src, total);
  if (loops.unit == 2) return fill_words<std::uint16_t>(loops, dst, src, total);
  if (loops.unit == 4) return fill_words<std::uint32_t>(loops, dst, src, total);
  if (loops.unit == 8) return fill_words<std::uint64_t>(loops, dst, src, total);
  fill_units(loops, dst, src);
}

/// The same row again and again.
void copy_short_rows(const TwoLoops& loops, std::byte* dst, const std::byte* row,
                     std::int64_t total) {
  if (is_wide(total)) {
    on_this_machine(copy_wide_rows_by_set)(loops, dst, row);
    return count_moved(0, loops.outer.extent * total);
  }
  with_unit(total, [&](auto unit) {
    std::int64_t i = 0;
    for (; i < loops.outer.extent; ++i) unit.move(dst + i * loops.outer.dst, row);
    count_moved(0, i * unit.size());
  });
}

// Short rows are better shuffled.
Cost match(const Nest& nest, const Writing&) {
  return nest.innermost().extent * nest.unit > most_group_bytes ? 42 : 650;
}

/// The loop around rows; where these are all the same, and few, a much longer one over the same.
ByteLoop take_loop_around(Nest& nest, std::int64_t row_bytes) {
  nest.put_repetitions_innermost();
  const auto is_same = [](const NestLoop& loop) { return loop.is_repetition(); };
  const bool are_few =
      !nest.loops.empty() && is_same(nest.innermost()) && nest.innermost().extent <= short_extent;
  return are_few ? nest.take(nest.much_longer(is_same)) : nest.take_outer(row_bytes);
}

struct BoundFill {
  TwoLoops loops;
  Fill fill;
};

bool bind(Nest& nest, const Writing& writing, BoundArguments& arguments) {
  const ByteLoop inner = nest.take_innermost();
  const TwoLoops loops{nest.unit, take_loop_around(nest, inner.extent * nest.unit), inner,
                       writing.is_vast};
  arguments.keep(BoundFill{loops, Fill(loops)});
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  const auto& [loops, fill] = arguments.as<BoundFill>();
  const std::int64_t unit = loops.unit;
  alignas(64) std::byte pattern[pattern_bytes];
  if (fill.way == Fill::Way::short_rows) return fill_short_rows(loops, dst, src[0], fill.total);
  if (fill.way == Fill::Way::one_row) {
    repeat(pattern, src[0], unit, fill.total);
    return copy_short_rows(loops, dst, pattern, fill.total);
  }
  for (std::int64_t i = 0; i < loops.outer.extent; ++i) {
    std::byte* const to = dst + i * loops.outer.dst;
    const std::byte* const from = src[0] + i * loops.outer.src;
    std::int64_t done = 0;
    if (fill.way == Fill::Way::units) {
      for (; done < fill.total; done += unit) {
        copy_run(to + done, from, unit, false);
        count_moved(unit, 0);
      }
    } else if (fill.way == Fill::Way::doubled) {
      repeat(to, from, unit, fill.total);
      done = fill.total;
    } else {
      const bool is_own = fill.way == Fill::Way::own_pattern;
      if (is_own) count_moved(unit, 0);
      else if (i == 0 || fill.way == Fill::Way::patterns)
        repeat(pattern, from, unit, std::min(fill.whole, fill.total));
      for (; done < fill.total; done += fill.whole)
        copy_run(to + done, is_own ? from : pattern, std::min(fill.whole, fill.total - done),
                 loops.streams);
    }
    count_moved(0, std::min(done, fill.total));
  }
}

Traffic traffic(const BoundArguments& arguments) {
  const auto& [loops, fill] = arguments.as<BoundFill>();
  const std::int64_t rows = loops.outer.extent, written = rows * fill.total;
  switch (fill.way) {
    case Fill::Way::units:
      return {written, written};
    case Fill::Way::one_row:
    case Fill::Way::one_pattern:
      return {loops.unit, written};
    default:
      return {rows * loops.unit, written};
  }
}

bool streams(const BoundArguments& arguments) {
  const auto& [loops, fill] = arguments.as<BoundFill>();
  const Fill::Way way = fill.way;
  return loops.streams && (way == Fill::Way::patterns || way == Fill::Way::one_pattern ||
                           way == Fill::Way::own_pattern);
}

/// Short rows of what a word holds are a store or two; those of other units go one by one.
double picoseconds(const BoundArguments& arguments) {
  constexpr double a_row = 1000, a_unit = 1200, a_wide_unit = 400, a_byte = 25;
  constexpr double others_a_byte = 42;
  const auto& [loops, fill] = arguments.as<BoundFill>();
  const auto unit = static_cast<double>(loops.unit), bytes = static_cast<double>(fill.total);
  const auto rows = static_cast<double>(loops.outer.extent);
  if (fill.way != Fill::Way::short_rows)
    return rows * bytes * std::min(others_a_byte, a_byte + a_wide_unit / unit);
  const bool is_word =
      loops.unit <= 8 && std::has_single_bit(static_cast<std::uint64_t>(loops.unit));
  const double units = bytes / unit;
  const double made = is_word ? a_row : units * (is_wide(loops.unit) ? a_wide_unit : a_unit);
  return rows * (made + a_byte * bytes);
}

}  // namespace

extern const KernelDefinition fill_kernel;
const KernelDefinition fill_kernel{"fill",  repeated, match,   bind,       run,
                                   traffic, nullptr,  streams, picoseconds};

}  // namespace weft
#endif
