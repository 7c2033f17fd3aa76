// SPDX-License-Identifier: Apache-2.0
// transpose: what it refuses, and how a box is pulled back through it.
#include <weft/ops/shape/transpose.h>

#include <fmt/format.h>

#include <weft/graph/map/cyclic_map.h>
#include <weft/graph/op.h>
#include <weft/ops/shape/axis_map.h>

namespace weft {
namespace {

class Transpose final : public AxisMap {
 public:
  Transpose(const Tensor& x, const Shape& shape, const Axes& inverse, const Index& order)
      : AxisMap(x, shape, inverse), order_(order) {}

  std::string_view op() const noexcept override { return "transpose"; }
  std::string parameters() const override { return fmt::format("order={}", to_string(order_)); }

  bool compose(CyclicMap& map) const override {
    const CyclicMap before = map;
    for (std::size_t k = 0; k < rank(); ++k) {
      const std::size_t axis = static_cast<std::size_t>(order_[k]);
      map.axes[axis] = before.axes[k];
      map.shift[axis] = before.shift[k];
      map.reversed[axis] = before.reversed[k];
    }
    return true;
  }

 private:
  Index order_;
};

/// Permutes what is known of the extents; an order that is not known opens all of them.
PartialShape infer(const Arguments& arguments) {
  const PartialShape x = arguments.operands[0].partial_shape();
  const Ints& order = arguments.ints(0);
  const std::int64_t length = known_length(order);
  if (!x.has_rank())
    return length > 0 ? PartialShape::of_rank(static_cast<std::size_t>(length))
                      : PartialShape::any();
  PartialShape shape = PartialShape::of_rank(x.rank());
  if (order.is_open()) return shape;
  for (std::size_t k = 0; k < x.rank(); ++k)
    shape[k] = x[order.size() == 0 ? x.rank() - 1 - k : static_cast<std::size_t>(order[k])];
  return shape;
}

}  // namespace

const Op transpose_op{"transpose", {"x"}, {"order"}, call<weft::transpose>, infer};

Tensor transpose(const Tensor& x, const Ints& order) {
  if (is_any_open(transpose_op, x, order)) return defer(transpose_op, {{x}, {order}});
  if (!order.is_none()) {
    check_integer("transpose", "order", order);
    check_list("transpose", "order", order);
  }
  const std::size_t rank = x.rank();
  if (order.size() != 0 && order.size() != rank)
    throw ParameterError("length_mismatch",
                         fmt::format("transpose: order {} has {} entries, expected {} (shape {})",
                                     order.text(), order.size(), rank, to_string(x.shape())));
  Index axes;
  Shape shape;
  AxisMap::Axes inverse(rank, replicated);
  for (std::size_t k = 0; k < rank; ++k) {
    const std::int64_t axis =
        order.size() == 0 ? static_cast<std::int64_t>(rank - 1 - k) : order[k];
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank) ||
        inverse[static_cast<std::size_t>(axis)] != replicated)
      throw AxisError(
          "not_a_permutation",
          fmt::format("transpose: order {} is not a permutation of 0 to {} (shape {})",
                      order.text(), static_cast<std::int64_t>(rank) - 1, to_string(x.shape())));
    inverse[static_cast<std::size_t>(axis)] = static_cast<std::int32_t>(k);
    axes.push_back(axis);
    shape.push_back(x.shape()[static_cast<std::size_t>(axis)]);
  }
  return make_tensor<Transpose>(x, shape, inverse, axes);
}

Tensor Tensor::transpose(const Ints& order) const { return weft::transpose(*this, order); }

}  // namespace weft
