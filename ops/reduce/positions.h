// SPDX-License-Identifier: Apache-2.0
// Where along axes the extremes are.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Where the smallest element along an axis is, the first of several:
/// `out[i] = first j with x[i, j] = min`.
///
/// `axis` is a scalar of any integer type; none: all elements in row-major order. It goes, or stays
/// with extent 1 where `keepdims`. The first NaN, if there is one. Of a bool false is smaller.
///
/// Type: i64. Throws DtypeError for complex numbers and structs, ParameterError (bad_rank),
/// AxisError, and ShapeError of nothing.
///
/// Group: reduce.
/// Cost: min, and a second look at x.
/// Gradient: none: positions.
/// NumPy: `numpy.argmin`. torch: `torch.argmin`. ONNX: ArgMin.
[[nodiscard]] Tensor argmin(const Tensor& x, const Ints& axis = none, bool keepdims = false);

/// Where the largest element along an axis is: `out[i] = first j with x[i, j] = max`.
///
/// As argmin.
///
/// Group: reduce.
/// Cost: max, and a second look at x.
/// Gradient: none: positions.
/// NumPy: `numpy.argmax`. torch: `torch.argmax`. ONNX: ArgMax.
[[nodiscard]] Tensor argmax(const Tensor& x, const Ints& axis = none, bool keepdims = false);

extern const Op argmin_op;
extern const Op argmax_op;

}  // namespace weft
