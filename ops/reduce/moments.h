// SPDX-License-Identifier: Apache-2.0
// Means, variances and standard deviations.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// The mean along axes: `out[i] = (sum over j of x[i, j]) / n`.
///
/// `axes` is a scalar or list of any integer type, each axis once; none: all of them, an empty
/// list: none. Those that are reduced go, or stay with extent 1 where `keepdims`. f16 and bf16 are
/// computed as f32 and rounded once.
///
/// Throws DtypeError for what is no floating-point number, ParameterError (bad_rank), AxisError,
/// and ShapeError of nothing.
///
/// Group: reduce.
/// Cost: as sum.
/// Gradient: broadcast to the shape of x, divided by n.
/// NumPy: `numpy.mean`. torch: `torch.mean`. ONNX: ReduceMean.
[[nodiscard]] Tensor mean(const Tensor& x, const Ints& axes = none, bool keepdims = false);

/// The variance along axes: `out[i] = (sum over j of (x[i, j] - mean[i])^2) / (n - correction)`.
///
/// As mean. A correction of 1 makes it that of a sample; n - correction below 0 is taken as 0.
///
/// Group: reduce.
/// Cost: two passes over x.
/// Gradient: 2 * (x - mean) / (n - correction).
/// NumPy: `numpy.var`. torch: `torch.var`. ONNX: none.
[[nodiscard]] Tensor var(const Tensor& x, const Ints& axes = none, double correction = 0,
                         bool keepdims = false);

/// The standard deviation along axes: `out[i] = sqrt(var[i])`.
///
/// As var.
///
/// Group: reduce.
/// Cost: as var.
/// Gradient: (x - mean) / ((n - correction) * std).
/// NumPy: `numpy.std`. torch: `torch.std`. ONNX: none.
[[nodiscard]] Tensor std(const Tensor& x, const Ints& axes = none, double correction = 0,
                         bool keepdims = false);

extern const Op mean_op;
extern const Op var_op;
extern const Op std_op;

}  // namespace weft
