// SPDX-License-Identifier: Apache-2.0
// The select kernel: elements of operand 1 where operand 0 holds, else of operand 2. Nothing
// branches by an element: both are read.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/compute/select.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include <weft/engine/kernels/compute.h>
#include <weft/engine/kernels/counting.h>
#include <weft/graph/value/unit.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// A row: where the operands and the output lie.
struct Row {
  const std::uint8_t* holds;
  const std::byte *x, *y;
  std::byte* out;
};

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

  static HWY_INLINE void one_by_one(const Row& row, std::int64_t i, std::int64_t end) {
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
    if (count < lanes) return one_by_one(row, 0, count);
    const auto vector = static_cast<std::int64_t>(hn::Lanes(d)) * size;
    std::int64_t i = 0;
    const auto past = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(row.out) %
                                                static_cast<std::uintptr_t>(vector));
    if (streams && past % size == 0) {
      const std::int64_t head = std::min(count, (vector - past) % vector / size);
      while (i < head) i = vectors<false>(few, row, std::min(i, count - lanes), i + lanes);
      i = vectors<true>(d, row, head, count);
    }
    i = vectors<false>(d, row, i, count);
    i = vectors<false>(few, row, i, count);
    if (i < count) vectors<false>(few, row, count - lanes, count);  // some of it again
  }
};

#if HWY_TARGET != HWY_SCALAR

// Elements beyond this are moved one by one, each whole.
constexpr std::int64_t most_patterned = 64;
constexpr std::int64_t vector_bytes = 16;

/// Elements of any size as bytes: which of the next bytes of the condition each byte of a vector
/// asks, until a vector begins with an element again.
struct Pattern {
  explicit Pattern(std::int64_t size) : vectors(size / std::gcd(size, vector_bytes)) {
    for (std::int64_t v = 0; v < vectors; ++v) {
      first[v] = static_cast<std::uint8_t>(v * vector_bytes / size);
      for (std::int64_t j = 0; j < vector_bytes; ++j)
        asks[v][j] = static_cast<std::uint8_t>((v * vector_bytes + j) / size - first[v]);
    }
  }
  std::int64_t bytes() const { return vectors * vector_bytes; }

  std::int64_t vectors;
  std::uint8_t first[most_patterned];
  alignas(vector_bytes) std::uint8_t asks[most_patterned][vector_bytes];
};

template <bool still_condition, bool still_x, bool still_y>
class Bytes {
 public:
  explicit Bytes(std::int64_t size) : size_(size), pattern_(size) {}

  void run(const Row& row, std::int64_t count, bool streams) {
    std::int64_t i = 0;
    if (streams) {
      const std::int64_t head = until_vector(row.out, count);
      one_by_one(row, 0, head);
      i = head;
    }
    const bool is_aligned = streams && (reinterpret_cast<std::uintptr_t>(row.out) +
                                        static_cast<std::uintptr_t>(i * size_)) %
                                               vector_bytes ==
                                           0;
    fill(row);
    const std::int64_t elements = pattern_.bytes() / size_;
    // Sixteen bytes of the condition are read for each vector.
    for (; i + elements + vector_bytes <= count; i += elements)
      is_aligned ? vectors<true>(row, row.holds + (still_condition ? 0 : i), i, pattern_.vectors)
                 : vectors<false>(row, row.holds + (still_condition ? 0 : i), i, pattern_.vectors);
    std::uint8_t holds[most_patterned] = {};
    for (; i < count; i += elements) {
      const std::int64_t left = std::min(count - i, elements);
      if (!still_condition) std::memcpy(holds, row.holds + i, static_cast<std::size_t>(left));
      const std::int64_t whole = left * size_ / vector_bytes;
      vectors<false>(row, still_condition ? row.holds : holds, i, whole);
      one_by_one(row, i + whole * vector_bytes / size_, i + left);
    }
  }

  void one_by_one(const Row& row, std::int64_t i, std::int64_t end) const {
    for (; i < end; ++i) {
      const std::byte* const a = still_x ? row.x : row.x + i * size_;
      const std::byte* const b = still_y ? row.y : row.y + i * size_;
      std::memcpy(row.out + i * size_, row.holds[still_condition ? 0 : i] != 0 ? a : b,
                  static_cast<std::size_t>(size_));
    }
  }

 private:
  /// Elements until one begins where a vector may be streamed to; none where none does.
  std::int64_t until_vector(const std::byte* out, std::int64_t count) const {
    const auto past = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out) %
                                                std::uintptr_t{vector_bytes});
    for (std::int64_t k = 0; k < std::min(count, vector_bytes); ++k)
      if ((past + k * size_) % vector_bytes == 0) return k;
    return 0;
  }

  /// What stands still, as often as it is in a pattern.
  void fill(const Row& row) {
    for (std::int64_t at = 0; at < pattern_.bytes(); at += size_) {
      if constexpr (still_x) std::memcpy(x_ + at, row.x, static_cast<std::size_t>(size_));
      if constexpr (still_y) std::memcpy(y_ + at, row.y, static_cast<std::size_t>(size_));
    }
  }

  /// So many vectors from element i on.
  template <bool streams>
  HWY_INLINE void vectors(const Row& row, const std::uint8_t* holds, std::int64_t i,
                          std::int64_t count) const {
    const hn::FixedTag<std::uint8_t, vector_bytes> d;
    const auto load = [&](const std::byte* from) HWY_ATTR {
      return hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(from));
    };
    const auto all = hn::Set(d, holds[0]);
    for (std::int64_t v = 0; v < count; ++v) {
      const std::int64_t at = i * size_ + v * vector_bytes;
      const auto a = load(still_x ? x_ + v * vector_bytes : row.x + at);
      const auto b = load(still_y ? y_ + v * vector_bytes : row.y + at);
      const auto asked = still_condition
                             ? all
                             : hn::TableLookupBytes(hn::LoadU(d, holds + pattern_.first[v]),
                                                    hn::Load(d, pattern_.asks[v]));
      const auto chosen = hn::IfThenElse(hn::Ne(asked, hn::Zero(d)), a, b);
      auto* const to = reinterpret_cast<std::uint8_t*>(row.out + at);
      if constexpr (streams) hn::Stream(chosen, d, to);
      else hn::StoreU(chosen, d, to);
    }
  }

  std::int64_t size_;
  Pattern pattern_;
  alignas(vector_bytes) std::byte x_[most_patterned * vector_bytes];
  alignas(vector_bytes) std::byte y_[most_patterned * vector_bytes];
};

#endif

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
      unit.move(row.out + i * size, reinterpret_cast<const std::byte*>(b + ((a - b) & all)));
    }
  }
};

template <class Rows>
void run_rows(Rows&& rows, const ComputeForm& form, const ComputeBlock& block) {
  for (std::int64_t r = 0; r < block.rows; ++r) {
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
      // Units of two words are as fast alone, but cannot be streamed.
      if (form.element <= most_patterned && (form.streams || form.element % 8 != 0))
        return run_rows(Bytes<c, x, y>(form.element), form, block);
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

HWY_EXPORT(select_blocks);

namespace {

void run(const ComputeForm& form, const ComputeBlock& block) noexcept {
  HWY_DYNAMIC_DISPATCH(select_blocks)(form, block);
}

}  // namespace

extern const ComputeDefinition select_compute;
const ComputeDefinition select_compute{"select", run};

}  // namespace weft
#endif
