// SPDX-License-Identifier: Apache-2.0
// Normalisations: elements divided by how large those along some axes are.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Elements less their mean, divided by their standard deviation, scaled and shifted:
/// `out = (x - mean) / sqrt(var + epsilon) * scale + bias`, mean and variance along `axes`.
///
/// `axes` is a scalar or list of any integer type, each axis once. `scale` and `bias` are broadcast
/// to the shape of x. f16 and bf16 are computed as f32 and rounded once.
///
/// Throws DtypeError for what is no floating-point number, ParameterError (bad_rank), AxisError,
/// and ShapeError where scale or bias does not fit, or of nothing.
///
/// Group: reduce.
/// Cost: some rows at a time, which stay in the cache: read once, written once.
/// Gradient: that of its parts.
/// NumPy: none. torch: `torch.nn.functional.layer_norm`. ONNX: LayerNormalization.
[[nodiscard]] Tensor layer_norm(const Tensor& x, const Tensor& scale, const Tensor& bias,
                                const Ints& axes = -1, double epsilon = 1e-05);

/// Elements divided by the root of the mean of their squares, and scaled:
/// `out = x / sqrt(mean of x^2 + epsilon) * scale`.
///
/// As layer_norm.
///
/// Group: reduce.
/// Cost: some rows at a time, which stay in the cache: read once, written once.
/// Gradient: that of its parts.
/// NumPy: none. torch: `torch.nn.functional.rms_norm`. ONNX: RMSNormalization.
[[nodiscard]] Tensor rms_norm(const Tensor& x, const Tensor& scale, const Ints& axes = -1,
                              double epsilon = 1e-05);

extern const Op layer_norm_op;
extern const Op rms_norm_op;

}  // namespace weft
