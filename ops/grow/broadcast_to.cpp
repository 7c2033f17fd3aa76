// SPDX-License-Identifier: Apache-2.0
// broadcast_to: what it refuses, and how a box is pulled back through it.
#include <weft/ops/grow/broadcast_to.h>

#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/ops/shape/axis_map.h>

namespace weft {
namespace {

struct BroadcastTo {
  AxisMap map;

  static constexpr std::string_view name = "broadcast_to";
  static constexpr const Op& op = broadcast_to_op;
  static constexpr std::tuple fields{operand("x", "what is repeated"),
                                     parameter("shape", result_shape, "that of the result"),
                                     hidden(&BroadcastTo::map)};

  static KnownType infer(const KnownType& x, const Ints& shape) {
    const Extents target = known_extents(name, shape);
    const auto refuse = [&](const std::string& why) {
      throw ShapeError(fmt::format("broadcast_to: shape {} does not broadcast to {}: {}",
                                   to_string(x.shape), shape.text(), why));
    };
    if (target.has_rank()) check_shape(name, target.lowest(), x.dtype);
    if (!target.has_rank() || !x.shape.has_rank()) return {x.dtype, target};
    if (target.rank() < x.shape.rank()) refuse("the rank is lower");
    const std::size_t leading = target.rank() - x.shape.rank();
    for (std::size_t axis = 0; axis < x.shape.rank(); ++axis) {
      const Extent &own = x.shape[axis], &asked = target[axis + leading];
      if (own.contains(1) || (own.low <= asked.high && asked.low <= own.high)) continue;
      refuse(fmt::format("axis {} has extent {}, expected {}{}", axis, to_string(own),
                         asked.is(1) ? "" : "1 or ", to_string(asked)));
    }
    return {x.dtype, target};
  }

  static Tensor make(TensorType type, const Tensor& x, const Ints&) {
    BroadcastTo to;
    const std::size_t leading = type.shape.size() - x.rank();
    for (std::size_t axis = 0; axis < x.rank(); ++axis)
      to.map.axes.push_back(x.shape()[axis] == 1 ? replicated
                                                 : static_cast<std::int32_t>(axis + leading));
    return tensor_of(std::move(to), std::move(type), x);
  }

  void pull_back(const Shape&, const Box& box, PullBack& to) const { map.pull_back(box, to); }
  std::size_t trace(const Shape&, Index& index) const { return map.trace(index); }

  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors& operands) const {
    return {sum_to(cotangent, operands[0].shape())};
  }
};

}  // namespace

Tensor sum_to(const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  const std::size_t leading = x.rank() - shape.size();
  Index axes;
  for (std::size_t axis = 0; axis < x.rank(); ++axis)
    if (axis < leading || shape[axis - leading] != x.shape()[axis])
      axes.push_back(static_cast<std::int64_t>(axis));
  return x.sum(axes).astype(x.dtype()).reshape(shape);
}

constinit const Op broadcast_to_op = op_of<BroadcastTo>();

Tensor broadcast_to(const Tensor& x, const Ints& shape) { return build<BroadcastTo>(x, shape); }

Tensor Tensor::broadcast_to(const Ints& shape) const { return weft::broadcast_to(*this, shape); }

}  // namespace weft
