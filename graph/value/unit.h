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
      return body(AnyUnit{bytes});
  }
}

}  // namespace weft
