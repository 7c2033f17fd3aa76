// SPDX-License-Identifier: Apache-2.0
// Whole numbers of floating-point ones.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Rounds towards minus infinity: `out[i] = floor(x[i])`.
///
/// Of floating-point numbers.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: steps, whose slope is 0.
/// NumPy: `numpy.floor`. torch: `torch.floor`. ONNX: Floor.
[[nodiscard]] Tensor floor(const Tensor& x);
extern const Op floor_op;

/// Rounds towards infinity: `out[i] = ceil(x[i])`.
///
/// Of floating-point numbers.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: steps, whose slope is 0.
/// NumPy: `numpy.ceil`. torch: `torch.ceil`. ONNX: Ceil.
[[nodiscard]] Tensor ceil(const Tensor& x);
extern const Op ceil_op;

/// Rounds to the nearest whole number, halves to the even one: `out[i] = round(x[i])`.
///
/// Of floating-point numbers.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: steps, whose slope is 0.
/// NumPy: `numpy.round`. torch: `torch.round`. ONNX: Round.
[[nodiscard]] Tensor round(const Tensor& x);
extern const Op round_op;

/// Rounds towards 0: `out[i] = trunc(x[i])`.
///
/// Of floating-point numbers.
///
/// Shape: that of x. Throws DtypeError.
///
/// Group: compute.
/// Cost: one pass with all that moves and computes its operands and its result.
/// Gradient: none: steps, whose slope is 0.
/// NumPy: `numpy.trunc`. torch: `torch.trunc`. ONNX: none.
[[nodiscard]] Tensor trunc(const Tensor& x);
extern const Op trunc_op;

}  // namespace weft
