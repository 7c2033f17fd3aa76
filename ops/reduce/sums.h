// SPDX-License-Identifier: Apache-2.0
// Sums and products of elements.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Adds elements up along axes: `out[i] = sum over j of x[i, j]`.
///
/// `axes` is a scalar or list of any integer type, each axis once; none: all of them, an empty
/// list: none. Those that are reduced go, or stay with extent 1 where `keepdims`.
///
/// Elements are added in an order that follows from shape and axes alone (docs/reduce.md), so that
/// every machine and any number of threads makes the same bits. f16 and bf16 are added as f32 and
/// rounded once; integers wrap.
///
/// Type: i64 of bool and signed integers, u64 of unsigned ones, floating-point numbers their own.
/// Of nothing: 0. Throws DtypeError, ParameterError (bad_rank), AxisError.
///
/// Group: reduce.
/// Cost: one pass over x, where it lies.
/// Gradient: broadcast to the shape of x.
/// NumPy: `numpy.sum`. torch: `torch.sum`. ONNX: ReduceSum.
[[nodiscard]] Tensor sum(const Tensor& x, const Ints& axes = none, bool keepdims = false);

/// A composition: the same of elements cast to `dtype` first, which the result has.
[[nodiscard]] Tensor sum(const Tensor& x, const Ints& axes, bool keepdims, DType dtype);

/// Multiplies elements along axes: `out[i] = product over j of x[i, j]`.
///
/// As sum; of nothing: 1.
///
/// Group: reduce.
/// Cost: one pass over x, where it lies.
/// Gradient: the product of the other elements.
/// NumPy: `numpy.prod`. torch: `torch.prod`. ONNX: ReduceProd.
[[nodiscard]] Tensor prod(const Tensor& x, const Ints& axes = none, bool keepdims = false);

/// A composition: the same of elements cast to `dtype` first, which the result has.
[[nodiscard]] Tensor prod(const Tensor& x, const Ints& axes, bool keepdims, DType dtype);

extern const Op sum_op;
extern const Op prod_op;

}  // namespace weft
