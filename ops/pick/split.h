// SPDX-License-Identifier: Apache-2.0
// split: an axis cut into parts.
#pragma once

#include <vector>

#include <weft/graph/tensor.h>

namespace weft {

/// The most parts that a number may ask for: where they are empty, or the axis is broadcast,
/// nothing else keeps them few.
inline constexpr std::int64_t most_parts = std::int64_t{1} << 20;

/// Cuts an axis into parts, one after another:
/// `out[k][..., i, ...] = x[..., sum(lengths[:k]) + i, ...]`.
///
/// `lengths` is a list of the parts' lengths, which sum to the extent, or a scalar: so many parts
/// of one length, at most most_parts. `axis` is one integer. Both of any integer type; a negative
/// axis counts from the end. The parts of an open tensor are known where it is known how many there
/// are.
///
/// Shape of a part: that of `x` with its length. Throws DtypeError, ParameterError (bad_rank,
/// length_mismatch), AxisError, OverflowError, ShapeError where a length is negative, or the
/// lengths do not make the extent; OpenError where the number of parts is not known.
///
/// Group: pick.
/// Cost: free; never adds a box.
/// Gradient: concat.
/// NumPy: `numpy.split`, by places. torch: `torch.split`, by lengths. ONNX: Split.
[[nodiscard]] Results split(const Tensor& x, const Ints& lengths, const Ints& axis = 0);

/// One of the parts, with its `index` as the last parameter.
extern const Op split_op;

}  // namespace weft
