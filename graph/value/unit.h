// SPDX-License-Identifier: Apache-2.0
// Units of a size known at compile time, so that moving one is a load and a store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace weft {

template <std::size_t Size>
struct FixedUnit {
  static constexpr std::int64_t size() { return Size; }
  void move(std::byte* dst, const std::byte* src) const { std::memcpy(dst, src, Size); }
};

/// Of Part to 2 * Part bytes: the first ones and the last ones, which may overlap.
template <std::size_t Part>
struct OverlappedUnit {
  std::int64_t bytes;
  std::int64_t size() const { return bytes; }
  void move(std::byte* dst, const std::byte* src) const {
    std::byte first[Part], last[Part];
    std::memcpy(first, src, Part);
    std::memcpy(last, src + bytes - Part, Part);
    std::memcpy(dst, first, Part);
    std::memcpy(dst + bytes - Part, last, Part);
  }
};

struct AnyUnit {
  std::int64_t bytes;
  std::int64_t size() const { return bytes; }
  void move(std::byte* dst, const std::byte* src) const {
    std::memcpy(dst, src, static_cast<std::size_t>(bytes));
  }
};

/// Calls `body` with the unit of that size.
template <class Body>
void with_unit(std::int64_t bytes, Body&& body) {
  switch (bytes) {
    case 1:
      return body(FixedUnit<1>{});
    case 2:
      return body(FixedUnit<2>{});
    case 3:
      return body(FixedUnit<3>{});
    case 4:
      return body(FixedUnit<4>{});
    case 6:
      return body(FixedUnit<6>{});
    case 8:
      return body(FixedUnit<8>{});
    case 12:
      return body(FixedUnit<12>{});
    case 16:
      return body(FixedUnit<16>{});
    case 24:
      return body(FixedUnit<24>{});
    case 32:
      return body(FixedUnit<32>{});
    case 48:
      return body(FixedUnit<48>{});
    case 64:
      return body(FixedUnit<64>{});
    default:
      break;
  }
  if (bytes < 8) return body(OverlappedUnit<4>{bytes});
  if (bytes < 16) return body(OverlappedUnit<8>{bytes});
  if (bytes < 32) return body(OverlappedUnit<16>{bytes});
  if (bytes < 64) return body(OverlappedUnit<32>{bytes});
  if (bytes <= 128) return body(OverlappedUnit<64>{bytes});
  return body(AnyUnit{bytes});
}

}  // namespace weft
