// SPDX-License-Identifier: Apache-2.0
// concat: tensors one after another along an axis.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Joins tensors along one axis: `out[..., sum(n[:k]) + i, ...] = tensors[k][..., i, ...]`, where n
/// are their extents on it.
///
/// One tensor or more, of one element type and of shapes that differ on `axis` alone.
///
/// Throws DtypeError, ParameterError (length_mismatch, bad_rank), AxisError, OverflowError,
/// ShapeError.
///
/// Group: grow.
/// Cost: free; one cut for each tensor.
/// Gradient: split.
/// NumPy: `numpy.concatenate`. torch: `torch.cat`. ONNX: Concat.
[[nodiscard]] Tensor concat(const Tensors& tensors, const Ints& axis = 0);

extern const Op concat_op;

}  // namespace weft
