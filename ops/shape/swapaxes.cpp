// SPDX-License-Identifier: Apache-2.0
// swapaxes: what it refuses, and the transpose it is.
#include <weft/ops/shape/swapaxes.h>

#include <numeric>
#include <utility>

#include <weft/graph/op.h>
#include <weft/ops/shape/transpose.h>

namespace weft {
namespace {

/// Swaps what is known of the extents; axes that are not known open all of them.
PartialShape infer(const Arguments& arguments) {
  PartialShape shape = arguments.operands[0].partial_shape();
  const Ints &axis1 = arguments.ints(0), &axis2 = arguments.ints(1);
  if (!shape.has_rank()) return shape;
  if (is_any_open(axis1, axis2)) return PartialShape::of_rank(shape.rank());
  const Shape extents = shape.lowest();
  std::swap(shape[check_axis("swapaxes", axis1, 0, extents)],
            shape[check_axis("swapaxes", axis2, 0, extents)]);
  return shape;
}

}  // namespace

const Op swapaxes_op{"swapaxes", {"x"}, {"axis1", "axis2"}, call<weft::swapaxes>, infer};

Tensor swapaxes(const Tensor& x, const Ints& axis1, const Ints& axis2) {
  if (is_any_open(swapaxes_op, x, axis1, axis2)) return defer(swapaxes_op, {{x}, {axis1, axis2}});
  check_singles("swapaxes", {{"axis1", axis1}, {"axis2", axis2}});
  const std::size_t first = check_axis("swapaxes", axis1, 0, x.shape());
  const std::size_t second = check_axis("swapaxes", axis2, 0, x.shape());
  Index order(x.rank());
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[first], order[second]);
  return transpose(x, order);
}

Tensor Tensor::swapaxes(const Ints& axis1, const Ints& axis2) const {
  return weft::swapaxes(*this, axis1, axis2);
}

}  // namespace weft
