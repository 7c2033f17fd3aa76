// SPDX-License-Identifier: Apache-2.0
// Choosing between elements of any size as between bytes, for each target.
#if defined(WEFT_SELECT_BYTES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_SELECT_BYTES_INL_H
#undef WEFT_SELECT_BYTES_INL_H
#else
#define WEFT_SELECT_BYTES_INL_H
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <hwy/highway.h>
#include <numeric>
#include <type_traits>

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
    if (head != none) overlapping<vector_bytes>(row, 0, head * size_, bytes);
    const std::int64_t i =
        head == none ? patterns<false>(row, 0, count) : patterns<true>(row, head, count);
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

  /// Of few vectors the loop is known.
  template <bool streams>
  HWY_INLINE std::int64_t patterns(const Row& row, std::int64_t i, std::int64_t count) const {
    if (vectors_ == 1) return patterns<streams>(row, i, count, std::integral_constant<int, 1>());
    if (vectors_ == 3) return patterns<streams>(row, i, count, std::integral_constant<int, 3>());
    return patterns<streams>(row, i, count, vectors_);
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

}  // namespace
}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
