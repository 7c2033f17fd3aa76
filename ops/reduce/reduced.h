// SPDX-License-Identifier: Apache-2.0
// What ops that reduce have in common.
#pragma once

#include <string_view>
#include <tuple>

#include <weft/graph/fields.h>
#include <weft/graph/reduction.h>
#include <weft/graph/tensor.h>
#include <weft/graph/value/extents.h>
#include <weft/ops/elementwise/types.h>

namespace weft {

/// The axes that are reduced: those that are named, each once, or all where none are. Ascending.
Index reduced_axes(std::string_view op, const Ints& axes, const Extents& shape);

/// The shape that is left, where those that are reduced go, or stay with extent 1. Throws
/// DtypeError, ParameterError, AxisError, and ShapeError where nothing would be reduced to an
/// element, unless that makes an `identity`.
Extents reduced_shape(std::string_view op, const Extents& shape, const Ints& axes, bool keepdims,
                      bool has_identity);

/// How many elements are reduced to one, of a shape that is known.
std::int64_t reduced_count(std::string_view op, const Ints& axes, const Shape& shape);

/// What a reducer makes of elements of the type that it computes in, of that shape.
Tensor reduce_by(const Reducer& reducer, const Tensor& x, const Ints& axes, const Shape& shape);

/// Such a result as it broadcasts with what it was made of: with the axes, of extent 1.
Tensor beside_operand(const Tensor& reduced, const Tensor& operand, const Index& axes);

/// The arguments of an op that reduces along axes.
inline constexpr std::tuple reduce_fields{
    operand("x", "what is reduced"),
    parameter("axes", "those that are reduced; none: all of them", none),
    parameter("keepdims", "whether they stay, with extent 1", false)};

/// The type that elements are reduced in: 64 bits of integers, f32 of f16 and bf16.
DType wide_type(DType type);

}  // namespace weft
