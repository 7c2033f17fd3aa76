// SPDX-License-Identifier: Apache-2.0
// The select kernel: elements of operand 1 where operand 0 holds, else of operand 2. Nothing
// branches by an element: both are read.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/compute/select.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include <weft/engine/kernels/compute.h>
#include <weft/engine/kernels/compute/select_bytes-inl.h>
#include <weft/engine/kernels/counting.h>
#include <weft/graph/value/unit.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
HWY_INLINE T element_at(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

/// The lanes of which the next bytes hold.
template <class D>
HWY_INLINE hn::Mask<D> holding(D d, const std::uint8_t* holds) {
  using T = hn::TFromD<D>;
  if constexpr (sizeof(T) == 1) {
    return hn::Ne(hn::LoadU(d, holds), hn::Zero(d));
  } else if constexpr (sizeof(T) == 8) {
    const hn::Rebind<std::uint32_t, D> d32;
    const hn::Rebind<std::uint8_t, D> d8;
    return hn::Ne(hn::PromoteTo(d, hn::PromoteTo(d32, hn::LoadU(d8, holds))), hn::Zero(d));
  } else {
    const hn::Rebind<std::uint8_t, D> d8;
    return hn::Ne(hn::PromoteTo(d, hn::LoadU(d8, holds)), hn::Zero(d));
  }
}

template <class T, bool still_condition, bool still_x, bool still_y>
struct Words {
  static constexpr std::int64_t size = sizeof(T);

  template <class D>
  static HWY_INLINE hn::Vec<D> load(D d, const std::byte* from) {
    return hn::LoadU(d, reinterpret_cast<const T*>(from));
  }

  static HWY_NOINLINE void one_by_one(const Row& row, std::int64_t i, std::int64_t end) {
    for (; i < end; ++i) {
      const T a = element_at<T>(still_x ? row.x : row.x + i * size);
      const T b = element_at<T>(still_y ? row.y : row.y + i * size);
      const T chosen = row.holds[still_condition ? 0 : i] != 0 ? a : b;
      std::memcpy(row.out + i * size, &chosen, sizeof(T));
    }
  }

  /// Whole vectors of [i, end); where it ended.
  template <bool streams, class D>
  static HWY_INLINE std::int64_t vectors(D d, const Row& row, std::int64_t i, std::int64_t end) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto of_x = hn::Set(d, still_x ? element_at<T>(row.x) : T{});
    const auto of_y = hn::Set(d, still_y ? element_at<T>(row.y) : T{});
    const T whole = static_cast<T>(still_condition && row.holds[0] != 0 ? -1 : 0);
    const auto mask = hn::MaskFromVec(hn::Set(d, whole));
    for (; i + lanes <= end; i += lanes) {
      const auto a = still_x ? of_x : load(d, row.x + i * size);
      const auto b = still_y ? of_y : load(d, row.y + i * size);
      const auto m = still_condition ? mask : holding(d, row.holds + i);
      T* const to = reinterpret_cast<T*>(row.out + i * size);
      if constexpr (streams) hn::Stream(hn::IfThenElse(m, a, b), d, to);
      else hn::StoreU(hn::IfThenElse(m, a, b), d, to);
    }
    return i;
  }

  static void run(const Row& row, std::int64_t count, bool streams) {
    const hn::ScalableTag<T> d;
    const hn::CappedTag<T, 16 / sizeof(T)> few;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(few));
    // What was chosen from one of both may be chosen again, but not once the condition is lost.
    const bool is_once = sizeof(T) == 1 && row.out == reinterpret_cast<const std::byte*>(row.holds);
    if (count < lanes) return one_by_one(row, 0, count);
    const auto vector = static_cast<std::int64_t>(hn::Lanes(d)) * size;
    std::int64_t i = 0;
    const auto past = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(row.out) %
                                                static_cast<std::uintptr_t>(vector));
    if (streams && !is_once && past % size == 0) {
      const std::int64_t head = std::min(count, (vector - past) % vector / size);
      while (i < head) i = vectors<false>(few, row, std::min(i, count - lanes), i + lanes);
      i = vectors<true>(d, row, head, count);
    }
    i = vectors<false>(d, row, i, count);
    i = vectors<false>(few, row, i, count);
    if (is_once) one_by_one(row, i, count);
    else if (i < count) vectors<false>(few, row, count - lanes, count);  // some of it again
  }
};

/// Elements one by one, from the place that is chosen: reckoned, for a branch would be guessed
/// wrongly half of the time.
template <class Unit, bool still_condition, bool still_x, bool still_y>
struct Units {
  Unit unit;

  void run(const Row& row, std::int64_t count, bool) const {
    const auto x = reinterpret_cast<std::uintptr_t>(row.x);
    const auto y = reinterpret_cast<std::uintptr_t>(row.y);
    const auto size = static_cast<std::uintptr_t>(unit.size());
    for (std::uintptr_t i = 0; i < static_cast<std::uintptr_t>(count); ++i) {
      const std::uintptr_t a = still_x ? x : x + i * size, b = still_y ? y : y + i * size;
      const std::uintptr_t all = std::uintptr_t{0} - (row.holds[still_condition ? 0 : i] != 0);
      // NOLINTNEXTLINE(performance-no-int-to-ptr)
      unit.move(row.out + i * size, reinterpret_cast<const std::byte*>(b + ((a - b) & all)));
    }
  }
};

// Rows that lie apart are asked for so many before their turn, in the second cache: machines find
// out by themselves where rows go on, not where the next begins.
constexpr std::int64_t rows_ahead = 2;

void ask_ahead(const ComputeForm& form, const ComputeBlock& block, std::int64_t row) {
  if (row >= block.rows) return;
  for (std::size_t k = 0; k < form.operands; ++k) {
    if (!form.is_far[k]) continue;
    const std::byte* const from = block.at[k] + row * block.pitch[k];
    for (std::int64_t at = 0; at < block.columns * form.bytes[k]; at += 64)
      __builtin_prefetch(from + at, 0, 2);
  }
}

template <class Rows>
void run_rows(Rows&& rows, const ComputeForm& form, const ComputeBlock& block) {
  for (std::int64_t r = 0; r < block.rows; ++r) {
    ask_ahead(form, block, r + rows_ahead);
    rows.run({reinterpret_cast<const std::uint8_t*>(block.at[0]) + r * block.pitch[0],
              block.at[1] + r * block.pitch[1], block.at[2] + r * block.pitch[2],
              block.out + r * block.out_pitch},
             block.columns, form.streams);
    const auto read = [&](std::size_t k) {
      return (form.is_still[k] ? 1 : block.columns) * form.bytes[k];
    };
    count_moved(read(0) + read(1) + read(2), block.columns * form.element);
  }
}

template <bool c, bool x, bool y>
void select_of(const ComputeForm& form, const ComputeBlock& block) {
  switch (form.element) {
    case 1:
      return run_rows(Words<std::uint8_t, c, x, y>(), form, block);
    case 2:
      return run_rows(Words<std::uint16_t, c, x, y>(), form, block);
    case 4:
      return run_rows(Words<std::uint32_t, c, x, y>(), form, block);
    case 8:
      return run_rows(Words<std::uint64_t, c, x, y>(), form, block);
    default:
#if HWY_TARGET != HWY_SCALAR
      // Sixteen bytes of the condition are few for a wide vector of small elements.
      if (form.element < 5)
        return run_rows(Bytes<std::min<std::int64_t>(widest, 32), c, x, y>(form.element), form,
                        block);
      if (form.element <= most_patterned)
        return run_rows(Bytes<widest, c, x, y>(form.element), form, block);
#endif
      return with_unit(form.element, [&](auto unit) {
        run_rows(Units<decltype(unit), c, x, y>{unit}, form, block);
      });
  }
}

template <bool c>
void select_of(const ComputeForm& form, const ComputeBlock& block) {
  if (form.is_still[1])
    return form.is_still[2] ? select_of<c, true, true>(form, block)
                            : select_of<c, true, false>(form, block);
  return form.is_still[2] ? select_of<c, false, true>(form, block)
                          : select_of<c, false, false>(form, block);
}

}  // namespace

void select_blocks(const ComputeForm& form, const ComputeBlock& block) {
  if (form.is_still[0]) select_of<true>(form, block);
  else select_of<false>(form, block);
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(select_blocks);

namespace {

void run(const ComputeForm& form, const ComputeBlock& block) noexcept {
  on_this_machine(select_blocks_by_set)(form, block);
}

}  // namespace

extern const ComputeDefinition select_compute;
const ComputeDefinition select_compute{"select", run, true};

}  // namespace weft
#endif
