// SPDX-License-Identifier: Apache-2.0
// What is included next goes by by_bytes::Lanes.
#undef WEFT_LINES
#undef WEFT_LINES_INLINE
#undef WEFT_BY
#define WEFT_LINES WEFT_VBMI
#define WEFT_LINES_INLINE WEFT_VBMI WEFT_ALWAYS_INLINE
#define WEFT_BY by_bytes
