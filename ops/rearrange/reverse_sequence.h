// SPDX-License-Identifier: Apache-2.0
// reverse_sequence: the beginning of every sequence reversed (ONNX ReverseSequence).
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Reverses the first `lengths[b]` elements of sequence b and keeps the rest:
/// `out[..., b, ..., s, ...] = x[..., b, ..., s < lengths[b] ? lengths[b] - 1 - s : s, ...]`, b on
/// batch_axis and s on seq_axis.
///
/// `lengths` are a list of any integer type, one for each position of `batch_axis`, from 0 to the
/// extent of `seq_axis`. Lengths that are stored are checked here, others when the value is
/// computed.
///
/// Shape: that of `x`. Throws DtypeError, ParameterError (bad_rank), AxisError, ShapeError,
/// IndexError.
///
/// Group: rearrange.
/// Cost: free; two boxes for each sequence.
/// Gradient: reverse_sequence.
/// NumPy: none. torch: none. ONNX: ReverseSequence.
[[nodiscard]] Tensor reverse_sequence(const Tensor& x, const Tensor& lengths,
                                      const Ints& batch_axis = 0, const Ints& seq_axis = 1);
/// The same with the lengths as a list.
[[nodiscard]] Tensor reverse_sequence(const Tensor& x, const Ints& lengths,
                                      const Ints& batch_axis = 0, const Ints& seq_axis = 1);

extern const Op reverse_sequence_op;

}  // namespace weft
