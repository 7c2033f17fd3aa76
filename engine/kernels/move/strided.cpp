// SPDX-License-Identifier: Apache-2.0
// The strided kernel: units one by one, any strides, in an order that the caches like. It carries
// out what no other does.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/move/strided.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <type_traits>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/kernel.h>
#include <weft/engine/kernels/move/first_cache.h>
#include <weft/engine/kernels/move/unit_rows.h>
#include <weft/engine/kernels/move/wide_units-inl.h>

#ifndef WEFT_STRIDED
#define WEFT_STRIDED
namespace weft {
namespace {

// A step shorter than this finds the line again that the one before has fetched.
constexpr std::int64_t near_bytes = 64;

inline bool is_near(const ByteLoop& loop) { return std::abs(loop.src) < near_bytes; }

constexpr bool is_narrow_word(std::int64_t bytes) { return bytes == 1 || bytes == 2 || bytes == 4; }
template <class Unit>
inline constexpr bool is_narrow = false;
template <std::size_t Size>
inline constexpr bool is_narrow<FixedUnit<Size>> = is_narrow_word(Size);

/// Loops around a unit, outermost first. One of them may be cut into blocks, over which a loop goes
/// that lies further out.
struct StridedLoops {
  static constexpr std::size_t most = 6;
  std::int64_t unit;
  std::int32_t block = 0;  ///< steps of one; 0: none is cut
  std::uint8_t count = 0, cut = 0, blocks = 0;
  std::int16_t ahead = 0;  ///< from what is read to what is asked for before; 0: nothing
  std::array<ByteLoop, most> loops{};

  void add(const ByteLoop& loop) { loops[count++] = loop; }
  std::int64_t bytes() const {
    std::int64_t bytes = unit;
    for (std::size_t k = 0; k < count; ++k) bytes *= loops[k].extent;
    return bytes;
  }
};

}  // namespace
}  // namespace weft
#endif

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

// One of fewer is carried out in the same function as the loop around it (12 bytes, rows of 2 in
// blocks: 359 us by a call for each, 152 so; u8, rows of 29: 1838 and 903).
constexpr std::int64_t few_steps = 32;

/// As unit_rows.h has it of narrow units.
template <class Unit>
requires requires { typename Unit::Word; }
void move_row(std::byte* dst, const std::byte* src, std::int64_t count, std::int64_t stride,
              Unit unit) {
  std::int64_t k = 0;
  if constexpr (!std::is_same_v<typename Unit::Word, Unit>)
    if (count > 2 && ends_in_another(stride, unit.size())) {
      constexpr typename Unit::Word word;
      unit.move(dst, src);  // lies last where the source goes down
      for (k = 1; k + 1 < count; ++k) word.move(dst + k * unit.size(), src + k * stride);
    }
  for (; k < count; ++k) unit.move(dst + k * unit.size(), src + k * stride);
}

/// Rows of narrow words, side by side. Apart from the loops around them, which take registers from
/// what goes round most often; loops are values, as bytes that are written might be theirs (0.22 ns
/// each, 0.50 where they were not).
template <class Unit>
HWY_NOINLINE void move_narrow_rows(ByteLoop loop, ByteLoop row, std::byte* dst,
                                   const std::byte* src, Unit unit) {
  for (std::int64_t i = 0; i < loop.extent; ++i, dst += loop.dst, src += loop.src)
    move_words<4, hwy::UnsignedFromSize<unit.size()>>(dst, src, row.extent, row.src);
}

/// `around`: the out stride of the loop around these.
template <class Unit>
void move_all(const ByteLoop* loops, std::size_t count, std::int64_t around, std::byte* dst,
              const std::byte* src, std::int64_t ahead, Unit unit) {
  if (count == 0) return unit.move(dst, src);
  const ByteLoop loop = *loops;
  if constexpr (is_narrow<Unit>)
    if (count <= 2 && ahead == 0) {
      const ByteLoop row = loops[count - 1];
      const bool is_short = count == 2 && row.extent < few_steps;
      if (row.dst == unit.size() && (is_short || is_near(row)))
        return move_narrow_rows(count == 2 ? loop : ByteLoop{1, 0, 0}, row, dst, src, unit);
    }
  if (count == 2 && loops[1].extent < few_steps) {
    const ByteLoop inner = loops[1];
    for (std::int64_t i = 0; i < loop.extent; ++i, dst += loop.dst, src += loop.src) {
      if (ahead != 0) __builtin_prefetch(dst + around, 1);
      for (std::int64_t j = 0; j < inner.extent; ++j) {
        if (ahead != 0) __builtin_prefetch(src + j * inner.src + ahead);
        unit.move(dst + j * inner.dst, src + j * inner.src);
      }
    }
    return;
  }
  if (count > 1) {
    for (std::int64_t i = 0; i < loop.extent; ++i)
      move_all(loops + 1, count - 1, loop.dst, dst + i * loop.dst, src + i * loop.src, ahead, unit);
    return;
  }
  if (ahead != 0) {
    for (std::int64_t i = 0; i < loop.extent; ++i, dst += loop.dst, src += loop.src) {
      __builtin_prefetch(src + ahead);
      __builtin_prefetch(dst + around, 1);
      unit.move(dst, src);
    }
    return;
  }
  if (loop.dst == unit.size()) return move_row(dst, src, loop.extent, loop.src, unit);
  for (std::int64_t i = 0; i < loop.extent; ++i, dst += loop.dst, src += loop.src)
    unit.move(dst, src);
}

template <class Unit>
void move_blocks(const StridedLoops& strided, std::byte* dst, const std::byte* src, Unit unit) {
  const std::size_t count = strided.count;
  if (strided.block == 0)
    return move_all(strided.loops.data(), count, strided.loops[0].dst, dst, src, strided.ahead,
                    unit);
  const ByteLoop& cut = strided.loops[strided.cut];
  const std::int64_t blocks = cut.extent / strided.block, left = cut.extent % strided.block;
  const ByteLoop over{blocks, strided.block * cut.dst, strided.block * cut.src};
  std::array<ByteLoop, StridedLoops::most + 1> loops{};
  std::copy_n(strided.loops.begin(), strided.blocks, loops.begin());
  std::copy(strided.loops.begin() + strided.blocks, strided.loops.begin() + count,
            loops.begin() + strided.blocks + 1);
  loops[strided.blocks] = over;
  loops[strided.cut + 1u].extent = strided.block;
  move_all(loops.data(), count + 1, loops[0].dst, dst, src, strided.ahead, unit);
  if (left == 0) return;
  loops[strided.blocks].extent = 1;
  loops[strided.cut + 1u].extent = left;
  move_all(loops.data(), count + 1, loops[0].dst, dst + blocks * over.dst, src + blocks * over.src,
           strided.ahead, unit);
}

}  // namespace

void move_wide_units(const StridedLoops& loops, std::byte* dst, const std::byte* src) {
  with_wide_unit(loops.unit, [&](auto unit) HWY_ATTR { move_blocks(loops, dst, src, unit); });
}

#if HWY_TARGET == HWY_STATIC_TARGET

void move_units(const StridedLoops& loops, std::byte* dst, const std::byte* src) {
  with_unit(loops.unit, [&](auto unit) { move_blocks(loops, dst, src, unit); });
}

#endif

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(move_wide_units);

namespace {

// The first cache keeps so many lines of the source, along which rows go on: fewer, where lines so
// far apart share the few places that it has for them.
constexpr std::int64_t most_columns = 256, least_columns = 16;
// A loop of fewer steps takes longer to begin than to carry out; one around it goes inside for so
// many steps at a time.
constexpr std::int64_t short_loop = 8, steps_inside = 64;
// Of wider units one takes as long to move as a loop takes to begin: they stay in the order in
// which they are written (72 bytes of each of seven places in turn, 61 MiB, two threads: 4.3 ms; 64
// of each 12.5).
constexpr std::int64_t most_narrow_unit = 8;
// Rows of large outputs ask for lines so far along the source before they come to them, and for
// those that the next row writes (12 bytes, 2000 x 2001: 11.5 ms without, 6.0 with; f32 with a
// step of 2, 3001 x 3000: 13.1 and 6.9).
constexpr std::int64_t bytes_ahead = 128;

// What is smaller is in the first cache, in whatever order it is moved.
constexpr std::int64_t ordered_bytes = 16 * 1024;

std::int64_t columns_kept(std::int64_t src) {
  if (std::abs(src) < near_bytes) return most_columns;
  return std::clamp(lines_kept(src), least_columns, most_columns);
}

std::int16_t ahead_of(const ByteLoop& row) {
  if (row.extent * std::abs(row.src) < near_bytes) return 0;
  return static_cast<std::int16_t>(row.src < 0 ? -bytes_ahead : bytes_ahead);
}

/// Of loops around a short one, the longest goes next to it, for which it matters least what
/// beginning a loop takes.
void put_longest_last(ByteLoop* begin, ByteLoop* end) {
  ByteLoop* const longest = std::max_element(
      begin, end, [](const ByteLoop& a, const ByteLoop& b) { return a.extent < b.extent; });
  std::rotate(longest, longest + 1, end);
}

/// Neighbours in the output are written together, as columns; while the lines that they come from
/// are in the first cache, rows take from these whatever lies near.
void put_in_order(StridedLoops& strided, bool is_large) {
  const std::array<ByteLoop, StridedLoops::most> loops = strided.loops;
  const std::size_t end = strided.count;
  std::size_t first = end - 1;  // of the columns
  const std::int64_t most = columns_kept(loops[first].src);
  std::int64_t columns = loops[first].extent;
  while (columns < most && first > 0 && !is_near(loops[first - 1]))
    columns *= loops[--first].extent;
  strided.count = 0;
  for (std::size_t k = 0; k < first; ++k)
    if (!is_near(loops[k])) strided.add(loops[k]);
  strided.blocks = strided.count;
  for (std::size_t k = 0; k < first; ++k)
    if (is_near(loops[k])) strided.add(loops[k]);
  ByteLoop* const rows = strided.loops.data() + strided.blocks;
  std::sort(rows, strided.loops.data() + strided.count,
            [](const ByteLoop& a, const ByteLoop& b) { return std::abs(a.src) > std::abs(b.src); });
  strided.cut = strided.count;
  // Around a few columns.
  ByteLoop* const end_of_rows = strided.loops.data() + strided.cut;
  if (rows != end_of_rows && columns < short_loop && end_of_rows[-1].extent < short_loop)
    put_longest_last(rows, end_of_rows);
  for (std::size_t k = first; k < end; ++k) strided.add(loops[k]);
  if (strided.blocks == strided.cut) return;  // no rows
  if (is_large && !is_near(loops[end - 1]))
    strided.ahead = ahead_of(strided.loops[strided.cut - 1u]);
  if (columns <= most) return;
  const std::int64_t within = columns / loops[first].extent;
  strided.block = static_cast<std::int32_t>(std::max<std::int64_t>(1, most / within));
}

/// Around a short innermost loop.
void put_longest_next(StridedLoops& strided) {
  if (strided.count < 3) return;
  ByteLoop* const inner = strided.loops.data() + strided.count - 1;
  if (inner->extent < short_loop && inner[-1].extent < short_loop)
    put_longest_last(strided.loops.data(), inner);
}

/// A short innermost loop and a longer one around it change places, where units are moved sooner
/// than loops begin; four narrow words side by side are not.
void put_short_loop_outside(StridedLoops& strided) {
  if (strided.count < 2 || strided.block > 0 || strided.unit > most_narrow_unit) return;
  const auto at = static_cast<std::uint8_t>(strided.count - 1);
  ByteLoop &inner = strided.loops[at], &outer = strided.loops[at - 1u];
  if (inner.extent >= short_loop || outer.extent <= inner.extent) return;
  if (inner.extent >= 4 && is_narrow_word(strided.unit) && inner.dst == strided.unit) return;
  std::swap(inner, outer);
  strided.ahead = 0;
  if (inner.extent <= steps_inside) return;
  strided.block = static_cast<std::int32_t>(steps_inside);
  strided.cut = at;
  strided.blocks = static_cast<std::uint8_t>(at - 1);
}

Cost match(const Nest&, const Writing&) { return unit_by_unit_in_order; }

bool bind(Nest& nest, const Writing& writing, BoundArguments& arguments) {
  StridedLoops strided{.unit = nest.unit};
  std::size_t first = nest.loops.size();
  while (first > 0 && nest.loops[first - 1].is_plain() &&
         nest.loops.size() - first < StridedLoops::most)
    --first;
  for (std::size_t k = first; k < nest.loops.size(); ++k) strided.add(nest.side(k));
  nest.loops.truncate(first);
  if (strided.bytes() > ordered_bytes) put_in_order(strided, writing.is_large);
  else put_longest_next(strided);
  put_short_loop_outside(strided);
  arguments.keep(strided);
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  const auto& loops = arguments.as<StridedLoops>();
  if (is_wide(loops.unit)) on_this_machine(move_wide_units_by_set)(loops, dst, src[0]);
  else HWY_STATIC_DISPATCH(move_units)(loops, dst, src[0]);
  count_moved(loops.bytes(), loops.bytes());
}

Traffic traffic(const BoundArguments& arguments) {
  const std::int64_t bytes = arguments.as<StridedLoops>().bytes();
  return {bytes, bytes};
}

}  // namespace

extern const KernelDefinition strided_kernel;
const KernelDefinition strided_kernel{
    "strided", repeated | packed | turned | scattered, match, bind, run, traffic};

}  // namespace weft
#endif
