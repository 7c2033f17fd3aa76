// SPDX-License-Identifier: Apache-2.0
// Arithmetic in which integers wrap.
#pragma once

#include <type_traits>

namespace weft {

/// What `function` makes of values of one type: of integers, of unsigned ones of the same bits, so
/// that nothing overflows.
template <class Function, class T>
constexpr T wrapped(const Function& function, T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    // No smaller than int, which products would be promoted to.
    using Unsigned = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
    return static_cast<T>(function(static_cast<Unsigned>(x), static_cast<Unsigned>(y)));
  } else {
    return function(x, y);
  }
}

}  // namespace weft
