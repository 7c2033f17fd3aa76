// SPDX-License-Identifier: Apache-2.0
// stack: tensors of one shape along a new axis.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Joins tensors along a new axis: `out[..., k, ...] = tensors[k][..., ...]`.
///
/// One tensor or more, of one element type and shape. `axis` says where the new one stands in the
/// result.
///
/// Throws DtypeError, ParameterError (length_mismatch, bad_rank), AxisError, OverflowError,
/// ShapeError.
///
/// Group: grow.
/// Cost: free; one cut for each tensor.
/// Gradient: unstack.
/// NumPy: `numpy.stack`. torch: `torch.stack`. ONNX: ConcatFromSequence, with new_axis.
[[nodiscard]] Tensor stack(const Tensors& tensors, const Ints& axis = 0);

extern const Op stack_op;

}  // namespace weft
