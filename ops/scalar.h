// SPDX-License-Identifier: Apache-2.0
// A single value as callers write it, to become an element of some type.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <weft/graph/tensor.h>

namespace weft {

/// A bool, an integer or a floating-point number.
class Scalar {
 public:
  template <std::integral T>
  Scalar(T value)
      : kind_(std::is_unsigned_v<T> && sizeof(T) == 8 ? Kind::unsigned_integer : Kind::integer),
        bits_(static_cast<std::int64_t>(value)) {}
  template <std::floating_point T>
  Scalar(T value) : kind_(Kind::floating), value_(static_cast<double>(value)) {}

  /// A stored tensor of rank 0 with that element. An integer becomes it as numpy.astype does:
  /// bool is value != 0, narrow integers wrap, complex numbers have no imaginary part; a struct
  /// takes 0 alone, as bytes of 0. A floating-point number becomes one of another precision or
  /// complex, but no integer, bool or struct: DtypeError in the name of `op`.
  Tensor as(DType dtype, std::string_view op) const;

 private:
  enum class Kind : std::uint8_t { integer, unsigned_integer, floating };
  Kind kind_;
  std::int64_t bits_ = 0;
  double value_ = 0;
};

}  // namespace weft
