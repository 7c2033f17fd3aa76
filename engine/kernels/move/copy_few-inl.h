// SPDX-License-Identifier: Apache-2.0
// Copies too short for a call, for each target.
#if defined(WEFT_COPY_FEW_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_COPY_FEW_INL_H
#undef WEFT_COPY_FEW_INL_H
#else
#define WEFT_COPY_FEW_INL_H
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {

/// memcpy of a few dozen bytes: pieces of one size, of which the last two may overlap.
HWY_INLINE void copy_few(std::byte* dst, const std::byte* src, std::int64_t bytes) {
  const auto by = [&](auto piece) __attribute__((always_inline)) {
    constexpr std::int64_t size = piece();
    for (std::int64_t at = 0; at + size <= bytes; at += size) std::memcpy(dst + at, src + at, size);
    std::memcpy(dst + bytes - size, src + bytes - size, size);
  };
  if (bytes >= 16) by(std::integral_constant<std::int64_t, 16>{});
  else if (bytes >= 4) by(std::integral_constant<std::int64_t, 4>{});
  else
    for (std::int64_t at = 0; at < bytes; ++at) dst[at] = src[at];
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
