// SPDX-License-Identifier: Apache-2.0
// zeros, ones and their kin: tensors of one value, or nearly. Each costs a stored element or two.
#pragma once

#include <weft/ops/create/full.h>

namespace weft {

/// full() of 0 or 1, of f32 unless another type is told: `zeros({2, 3})`, `zeros({2, 3}, i64)`,
/// `zeros<double>({2, 3})`. A struct has zeros, which are bytes of 0, but no ones (DtypeError).
[[nodiscard]] Tensor zeros(const Ints& shape, DType dtype = f32);
[[nodiscard]] Tensor ones(const Ints& shape, DType dtype = f32);
template <Element T>
[[nodiscard]] Tensor zeros(const Ints& shape) {
  return zeros(shape, dtype_of<T>);
}
template <Element T>
[[nodiscard]] Tensor ones(const Ints& shape) {
  return ones(shape, dtype_of<T>);
}

/// The same of the shape and type of `x`, or of its shape and another type. The value of
/// `full_like` becomes that type (DtypeError where it cannot). `x` is not evaluated; OpenError
/// where its shape depends on a placeholder.
[[nodiscard]] Tensor zeros_like(const Tensor& x);
[[nodiscard]] Tensor zeros_like(const Tensor& x, DType dtype);
[[nodiscard]] Tensor ones_like(const Tensor& x);
[[nodiscard]] Tensor ones_like(const Tensor& x, DType dtype);
[[nodiscard]] Tensor full_like(const Tensor& x, const Scalar& value);
[[nodiscard]] Tensor full_like(const Tensor& x, const Scalar& value, DType dtype);

/// A matrix with ones on the diagonal k (above the middle for k > 0) and zeros elsewhere:
/// `out[i, j] = (j - i == k)`. `columns` none: as many as rows. A few boxes. Throws as full
/// does, and ParameterError where one of the three is no single integer. NumPy:
/// `numpy.eye`, of f32 unless another type is told.
[[nodiscard]] Tensor eye(const Ints& rows, const Ints& columns = none, const Ints& k = 0,
                         DType dtype = f32);
template <Element T>
[[nodiscard]] Tensor eye(const Ints& rows, const Ints& columns = none, const Ints& k = 0) {
  return eye(rows, columns, k, dtype_of<T>);
}

}  // namespace weft
