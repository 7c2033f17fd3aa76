// SPDX-License-Identifier: Apache-2.0
// A single value as callers write it, to become an element of some type.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <weft/graph/tensor.h>

namespace weft {

/// A bool, an integer or a floating-point number, kept as it was given.
class Scalar {
 public:
  template <std::integral T>
  Scalar(T value)
      : kind_(std::same_as<T, bool>                       ? Kind::boolean
              : std::is_unsigned_v<T> && sizeof(T) == 8 ? Kind::unsigned_integer
                                                        : Kind::integer),
        bits_(static_cast<std::int64_t>(value)) {}
  template <std::floating_point T>
  Scalar(T value) : kind_(Kind::floating), value_(static_cast<double>(value)) {}
  Scalar(float16_t value) : Scalar(static_cast<float>(value)) {}
  Scalar(bfloat16_t value) : Scalar(static_cast<float>(value)) {}

  /// A stored tensor of rank 0 with that element. bool is value != 0; floating-point numbers are
  /// rounded to nearest; complex ones have no imaginary part; a struct takes 0 alone, as bytes of
  /// 0. DtypeError in the name of `op` where the type cannot hold the value: an integer beyond its
  /// range, or a floating-point number for an integer, bool or struct.
  [[nodiscard]] Tensor as(DType dtype, std::string_view op) const;
  /// The same for a number that meets a tensor of that type in `op`, which names the cast to write:
  /// DtypeError for a number of another kind (an integer becomes a floating-point or complex one),
  /// ParameterError beyond the range of the type.
  [[nodiscard]] Tensor beside(DType dtype, std::string_view op) const;

 private:
  enum class Kind : std::uint8_t { boolean, integer, unsigned_integer, floating };
  std::string text() const;
  Kind kind_;
  std::int64_t bits_ = 0;
  double value_ = 0;
};

}  // namespace weft
