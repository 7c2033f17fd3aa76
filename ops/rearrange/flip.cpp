// SPDX-License-Identifier: Apache-2.0
// flip: what it refuses, and how a box is pulled back through it.
#include <weft/ops/rearrange/flip.h>

#include <weft/graph/define.h>
#include <weft/graph/map/box.h>

namespace weft {
namespace {

struct Flip {
  SmallVector<std::size_t, 8> axes;

  static constexpr std::string_view name = "flip";
  static constexpr const Op& op = flip_op;
  static constexpr std::tuple fields{
      operand("x", "what is reversed"),
      parameter("axes", &Flip::axes, "those that are reversed; none: all", none)};

  static KnownType infer(const KnownType& x, const Ints& axes) {
    if (axes.is_none()) return x;
    check_integer(name, "axes", axes);
    check_scalar_or_list(name, "axes", axes);
    if (x.shape.has_rank() && !axes.is_open()) check_unique_axes(name, axes, x.shape);
    return x;
  }

  static Tensor make(TensorType type, const Tensor& x, const Ints& axes) {
    Flip flip;
    if (!axes.is_none()) flip.axes = check_unique_axes(name, axes, type.shape);
    else
      for (std::size_t axis = 0; axis < type.shape.size(); ++axis) flip.axes.push_back(axis);
    return tensor_of(std::move(flip), std::move(type), x);
  }

  void pull_back(const Shape& shape, const Box& box, PullBack& to) const {
    Box& source = to.add(0, box);
    for (const std::size_t axis : axes)
      affine(source, static_cast<std::int32_t>(axis), shape[axis] - 1, -1);
  }

  void compose(const Shape&, CyclicMap& map) const {
    for (const std::size_t axis : axes) map.reversed[axis] = !map.reversed[axis];
  }

  std::size_t trace(const Shape& shape, Index& index) const {
    for (const std::size_t axis : axes) index[axis] = shape[axis] - 1 - index[axis];
    return 0;
  }

  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors&) const {
    return {cotangent.flip(axes)};
  }
};

}  // namespace

constinit const Op flip_op = op_of<Flip>();

Tensor flip(const Tensor& x, const Ints& axes) { return build<Flip>(x, axes); }

Tensor flip(Tensor&& x, const Ints& axes) {
  Tensor result = flip(x, axes);
  const Tensor given_up = std::move(x);  // not before what may throw
  return result;
}

Tensor Tensor::flip(const Ints& axes) const& { return weft::flip(*this, axes); }

Tensor Tensor::flip(const Ints& axes) && { return weft::flip(std::move(*this), axes); }

}  // namespace weft
