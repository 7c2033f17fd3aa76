// SPDX-License-Identifier: Apache-2.0
// Arithmetic in which integers wrap.
#pragma once

#include <type_traits>

namespace weft {

/// The same bits of integers as an unsigned number, of which nothing overflows, no smaller than an
/// int, which products would be promoted to; other numbers as they are.
template <class T>
constexpr auto unsigned_of(T x) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<std::common_type_t<std::make_unsigned_t<T>, unsigned>>(x);
  else return x;
}

}  // namespace weft
