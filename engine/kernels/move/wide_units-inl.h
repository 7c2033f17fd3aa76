// SPDX-License-Identifier: Apache-2.0
// Units of half a line to two lines, moved by vectors as long as the machine has, for each target:
// two loads and two stores, or one of each, where memcpy of a size known at compile time goes by 16
// bytes.
#if defined(WEFT_WIDE_UNITS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WEFT_WIDE_UNITS_INL_H
#undef WEFT_WIDE_UNITS_INL_H
#else
#define WEFT_WIDE_UNITS_INL_H
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <hwy/highway.h>

#include <weft/engine/kernels/move/vector_bytes-inl.h>
#include <weft/engine/kernels/move/wide_units.h>
#include <weft/graph/value/unit.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

/// `Bytes` bytes in vectors as long as there are.
template <std::int64_t Bytes>
struct WideVectors {
  static constexpr std::int64_t each = std::min(Bytes, vector_bytes), count = Bytes / each;
  using D = hwy::HWY_NAMESPACE::FixedTag<std::uint8_t, each>;
  hwy::HWY_NAMESPACE::Vec<D> at[count];

  HWY_INLINE explicit WideVectors(const std::byte* src) {
    for (std::int64_t k = 0; k < count; ++k)
      at[k] = hwy::HWY_NAMESPACE::LoadU(D(), reinterpret_cast<const std::uint8_t*>(src) + k * each);
  }
  HWY_INLINE void store(std::byte* dst) const {
    for (std::int64_t k = 0; k < count; ++k)
      hwy::HWY_NAMESPACE::StoreU(at[k], D(), reinterpret_cast<std::uint8_t*>(dst) + k * each);
  }
};

template <std::int64_t Bytes>
struct WideUnit {
  using Word = WideUnit;  ///< as long as a unit and at most as much again: the unit, or one vector
  static constexpr std::int64_t size() { return Bytes; }
  HWY_INLINE void move(std::byte* dst, const std::byte* src) const {
    WideVectors<Bytes>(src).store(dst);
  }
};

/// Of Part to 2 * Part bytes: the first ones and the last ones, which may overlap.
template <std::int64_t Part>
struct OverlappedWideUnit {
  using Word = std::conditional_t<2 * Part <= 64, WideUnit<2 * Part>, OverlappedWideUnit>;
  std::int64_t bytes;
  std::int64_t size() const { return bytes; }
  HWY_INLINE void move(std::byte* dst, const std::byte* src) const {
    const WideVectors<Part> first(src), last(src + bytes - Part);
    first.store(dst);
    last.store(dst + bytes - Part);
  }
};

#endif

/// Calls `body` with the unit of that size, which is_wide().
template <class Body>
HWY_INLINE void with_wide_unit(std::int64_t bytes, Body&& body) {
#if HWY_TARGET != HWY_SCALAR
  if (bytes == 32) return body(WideUnit<32>{});
  if (bytes < 64) return body(OverlappedWideUnit<32>{bytes});
  if (bytes == 64) return body(WideUnit<64>{});
  body(OverlappedWideUnit<64>{bytes});
#else
  with_unit(bytes, body);
#endif
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
