// SPDX-License-Identifier: Apache-2.0
// squeeze: what it refuses, and how a box is pulled back through it.
#include <weft/ops/shape/squeeze.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/graph/op.h>
#include <weft/ops/shape/axis_map.h>

namespace weft {
namespace {

using Dropped = SmallVector<std::size_t, 8>;

bool contains(const Dropped& axes, std::size_t axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

class Squeeze final : public AxisMap {
 public:
  Squeeze(const Tensor& x, const Shape& shape, const Axes& axes, const Dropped& dropped)
      : AxisMap(x, shape, axes), dropped_(dropped) {}

  std::string_view op() const noexcept override { return "squeeze"; }
  std::string parameters() const override {
    return fmt::format("axes={}", to_string(Index(dropped_.begin(), dropped_.end())));
  }
  bool keeps_order() const noexcept override { return true; }

 private:
  Dropped dropped_;
};

/// Of a rank that is known only where it is known which axes go.
PartialShape infer(const Arguments& arguments) {
  const PartialShape x = arguments.operands[0].partial_shape();
  const Ints& axes = arguments.ints(0);
  if (!x.has_rank()) return PartialShape::any();
  const auto may_be_one = [](const Dim& dim) { return !dim.is_known() && dim.contains(1); };
  const bool is_unclear = std::any_of(x.dims().begin(), x.dims().end(), may_be_one);
  const std::int64_t length = known_length(axes);
  if (axes.is_open() && length >= 0 && length <= static_cast<std::int64_t>(x.rank()))
    return PartialShape::of_rank(x.rank() - static_cast<std::size_t>(length));
  if (axes.is_open() || (axes.is_none() && is_unclear)) return PartialShape::any();
  const Shape extents = x.lowest();
  Dropped dropped;
  if (!axes.is_none()) dropped = check_unique_axes("squeeze", axes, extents);
  std::vector<Dim> kept;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    const bool is_one = x[axis].is_known() && x[axis].contains(1);
    if (!(axes.is_none() ? is_one : contains(dropped, axis))) kept.push_back(x[axis]);
  }
  return PartialShape(std::move(kept));
}

}  // namespace

const Op squeeze_op{"squeeze", {"x"}, {"axes"}, call<weft::squeeze>, infer};

Tensor squeeze(const Tensor& x, const Ints& axes) {
  if (is_any_open(squeeze_op, x, axes)) return defer(squeeze_op, {{x}, {axes}});
  Dropped dropped;
  if (axes.is_none()) {
    for (std::size_t axis = 0; axis < x.rank(); ++axis)
      if (x.shape()[axis] == 1) dropped.push_back(axis);
  } else {
    check_integer("squeeze", "axes", axes);
    check_scalar_or_list("squeeze", "axes", axes);
    dropped = check_unique_axes("squeeze", axes, x.shape());
    for (const std::size_t axis : dropped)
      if (x.shape()[axis] != 1)
        throw ShapeError(fmt::format("squeeze: axis {} has extent {}, expected 1 (shape {})", axis,
                                     x.shape()[axis], to_string(x.shape())));
  }
  Shape shape;
  AxisMap::Axes kept;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    const bool is_dropped = contains(dropped, axis);
    kept.push_back(is_dropped ? replicated : static_cast<std::int32_t>(shape.size()));
    if (!is_dropped) shape.push_back(x.shape()[axis]);
  }
  return make_tensor<Squeeze>(x, shape, kept, dropped);
}

Tensor Tensor::squeeze(const Ints& axes) const { return weft::squeeze(*this, axes); }

}  // namespace weft
