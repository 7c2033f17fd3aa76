// SPDX-License-Identifier: Apache-2.0
// full: one value everywhere.
#pragma once

#include <concepts>
#include <type_traits>

#include <weft/graph/tensor.h>
#include <weft/ops/create/scalar.h>

namespace weft {

/// Holds `value` at every index of `shape`: `out[i] = value`.
///
/// `shape` is a scalar or list of any integer type. A number becomes an element of `dtype` that
/// equals it, or the nearest floating-point number.
///
/// Throws DtypeError where the type cannot hold the value or the shape's is no integer,
/// ParameterError (bad_rank), OverflowError, ShapeError.
///
/// Group: grow.
/// Cost: free; a single stored element, broadcast to any size.
/// Gradient: none: the value is no tensor.
/// NumPy: `numpy.full`. torch: `torch.full`. ONNX: ConstantOfShape.
[[nodiscard]] Tensor full(const Ints& shape, const Scalar& value, DType dtype);

/// The same of the element's bytes.
[[nodiscard]] Tensor full_of_bytes(const Ints& shape, const void* element, DType dtype);

/// The same of a number as type T, by default the number's own: `full<std::uint8_t>({2}, 300)` is
/// refused, for the number comes as it was given.
template <class T = void, Arithmetic Value>
[[nodiscard]] Tensor full(const Ints& shape, Value value) {
  constexpr DType dtype = dtype_of<std::conditional_t<std::is_void_v<T>, Value, T>>;
  // As bytes where nothing is converted: NaNs keep their bits.
  if constexpr (dtype == dtype_of<Value>) return full_of_bytes(shape, &value, dtype);
  else return full(shape, Scalar(value), dtype);
}

/// The same of an element of any other type.
template <Element T>
requires(!Arithmetic<T>) [[nodiscard]] Tensor full(const Ints& shape, const T& value) {
  return full_of_bytes(shape, &value, dtype_of<T>);
}

}  // namespace weft
