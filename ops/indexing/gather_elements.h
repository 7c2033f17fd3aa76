// SPDX-License-Identifier: Apache-2.0
// gather_elements: an element of its own index for every place (ONNX GatherElements).
#pragma once

#include <string_view>

#include <weft/graph/tensor.h>

namespace weft {

/// Picks along one axis, for every place on the others anew:
/// `out[..., j, ...] = x[..., indices[..., j, ...], ...]`.
///
/// `indices` are of any integer type and of the rank of `x`; their extents beside `axis` are at
/// most those of `x`. Below 0 they count from the end. Indices that are stored are checked here,
/// others when the value is computed.
///
/// Shape: that of `indices`. Throws DtypeError, ParameterError (bad_rank), AxisError, ShapeError,
/// IndexError.
///
/// Group: pick.
/// Cost: a pass of its own, which reads `x` where it lies: slices, flips, transposes and broadcasts
/// below it cost no pass, other movement is stored.
/// Gradient: a sum over the places that each element was taken to.
/// NumPy: `numpy.take_along_axis`. torch: `torch.gather`. ONNX: GatherElements.
[[nodiscard]] Tensor gather_elements(const Tensor& x, const Tensor& indices, const Ints& axis);

extern const Op gather_elements_op;

namespace detail {

/// Refuses indices that are no integers, or not of the rank of `x`, of at least 1 (bad_rank), an
/// axis that is out of range (bad_axis), and extents beside it that are longer than those of `x`
/// (shape_mismatch).
void check_element_indices(std::string_view op, std::string_view operand, const KnownType& x,
                           const KnownType& indices, const Ints& axis);

}  // namespace detail
}  // namespace weft
