// SPDX-License-Identifier: Apache-2.0
// What ops that multiply matrices have in common.
#pragma once

#include <string>
#include <string_view>

#include <weft/graph/tensor.h>
#include <weft/graph/value/extents.h>

namespace weft {

/// The type of products of elements of those types. Throws DtypeError.
DType product_type(std::string_view op, DType x, DType y);

/// The matrices [batch..., rows, columns], of that type, which [batch..., rows, inner] times
/// [batch..., inner, columns] are, in the name of `op`. `told` is what it says of itself.
Tensor multiply_matrices(std::string_view op, DType type, const Tensor& x, const Tensor& y,
                         const std::string& told = {});

/// Sums of products along the last axis of two tensors of one shape.
Tensor multiply_rows(DType type, const Tensor& x, const Tensor& y);

/// x read as that shape, or x.
Tensor read_as(const Tensor& x, const Shape& shape);

/// Extents that have to be equal. Throws ShapeError: "matmul: 4 columns meet 5 rows ([3, 4] and
/// [5, 6])".
void check_meet(std::string_view op, const KnownType& x, std::size_t x_axis, std::string_view own,
                const KnownType& y, std::size_t y_axis, std::string_view other);

}  // namespace weft
