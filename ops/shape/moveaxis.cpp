// SPDX-License-Identifier: Apache-2.0
// moveaxis: what it refuses, and the transpose it is.
#include <weft/ops/shape/moveaxis.h>

#include <fmt/format.h>

#include <weft/graph/op.h>
#include <weft/ops/shape/transpose.h>

namespace weft {
namespace {

/// The axis of x that each axis of the result is.
Index order_of(const Ints& source, const Ints& destination, const Shape& shape) {
  if (source.size() != destination.size())
    throw ParameterError(
        "length_mismatch",
        fmt::format("moveaxis: destination {} has {} entries, expected {} as "
                    "source {}",
                    destination.text(), destination.size(), source.size(), source.text()));
  for (const Ints* axes : {&source, &destination})
    for (std::size_t i = 0; i < axes->size(); ++i) check_axis("moveaxis", *axes, i, shape);
  const auto from = check_unique_axes("moveaxis", source, shape);
  const auto to = check_unique_axes("moveaxis", destination, shape);
  constexpr std::int64_t vacant = -1;
  Index order(shape.size(), vacant);
  SmallVector<bool, 16> is_moved(shape.size(), false);
  for (std::size_t i = 0; i < from.size(); ++i) {
    order[to[i]] = static_cast<std::int64_t>(from[i]);
    is_moved[from[i]] = true;
  }
  std::size_t next = 0;
  for (std::int64_t& axis : order) {
    if (axis != vacant) continue;
    while (is_moved[next]) ++next;
    axis = static_cast<std::int64_t>(next++);
  }
  return order;
}

/// Axes that are not known open all extents.
PartialShape infer(const Arguments& arguments) {
  const PartialShape x = arguments.operands[0].partial_shape();
  const Ints &source = arguments.ints(0), &destination = arguments.ints(1);
  if (!x.has_rank()) return PartialShape::any();
  PartialShape shape = PartialShape::of_rank(x.rank());
  if (is_any_open(source, destination)) return shape;
  const Index order = order_of(source, destination, x.lowest());
  for (std::size_t k = 0; k < x.rank(); ++k) shape[k] = x[static_cast<std::size_t>(order[k])];
  return shape;
}

}  // namespace

const Op moveaxis_op{"moveaxis", {"x"}, {"source", "destination"}, call<weft::moveaxis>, infer};

Tensor moveaxis(const Tensor& x, const Ints& source, const Ints& destination) {
  if (is_any_open(moveaxis_op, x, source, destination))
    return defer(moveaxis_op, {{x}, {source, destination}});
  check_integer("moveaxis", "source", source);
  check_integer("moveaxis", "destination", destination);
  check_scalar_or_list("moveaxis", "source", source);
  check_scalar_or_list("moveaxis", "destination", destination);
  return transpose(x, order_of(source, destination, x.shape()));
}

Tensor Tensor::moveaxis(const Ints& source, const Ints& destination) const {
  return weft::moveaxis(*this, source, destination);
}

}  // namespace weft
