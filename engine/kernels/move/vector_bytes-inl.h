// SPDX-License-Identifier: Apache-2.0
// How long vectors are, for each target.
#if defined(WEFT_VECTOR_BYTES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_VECTOR_BYTES_INL_H
#undef WEFT_VECTOR_BYTES_INL_H
#else
#define WEFT_VECTOR_BYTES_INL_H
#endif

#include <cstdint>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR
#if HWY_HAVE_SCALABLE
constexpr std::int64_t vector_bytes = 16;
#else
constexpr std::int64_t vector_bytes = HWY_MAX_BYTES < 64 ? HWY_MAX_BYTES : 64;
#endif
#endif

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
