// SPDX-License-Identifier: Apache-2.0
// Groups of up to a line, each store by one permutation of all bytes of a line or a few of them;
// included for each way of lanes.h.
#include <weft/engine/kernels/move/lanes.h>

namespace weft::WEFT_BY {

/// What stores are made of, in registers: of each of `loads` loads the bytes that it takes, and
/// those that stand still.
template <std::int64_t loads>
class LinePermutation {
 public:
  static constexpr std::int64_t line = 64;

  WEFT_LINES_INLINE explicit LinePermutation(const LineStores& stores)
      : still_(_mm512_load_si512(stores.still)),
        made_(~std::uint64_t{0} >> (line - stores.units * stores.unit)),
        units_(stores.units),
        unit_(stores.unit),
        step_(stores.step) {
    for (std::int64_t n = 0; n < loads; ++n) {
      const __m512i lanes = _mm512_load_si512(stores.lanes + n * line);
      lanes_[n] = Lanes(lanes, ~_mm512_movepi8_mask(lanes));
      starts_[n] = stores.starts[n];
      used_[n] = stores.used[n];
    }
  }

  /// `rows` rows of `count` units, no fewer than a store makes; whole lines may be written and read
  /// everywhere. `apart`: from one row to the next, in the result and in the source.
  WEFT_LINES_INLINE void rows(std::byte* dst, const std::byte* src, std::int64_t count,
                              std::int64_t rows, ByteSteps apart) const {
    // A shorter store crosses lines less often.
    if (2 * units_ * unit_ > line)
      rows_by(dst, src, count, rows, apart,
              [](std::byte* to, __m512i made) WEFT_LINES { _mm512_storeu_si512(to, made); });
    else
      rows_by(dst, src, count, rows, apart, [](std::byte* to, __m512i made) WEFT_LINES {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_castsi512_si256(made));
      });
  }

  /// A row, of which whole lines may be written and read by stores that start at unit `end` and
  /// before.
  WEFT_LINES_INLINE void row(std::byte* dst, const std::byte* src, std::int64_t count,
                             std::int64_t end) const {
    std::int64_t k = 0;
    if (end >= 0) {
      rows(dst, src, end + units_, 1, {});
      k = end + units_;
    }
    for (; k < count; k += units_) {
      k = std::min(k, count - units_);
      store_within(dst + k * unit_, src + k * step_);
    }
  }

 private:
  template <class Store>
  WEFT_LINES_INLINE void rows_by(std::byte* dst, const std::byte* src, std::int64_t count,
                                 std::int64_t rows, ByteSteps apart, const Store& store) const {
    const std::int64_t end = count - units_, to = units_ * unit_, from = units_ * step_;
    for (std::int64_t i = 0; i < rows; ++i, dst += apart.dst, src += apart.src) {
      std::byte* d = dst;
      const std::byte* s = src;
      for (std::int64_t k = 0; k < end; k += units_, d += to, s += from) store(d, made_of(s));
      // Some once more where they are no whole groups.
      store(dst + end * unit_, made_of(src + end * step_));
    }
  }
  WEFT_LINES_INLINE __m512i made_of(const std::byte* src) const {
    __m512i made = still_;
    for (std::int64_t n = 0; n < loads; ++n)
      made = lanes_[n].over(made, _mm512_loadu_si512(src + starts_[n]));
    return made;
  }
  /// Writes and reads only what it has to.
  WEFT_LINES_INLINE void store_within(std::byte* dst, const std::byte* src) const {
    __m512i made = still_;
    for (std::int64_t n = 0; n < loads; ++n)
      made = lanes_[n].over(made, _mm512_maskz_loadu_epi8(used_[n], src + starts_[n]));
    _mm512_mask_storeu_epi8(dst, made_, made);
  }

  Lanes lanes_[loads];
  __m512i still_;
  __mmask64 used_[loads], made_;
  std::int64_t starts_[loads];
  const std::int64_t units_, unit_, step_;
};

/// Makes rows of `count` units, that lie `apart`. `each_row` calls one of two for all of them, as
/// shuffle.cpp has it: what they are made of is loaded once for all, for these may be short.
template <std::int64_t loads, class EachRow>
WEFT_LINES void make_rows(const LineStores& stores, std::int64_t count, ByteSteps apart,
                          const EachRow& each_row) {
  const LinePermutation<loads> by(stores);
  each_row([&](std::byte* to, const std::byte* from, std::int64_t rows)
               WEFT_LINES { by.rows(to, from, count, rows, apart); },
           [&](std::byte* to, const std::byte* from, std::int64_t last)
               WEFT_LINES { by.row(to, from, count, last); });
}

/// A row of `count` units, of which whole lines may be written and read by stores that start at
/// unit `end` and before.
template <std::int64_t loads>
WEFT_LINES void make_row(const LineStores& stores, std::byte* dst, const std::byte* src,
                         std::int64_t count, std::int64_t end) {
  LinePermutation<loads>(stores).row(dst, src, count, end);
}

}  // namespace weft::WEFT_BY
