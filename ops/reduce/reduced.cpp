// SPDX-License-Identifier: Apache-2.0
// What ops that reduce have in common: which axes go, and the node that is made.
#include <weft/ops/reduce/reduced.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/ops/shape/permute_dims.h>
#include <weft/ops/shape/reshape.h>

namespace weft {
namespace {

bool is_among(const Index& axes, std::size_t axis) {
  return std::binary_search(axes.begin(), axes.end(), static_cast<std::int64_t>(axis));
}

}  // namespace

Index reduced_axes(std::string_view op, const Ints& axes, const Extents& shape) {
  Index reduced;
  if (axes.is_none()) {
    for (std::size_t axis = 0; axis < shape.rank(); ++axis)
      reduced.push_back(static_cast<std::int64_t>(axis));
    return reduced;
  }
  for (const std::size_t axis : check_unique_axes(op, axes, shape))
    reduced.push_back(static_cast<std::int64_t>(axis));
  std::sort(reduced.begin(), reduced.end());
  return reduced;
}

Extents reduced_shape(std::string_view op, const Extents& shape, const Ints& axes, bool keepdims,
                      bool has_identity) {
  if (!axes.is_none()) {
    check_integer(op, "axes", axes);
    check_scalar_or_list(op, "axes", axes);
  }
  const auto rank = static_cast<std::int64_t>(shape.rank());
  if (!shape.has_rank()) return axes.is_none() && !keepdims ? Extents(Shape()) : Extents::any();
  if (axes.is_open()) {
    if (keepdims) return Extents::of_rank(shape.rank());
    const std::int64_t length = known_length(axes);
    return length >= 0 && length <= rank ? Extents::of_rank(static_cast<std::size_t>(rank - length))
                                         : Extents::any();
  }
  const Index reduced = reduced_axes(op, axes, shape);
  Extents left{Shape()};
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    const bool goes = is_among(reduced, axis);
    if (goes && shape[axis].is(0) && !has_identity)
      throw ShapeError(
          fmt::format("{}: axis {} has extent 0, expected 1 or more: there is no {} of "
                      "nothing (shape {})",
                      op, axis, op, to_string(shape)));
    if (!goes) left.push_back(shape[axis]);
    else if (keepdims) left.push_back(1);
  }
  return left;
}

std::int64_t reduced_count(std::string_view op, const Ints& axes, const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t axis : reduced_axes(op, axes, Extents(shape)))
    count *= shape[static_cast<std::size_t>(axis)];
  return count;
}

Tensor reduce_by(const Reducer& reducer, const Tensor& x, const Ints& axes, const Shape& shape) {
  Index reduced = reduced_axes(reducer.op, axes, Extents(x.shape()));
  Tensor operand = x;
  if (!reduced.empty() &&
      reduced.back() - reduced.front() + 1 != static_cast<std::int64_t>(reduced.size())) {
    // Those that are reduced follow one another in front of what lies within them.
    std::vector<std::int64_t> order;
    const auto last = static_cast<std::size_t>(reduced.back());
    for (std::size_t axis = 0; axis < last; ++axis)
      if (!is_among(reduced, axis)) order.push_back(static_cast<std::int64_t>(axis));
    const std::size_t first = order.size();
    order.insert(order.end(), reduced.begin(), reduced.end());
    for (std::size_t axis = last + 1; axis < x.rank(); ++axis)
      order.push_back(static_cast<std::int64_t>(axis));
    operand = permute_dims(x, order);
    for (std::size_t k = 0; k < reduced.size(); ++k)
      reduced[k] = static_cast<std::int64_t>(first + k);
  }
  NodeInputs inputs(1);
  inputs.add(operand.node_ptr());
  return make_tensor<NodeOf<Reduction>>(TensorType{x.dtype(), shape}, std::move(inputs), reducer,
                                        operand.shape(), std::move(reduced));
}

Tensor beside_operand(const Tensor& reduced, const Tensor& operand, const Index& axes) {
  Shape shape = operand.shape();
  for (const std::int64_t axis : axes) shape[static_cast<std::size_t>(axis)] = 1;
  return reduced.reshape(shape);
}

DType wide_type(DType type) {
  if (type == f16 || type == bf16) return f32;
  if (type == u8 || type == u16 || type == u32) return u64;
  return type == bool_ || type.is_integer() ? type == u64 ? u64 : i64 : type;
}

}  // namespace weft
