// SPDX-License-Identifier: Apache-2.0
// Groups of up to a line, each store by one permutation of all bytes of a line or a few of them:
// AVX-512 VBMI has it, which is of none of Highway's targets that kernels are compiled for. Called
// where permutes_lines() alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)
#define WEFT_PERMUTES_LINES 1
#include <immintrin.h>
#else
#define WEFT_PERMUTES_LINES 0
#endif

#if WEFT_PERMUTES_LINES

/// Of functions that permute lines, and of all that is inlined into them.
#define WEFT_VBMI __attribute__((target("avx512f,avx512bw,avx512vbmi")))
#define WEFT_VBMI_INLINE WEFT_VBMI __attribute__((always_inline)) inline

namespace weft {

struct ByteSteps {
  std::int64_t dst = 0, src = 0;
};

/// What stores are made of, in registers: of each of `loads` loads the bytes that it takes, and
/// those that stand still.
template <std::int64_t loads>
class LinePermutation {
 public:
  static constexpr std::int64_t line = 64;
  static constexpr std::uint8_t no_lane = 0x80;

  /// `lanes`: for each load a line of places in it, or no_lane. `starts`: of the loads, beside
  /// where the source is. A store makes `units` units of `unit` bytes, that lie `step` apart.
  WEFT_VBMI_INLINE LinePermutation(const std::uint8_t* lanes, const std::uint8_t* still,
                                   const std::int64_t* starts, const std::uint64_t* used,
                                   std::int64_t units, std::int64_t unit, std::int64_t step)
      : still_(_mm512_load_si512(still)),
        made_(~std::uint64_t{0} >> (line - units * unit)),
        units_(units),
        unit_(unit),
        step_(step) {
    for (std::int64_t n = 0; n < loads; ++n) {
      lanes_[n] = _mm512_load_si512(lanes + n * line);
      taken_[n] = ~_mm512_movepi8_mask(lanes_[n]);
      starts_[n] = starts[n];
      used_[n] = used[n];
    }
  }

  /// `rows` rows of `count` units, no fewer than a store makes; whole lines may be written and read
  /// everywhere. `apart`: from one row to the next, in the result and in the source.
  WEFT_VBMI_INLINE void rows(std::byte* dst, const std::byte* src, std::int64_t count,
                             std::int64_t rows, ByteSteps apart) const {
    // A shorter store crosses lines less often.
    if (2 * units_ * unit_ > line)
      rows_by(dst, src, count, rows, apart,
              [](std::byte* to, __m512i made) WEFT_VBMI { _mm512_storeu_si512(to, made); });
    else
      rows_by(dst, src, count, rows, apart, [](std::byte* to, __m512i made) WEFT_VBMI {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_castsi512_si256(made));
      });
  }

  /// A row, of which whole lines may be written and read by stores that start at unit `end` and
  /// before.
  WEFT_VBMI_INLINE void row(std::byte* dst, const std::byte* src, std::int64_t count,
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
  WEFT_VBMI_INLINE void rows_by(std::byte* dst, const std::byte* src, std::int64_t count,
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
  WEFT_VBMI_INLINE __m512i made_of(const std::byte* src) const {
    __m512i made = still_;
    for (std::int64_t n = 0; n < loads; ++n)
      made = _mm512_mask_permutexvar_epi8(made, taken_[n], lanes_[n],
                                          _mm512_loadu_si512(src + starts_[n]));
    return made;
  }
  /// Writes and reads only what it has to.
  WEFT_VBMI_INLINE void store_within(std::byte* dst, const std::byte* src) const {
    __m512i made = still_;
    for (std::int64_t n = 0; n < loads; ++n)
      made = _mm512_mask_permutexvar_epi8(made, taken_[n], lanes_[n],
                                          _mm512_maskz_loadu_epi8(used_[n], src + starts_[n]));
    _mm512_mask_storeu_epi8(dst, made_, made);
  }

  __m512i lanes_[loads], still_;
  __mmask64 taken_[loads], used_[loads], made_;
  std::int64_t starts_[loads];
  const std::int64_t units_, unit_, step_;
};

}  // namespace weft

#endif
