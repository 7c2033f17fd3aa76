// SPDX-License-Identifier: Apache-2.0
// Lines whose bytes are put in another order, or those of two lines: by one instruction, which is
// AVX-512 VBMI's and of none of Highway's targets that kernels are compiled for, or by those that
// all of AVX-512 has. What goes by either is included twice (by_bytes-inl.h, by_words-inl.h), and
// called where permutes_bytes(), or else permutes_lines(), alone.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)
#define WEFT_PERMUTES_LINES 1
#include <immintrin.h>
#else
#define WEFT_PERMUTES_LINES 0
#endif

namespace weft {

struct ByteSteps {
  std::int64_t dst = 0, src = 0;
};

/// What stores of groups of up to a line are made of.
struct LineStores {
  static constexpr std::uint8_t no_lane = 0x80;

  const std::uint8_t* lanes;   ///< for each load a line of places in it, or no_lane
  const std::uint8_t* still;   ///< a line of what stands still
  const std::int64_t* starts;  ///< of the loads, beside where the source is
  const std::uint64_t* used;   ///< of each load, by bytes
  std::int64_t units;          ///< that a store makes
  std::int64_t unit, step;     ///< bytes of each, and from one to the next
};

}  // namespace weft

#if WEFT_PERMUTES_LINES

#define WEFT_VBMI __attribute__((target("avx512f,avx512bw,avx512vbmi")))
#define WEFT_AVX512 __attribute__((target("avx512f,avx512bw")))
#define WEFT_ALWAYS_INLINE __attribute__((always_inline)) inline

namespace weft::by_bytes {

/// Which byte of a line, or of two, each of a line's is; where it is `taken`.
class Lanes {
 public:
  Lanes() = default;
  WEFT_VBMI WEFT_ALWAYS_INLINE Lanes(__m512i lanes, __mmask64 taken)
      : lanes_(lanes), taken_(taken) {}

  /// `made`, but for what is taken of that line.
  WEFT_VBMI WEFT_ALWAYS_INLINE __m512i over(__m512i made, __m512i line) const {
    return _mm512_mask_permutexvar_epi8(made, taken_, lanes_, line);
  }
  /// Of one line; what is not taken is anything.
  WEFT_VBMI WEFT_ALWAYS_INLINE __m512i of(__m512i line) const {
    return _mm512_maskz_permutexvar_epi8(~std::uint64_t{0}, lanes_, line);
  }
  /// Of two.
  WEFT_VBMI WEFT_ALWAYS_INLINE __m512i of(__m512i first, __m512i second) const {
    return _mm512_permutex2var_epi8(first, lanes_, second);
  }

 private:
  __m512i lanes_;
  __mmask64 taken_;
};

}  // namespace weft::by_bytes

namespace weft::by_words {

/// The same: as units of four bytes or of two, where they stay together, or else as the words in
/// which the even bytes lie, moved down within these, and those of the odd ones, moved up.
class Lanes {
 public:
  Lanes() = default;
  WEFT_AVX512 WEFT_ALWAYS_INLINE Lanes(__m512i lanes, __mmask64 taken)
      : unit_(unit_of(lanes, taken)), taken_(taken) {
    constexpr int bits = 8;
    const __m512i one = _mm512_set1_epi16(1);
    const auto bits_of = [&](__m512i bytes) WEFT_AVX512 {
      return _mm512_slli_epi16(_mm512_and_si512(bytes, one), 3);
    };
    // More bits than number the words are not looked at.
    even_ = unit_ == 4 ? _mm512_maskz_srli_epi32(all_fours, lanes, 2) : _mm512_srli_epi16(lanes, 1);
    odd_ = _mm512_srli_epi16(lanes, bits + 1);
    down_ = bits_of(lanes);
    up_ = _mm512_sub_epi16(_mm512_set1_epi16(bits), bits_of(_mm512_srli_epi16(lanes, bits)));
  }

  WEFT_AVX512 WEFT_ALWAYS_INLINE __m512i over(__m512i made, __m512i line) const {
    return _mm512_mask_mov_epi8(made, taken_, of(line));
  }
  WEFT_AVX512 WEFT_ALWAYS_INLINE __m512i of(__m512i line) const {
    if (unit_ == 4) return _mm512_maskz_permutexvar_epi32(all_fours, even_, line);
    const __m512i even = _mm512_permutexvar_epi16(even_, line);
    return unit_ == 2 ? even : joined(even, _mm512_permutexvar_epi16(odd_, line));
  }
  WEFT_AVX512 WEFT_ALWAYS_INLINE __m512i of(__m512i first, __m512i second) const {
    if (unit_ == 4) return _mm512_permutex2var_epi32(first, even_, second);
    const __m512i even = _mm512_permutex2var_epi16(first, even_, second);
    return unit_ == 2 ? even : joined(even, _mm512_permutex2var_epi16(first, odd_, second));
  }

 private:
  static WEFT_AVX512 WEFT_ALWAYS_INLINE int unit_of(__m512i lanes, __mmask64 taken) {
    const __m512i is_taken = _mm512_movm_epi8(taken), none = _mm512_setzero_si512();
    // A unit begins at a multiple of its bytes; the others follow.
    const __m512i fours =
        _mm512_add_epi32(_mm512_mullo_epi32(_mm512_and_si512(lanes, _mm512_set1_epi32(0xfc)),
                                            _mm512_set1_epi32(0x01010101)),
                         _mm512_set1_epi32(0x03020100));
    const __mmask16 are_fours =
        _mm512_cmpeq_epi32_mask(lanes, fours) | _mm512_cmpeq_epi32_mask(is_taken, none);
    if (are_fours == all_fours) return 4;
    const __m512i twos =
        _mm512_add_epi16(_mm512_mullo_epi16(_mm512_and_si512(lanes, _mm512_set1_epi16(0xfe)),
                                            _mm512_set1_epi16(0x0101)),
                         _mm512_set1_epi16(0x0100));
    const __mmask32 are_twos =
        _mm512_cmpeq_epi16_mask(lanes, twos) | _mm512_cmpeq_epi16_mask(is_taken, none);
    return are_twos == 0xffffffff ? 2 : 1;
  }
  WEFT_AVX512 WEFT_ALWAYS_INLINE __m512i joined(__m512i even, __m512i odd) const {
    constexpr __mmask64 odd_bytes = 0xaaaaaaaaaaaaaaaa;
    return _mm512_mask_mov_epi8(_mm512_srlv_epi16(even, down_), odd_bytes,
                                _mm512_sllv_epi16(odd, up_));
  }

  static constexpr __mmask16 all_fours = 0xffff;

  int unit_;
  __mmask64 taken_;
  __m512i even_, odd_, down_, up_;
};

}  // namespace weft::by_words

#endif
