// SPDX-License-Identifier: Apache-2.0
// permute_dims: what it refuses, and the transpose it is.
#include <weft/ops/shape/permute_dims.h>

#include <fmt/format.h>

#include <weft/graph/op.h>
#include <weft/ops/shape/transpose.h>

namespace weft {
namespace {

/// The axis of x that each axis of the result is.
Index order_of(const Ints& axes, const Shape& shape) {
  if (axes.size() != 0 && axes.size() != shape.size())
    throw ParameterError("length_mismatch",
                         fmt::format("permute_dims: axes {} has {} entries, expected {} (shape {})",
                                     axes.text(), axes.size(), shape.size(), to_string(shape)));
  Index order;
  for (const std::size_t axis : check_unique_axes("permute_dims", axes, shape))
    order.push_back(static_cast<std::int64_t>(axis));
  for (std::size_t axis = shape.size(); axes.size() == 0 && axis-- > 0;)
    order.push_back(static_cast<std::int64_t>(axis));
  return order;
}

/// Permutes what is known of the extents; axes that are not known open all of them.
PartialShape infer(const Arguments& arguments) {
  const PartialShape x = arguments.operands[0].partial_shape();
  const Ints& axes = arguments.ints(0);
  if (!x.has_rank()) {
    const std::int64_t length = known_length(axes);
    return length > 0 ? PartialShape::of_rank(static_cast<std::size_t>(length))
                      : PartialShape::any();
  }
  PartialShape shape = PartialShape::of_rank(x.rank());
  if (axes.is_open()) return shape;
  const Index order = order_of(axes, x.lowest());
  for (std::size_t k = 0; k < x.rank(); ++k) shape[k] = x[static_cast<std::size_t>(order[k])];
  return shape;
}

}  // namespace

const Op permute_dims_op{"permute_dims", {"x"}, {"axes"}, call<weft::permute_dims>, infer};

Tensor permute_dims(const Tensor& x, const Ints& axes) {
  if (is_any_open(permute_dims_op, x, axes)) return defer(permute_dims_op, {{x}, {axes}});
  check_integer("permute_dims", "axes", axes);
  check_list("permute_dims", "axes", axes);
  return transpose(x, order_of(axes, x.shape()));
}

Tensor Tensor::permute_dims(const Ints& axes) const { return weft::permute_dims(*this, axes); }

}  // namespace weft
