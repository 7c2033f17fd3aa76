// SPDX-License-Identifier: Apache-2.0
// repeat: every element several times (numpy.repeat).
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// Repeats each position of one axis: `out[..., i, ...] = x[..., i / repeats, ...]` for one number;
/// for a list, position j comes `repeats[j]` times.
///
/// `repeats` is of any integer type, one number or one for each position, none below 0. `axis`
/// none: `x` is read flat.
///
/// Throws DtypeError, AxisError, ParameterError (bad_rank, negative_repeats), ShapeError,
/// OverflowError.
///
/// Group: grow.
/// Cost: free; as take where there is a list.
/// Gradient: a sum over the repeats.
/// NumPy: `numpy.repeat`. torch: `torch.repeat_interleave`. ONNX: none.
[[nodiscard]] Tensor repeat(const Tensor& x, const Ints& repeats, const Ints& axis = none);

extern const Op repeat_op;

}  // namespace weft
