// SPDX-License-Identifier: Apache-2.0
// The assemble kernel: rows of a few runs and single elements, some rows at a time, so that lines
// are written while the first cache has them that several copies would come back to.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/move/assemble.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/move/byte_loops.h>
#include <weft/engine/kernels/move/row_runs.h>
#include <weft/engine/kernels/move/stream-inl.h>
#include <weft/graph/value/unit.h>

#ifndef WEFT_ASSEMBLE
#define WEFT_ASSEMBLE
namespace weft {
namespace {

/// Rows along two loops.
struct Assembled {
  SharedLoop outer, inner;
  std::int64_t element;
  std::array<const std::int64_t*, most_sources> src_table;  ///< in elements
  RowRuns row;
  std::int32_t row_bytes;
  std::uint16_t sources;
  bool streams;
};

}  // namespace
}  // namespace weft
#endif

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// A part of some rows: what is done for one of them is done for all.
struct Part {
  std::int64_t rows, bytes;
  std::int64_t dst_stride, src_stride;
  std::byte* dst;
  const std::byte* src;

  template <class Move>
  HWY_INLINE void for_each_row(const Move& move) const {
    // Copies: what is written might be these, for all the compiler knows.
    const auto [count, size, dst_step, src_step, to, from] = *this;
    for (std::int64_t n = 0; n < count; ++n) move(to + n * dst_step, from + n * src_step);
  }
};

/// Calls store(d, at) for vectors of `Bytes` at most, the last of which may write again what is
/// there.
template <std::int64_t Bytes, class T = std::uint8_t, class Store>
HWY_INLINE void by_vectors_of(std::int64_t bytes, const Store& store) {
  const hn::CappedTag<T, Bytes / sizeof(T)> d;
  const auto step = static_cast<std::int64_t>(hn::Lanes(d) * sizeof(T));
  for (std::int64_t at = 0; at < bytes - step; at += step) store(d, at);
  store(d, bytes - step);
}

/// Short runs by vectors, longer ones by memcpy, which writes whole lines (f32 [8, 64, 112, 112]
/// reflected by 3, rows of 472 bytes: 1.9 ms by vectors as they come, 1.55 so).
HWY_NOINLINE void copy_runs(const Part& part) {
  constexpr std::int64_t call_from = 256;
  const std::int64_t bytes = part.bytes;
  if (bytes < long_unit)
    return with_unit(bytes, [&](auto unit) {
      part.for_each_row([&](std::byte* dst, const std::byte* src) { unit.move(dst, src); });
    });
  part.for_each_row([&](std::byte* dst, const std::byte* src) HWY_ATTR {
    if (bytes >= call_from) return copy_run(dst, src, bytes, false);
    by_vectors_of<line_bytes>(bytes, [&](auto d, std::int64_t at) HWY_ATTR {
      hn::StoreU(hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(src + at)), d,
                 reinterpret_cast<std::uint8_t*>(dst + at));
    });
  });
}

/// One element again and again.
template <class T>
HWY_INLINE void fill_values(const Part& part) {
  part.for_each_row([&](std::byte* dst, const std::byte* src) HWY_ATTR {
    T value;
    std::memcpy(&value, src, sizeof value);
    const auto store = [&](auto d, std::int64_t at) HWY_ATTR {
      hn::StoreU(hn::Set(d, value), d, reinterpret_cast<T*>(dst + at));
    };
    if (part.bytes >= line_bytes) by_vectors_of<line_bytes, T>(part.bytes, store);
    else by_vectors_of<RowRuns::fewest_value_bytes, T>(part.bytes, store);
  });
}
HWY_NOINLINE void fill_values(const Part& part, std::int64_t element) {
  if (element == 1) fill_values<std::uint8_t>(part);
  else if (element == 2) fill_values<std::uint16_t>(part);
  else if (element == 4) fill_values<std::uint32_t>(part);
  else fill_values<std::uint64_t>(part);
}

/// Each element in all rows.
template <class Unit>
HWY_INLINE void move_elements(const Part& part, const std::int64_t* table, Unit unit) {
  for (std::int64_t at = 0; at < part.bytes; at += unit.size()) {
    const std::int64_t from = *table++ * unit.size();
    part.for_each_row(
        [&](std::byte* dst, const std::byte* src) { unit.move(dst + at, src + from); });
  }
}

/// So many rows of the inner loop.
template <class Unit>
HWY_INLINE void assemble(const Assembled& all, std::int64_t rows, std::byte* dst,
                         std::int64_t dst_stride, const std::byte* const* src, Unit unit) {
  for (std::int32_t k = 0; k < all.row.count; ++k) {
    const RowRuns::Part& planned = all.row.parts[static_cast<std::size_t>(k)];
    const std::size_t s = planned.source;
    Part part{rows, planned.bytes, dst_stride, all.inner.src[s], dst + planned.dst, src[s]};
    if (planned.kind == RowRuns::elements) {
      move_elements(part, all.src_table[s] + planned.from, unit);
      continue;
    }
    part.src += planned.from;
    if (planned.kind == RowRuns::run) copy_runs(part);
    else fill_values(part, unit.size());
  }
}

/// Some rows at a time, which the first cache keeps until they are whole.
template <class Unit>
void assemble_rows(const Assembled& all, std::byte* dst, const std::byte* const* src, Unit unit) {
  constexpr std::int64_t most_rows = 64, packed_bytes = 8 * 1024;
  static_assert(packed_bytes >= most_assembled_bytes);
  alignas(line_bytes) std::byte packed[packed_bytes];
  const SharedLoop &outer = all.outer, &inner = all.inner;
  const std::int64_t most = std::min(most_rows, packed_bytes / all.row_bytes);
  for (std::int64_t i = 0; i < outer.extent; ++i)
    for (std::int64_t j = 0; j < inner.extent; j += most) {
      const std::int64_t rows = std::min(most, inner.extent - j), bytes = rows * all.row_bytes;
      std::byte* const to = dst + i * outer.dst + j * inner.dst;
      const std::byte* from[most_sources];
      for (std::size_t s = 0; s < all.sources; ++s)
        from[s] = src[s] + i * outer.src[s] + j * inner.src[s];
      if (all.streams) {
        assemble(all, rows, packed, all.row_bytes, from, unit);
        stream_bytes(to, packed, bytes);
      } else {
        assemble(all, rows, to, inner.dst, from, unit);
      }
      count_moved(bytes, bytes);
    }
}

}  // namespace

void move_assembled(const Assembled& all, std::byte* dst, const std::byte* const* src) {
  with_unit(all.element, [&](auto unit) { assemble_rows(all, dst, src, unit); });
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(move_assembled);

namespace {

// Shorter rows are made by permutations, where the machine has them.
constexpr std::int64_t fewest_bytes = 256;

Cost match(const Nest& nest, const Writing&) {
  if (nest.unit != nest.element) return no_match;
  if (nest.sources == 1 && (nest.innermost().dst_table || nest.innermost().dst != nest.unit))
    return no_match;
  const std::int64_t bytes = elements_of_row(listed_of(nest)) * nest.element;
  return bytes > fewest_bytes && bytes <= most_assembled_bytes ? 13 : no_match;
}

/// The innermost loop, if it is plain.
SharedLoop take_plain(Nest& nest) {
  if (nest.loops.empty() || !nest.innermost().is_plain()) return {};
  const NestLoop loop = nest.innermost();
  nest.loops.pop_back();
  return {loop.extent, loop.dst, loop.src};
}

bool bind(Nest& nest, const Writing& writing, BoundArguments& arguments) {
  const auto row = find_row_runs(nest);
  if (!row) return false;
  const auto all = listed_of(nest);
  const auto row_bytes = static_cast<std::int32_t>(elements_of_row(all) * nest.element);
  if (nest.sources == 1) nest.loops.pop_back();
  const SharedLoop inner = take_plain(nest), outer = take_plain(nest);
  arguments.keep(Assembled{outer,
                           inner,
                           nest.element,
                           {all[0].src_table, all[1].src_table},
                           *row,
                           row_bytes,
                           static_cast<std::uint16_t>(nest.sources),
                           writing.streams && inner.dst == row_bytes});
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  on_this_machine(move_assembled_by_set)(arguments.as<Assembled>(), dst, src);
}

Traffic traffic(const BoundArguments& arguments) {
  const auto& all = arguments.as<Assembled>();
  const std::int64_t bytes = all.outer.extent * all.inner.extent * all.row_bytes;
  return {bytes, bytes};
}

/// Rows stay whole.
Cutting cutting(const Nest& nest) {
  return {nest.loops.size() - (nest.sources == 1 ? 1 : 0),
          elements_of_row(listed_of(nest)) * nest.element};
}

bool streams(const BoundArguments& arguments) { return arguments.as<Assembled>().streams; }

}  // namespace

extern const KernelDefinition assemble_kernel;
const KernelDefinition assemble_kernel{
    "assemble", listed | listed_parts, match, bind, run, traffic, cutting, streams};

}  // namespace weft
#endif
