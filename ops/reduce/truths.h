// SPDX-License-Identifier: Apache-2.0
// Whether elements are true, and how many are.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Whether some element along axes is true, which every one is but 0, NaN too:
/// `out[i] = x[i, j] != 0 for some j`.
///
/// `axes` is a scalar or list of any integer type, each axis once; none: all of them, an empty
/// list: none. Those that are reduced go, or stay with extent 1 where `keepdims`.
///
/// Type: bool. Of nothing: false. Throws DtypeError, ParameterError (bad_rank), AxisError.
///
/// Group: reduce.
/// Cost: one pass over x, where it lies.
/// Gradient: none: no floating-point numbers.
/// NumPy: `numpy.any`. torch: `torch.any`. ONNX: none.
[[nodiscard]] Tensor any(const Tensor& x, const Ints& axes = none, bool keepdims = false);

/// Whether all elements along axes are true: `out[i] = x[i, j] != 0 for all j`.
///
/// As any; of nothing: true.
///
/// Group: reduce.
/// Cost: one pass over x, where it lies.
/// Gradient: none: no floating-point numbers.
/// NumPy: `numpy.all`. torch: `torch.all`. ONNX: none.
[[nodiscard]] Tensor all(const Tensor& x, const Ints& axes = none, bool keepdims = false);

/// How many elements along axes are true: `out[i] = number of j with x[i, j] != 0`.
///
/// As any, but an i64; of nothing: 0.
///
/// Group: reduce.
/// Cost: one pass over x, where it lies.
/// Gradient: none: no floating-point numbers.
/// NumPy: `numpy.count_nonzero`. torch: `torch.count_nonzero`. ONNX: none.
[[nodiscard]] Tensor count_nonzero(const Tensor& x, const Ints& axes = none, bool keepdims = false);

extern const Op any_op;
extern const Op all_op;
extern const Op count_nonzero_op;

}  // namespace weft
