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
#include <type_traits>

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
constexpr std::int64_t few_holds = 16;  // of the condition, as tables take them
#if HWY_HAVE_SCALABLE
constexpr std::int64_t widest = 16;
#else
constexpr std::int64_t widest = HWY_MAX_BYTES < 64 ? HWY_MAX_BYTES : 64;
#endif

/// Which of the next bytes of the condition each byte of a vector asks that begins `past` bytes
/// after an element does.
template <std::int64_t vector_bytes>
HWY_INLINE void write_asks(std::int64_t past, std::int64_t size, std::uint8_t* asks) {
  // Exact for sums below 128 and sizes up to 64.
  const auto inverse = static_cast<std::uint32_t>((65536 + size - 1) / size);
  for (std::uint32_t j = 0; j < vector_bytes; ++j)
    asks[j] = static_cast<std::uint8_t>((static_cast<std::uint32_t>(past) + j) * inverse >> 16);
}

/// Elements of any size as bytes, in vectors that sixteen bytes of the condition are enough for.
template <std::int64_t vector_bytes, bool still_condition, bool still_x, bool still_y>
class Bytes {
 public:
  explicit Bytes(std::int64_t size) : size_(size), vectors_(size / std::gcd(size, vector_bytes)) {
    for (std::int64_t v = 0; v < vectors_; ++v) {
      first_[v] = static_cast<std::uint8_t>(v * vector_bytes / size);
      write_asks<vector_bytes>(v * vector_bytes - first_[v] * size, size, asks_[v]);
    }
  }

  void run(const Row& row, std::int64_t count, bool streams) {
    fill(row);
    const std::int64_t bytes = count * size_;
    if (bytes < vector_bytes) return shorter(row, bytes);
    const std::int64_t head = streams ? until_vector(row.out, count) : none;
    std::int64_t i = head == none ? 0 : head;
    overlapping<vector_bytes>(row, 0, i * size_, bytes);
    if (head != none) i = patterns<true>(row, i, count, vectors_);
    // Of few vectors the loop is known.
    else if (vectors_ == 1) i = patterns<false>(row, i, count, std::integral_constant<int, 1>());
    else if (vectors_ == 3) i = patterns<false>(row, i, count, std::integral_constant<int, 3>());
    else i = patterns<false>(row, i, count, vectors_);
    overlapping<vector_bytes>(row, i * size_, bytes, bytes);
  }

 private:
  static constexpr std::int64_t none = -1;
  template <std::int64_t bytes>
  using D = hn::FixedTag<std::uint8_t, bytes>;

  /// Elements until one begins where a vector may be streamed to; none where none does.
  std::int64_t until_vector(const std::byte* out, std::int64_t count) const {
    const auto past = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out) %
                                                std::uintptr_t{vector_bytes});
    for (std::int64_t k = 0; k < std::min(count, vector_bytes); ++k)
      if ((past + k * size_) % vector_bytes == 0) return k;
    return none;
  }

  /// What stands still, as often as it is in a pattern, or a vector that begins anywhere.
  void fill(const Row& row) {
    if constexpr (!still_x && !still_y) return;
    const std::int64_t most = std::max(vectors_ * vector_bytes, size_ + vector_bytes);
    for (std::int64_t at = 0; at < most; at += size_) {
      if constexpr (still_x) std::memcpy(x_ + at, row.x, static_cast<std::size_t>(size_));
      if constexpr (still_y) std::memcpy(y_ + at, row.y, static_cast<std::size_t>(size_));
    }
  }

  template <bool streams, std::int64_t bytes>
  HWY_INLINE void one(const std::byte* x, const std::byte* y, const std::uint8_t* holds,
                      const std::uint8_t* asks, std::byte* out) const {
    const D<bytes> d;
    const auto load = [&](const std::byte* from) HWY_ATTR {
      return hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(from));
    };
    const auto asked = still_condition
                           ? hn::Set(d, holds[0])
                           : hn::TableLookupBytes(hn::LoadDup128(d, holds), hn::LoadU(d, asks));
    const auto chosen = hn::IfThenElse(hn::Ne(asked, hn::Zero(d)), load(x), load(y));
    auto* const to = reinterpret_cast<std::uint8_t*>(out);
    if constexpr (streams) hn::Stream(chosen, d, to);
    else hn::StoreU(chosen, d, to);
  }

  /// From element i on as often as a pattern of so many vectors fits; where it ended.
  template <bool streams, class Vectors>
  HWY_INLINE std::int64_t patterns(const Row& row, std::int64_t i, std::int64_t count,
                                   Vectors vectors) const {
    const std::int64_t elements = vectors * vector_bytes / size_;
    for (; i + elements + few_holds <= count; i += elements)
      for (std::int64_t v = 0; v < vectors; ++v) {
        const std::int64_t in_pattern = v * vector_bytes, at = i * size_ + in_pattern;
        one<streams, vector_bytes>(
            still_x ? x_ + in_pattern : row.x + at, still_y ? y_ + in_pattern : row.y + at,
            still_condition ? row.holds : row.holds + i + first_[v], asks_[v], row.out + at);
      }
    return i;
  }

  /// Bytes [from, to) of a row of so many, which may begin anywhere, and some around them.
  template <std::int64_t vector>
  void overlapping(const Row& row, std::int64_t from, std::int64_t to, std::int64_t bytes) const {
    alignas(vector) std::uint8_t asks[vector], holds[few_holds] = {};
    for (; from < to; from += vector) {
      const std::int64_t at = std::min(from, bytes - vector);
      const std::int64_t i = at / size_, past = at - i * size_;
      write_asks<vector>(past, size_, asks);
      const std::int64_t left = std::min(few_holds, bytes / size_ - i);
      if (!still_condition) std::memcpy(holds, row.holds + i, static_cast<std::size_t>(left));
      one<false, vector>(still_x ? x_ + past : row.x + at, still_y ? y_ + past : row.y + at,
                         still_condition ? row.holds : holds, asks, row.out + at);
    }
  }

  /// A row that is shorter than a vector.
  void shorter(const Row& row, std::int64_t bytes) const {
    if (bytes >= few_holds) return overlapping<few_holds>(row, 0, bytes, bytes);
    for (std::int64_t i = 0; i < bytes / size_; ++i) {
      const std::byte* const a = still_x ? row.x : row.x + i * size_;
      const std::byte* const b = still_y ? row.y : row.y + i * size_;
      std::memcpy(row.out + i * size_, row.holds[still_condition ? 0 : i] != 0 ? a : b,
                  static_cast<std::size_t>(size_));
    }
  }

  std::int64_t size_, vectors_;
  std::uint8_t first_[most_patterned];
  alignas(vector_bytes) std::uint8_t asks_[most_patterned][vector_bytes];
  static constexpr std::int64_t most_still = most_patterned * vector_bytes + 2 * most_patterned;
  alignas(vector_bytes) std::byte x_[most_still], y_[most_still];
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
