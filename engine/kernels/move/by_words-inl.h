// SPDX-License-Identifier: Apache-2.0
// What is included next goes by by_words::Lanes.
#undef WEFT_LINES
#undef WEFT_LINES_INLINE
#undef WEFT_BY
#define WEFT_LINES WEFT_AVX512
#define WEFT_LINES_INLINE WEFT_AVX512 WEFT_ALWAYS_INLINE
#define WEFT_BY by_words
