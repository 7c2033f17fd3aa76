// SPDX-License-Identifier: Apache-2.0
// broadcast_to: what it refuses, and how a box is pulled back through it.
#include <weft/ops/grow/broadcast_to.h>

#include <fmt/format.h>

#include <weft/graph/op.h>
#include <weft/ops/shape/axis_map.h>

namespace weft {
namespace {

class BroadcastTo final : public AxisMap {
 public:
  using AxisMap::AxisMap;
  std::string_view op() const noexcept override { return "broadcast_to"; }
  std::string parameters() const override { return fmt::format("shape={}", to_string(shape())); }
};

PartialShape infer(const Arguments& arguments) {
  const Ints& asked = arguments.ints(0);
  if (!asked.is_open()) return check_extents("broadcast_to", asked);
  const std::int64_t length = known_length(asked);
  return length < 0 ? PartialShape::any() : PartialShape::of_rank(static_cast<std::size_t>(length));
}

}  // namespace

const Op broadcast_to_op{"broadcast_to", {"x"}, {"shape"}, call<weft::broadcast_to>, infer};

Tensor broadcast_to(const Tensor& x, const Ints& shape) {
  if (is_any_open(broadcast_to_op, x, shape)) return defer(broadcast_to_op, {{x}, {shape}});
  const Shape target = check_extents("broadcast_to", shape);
  const auto refuse = [&](const std::string& why) {
    throw ShapeError(fmt::format("broadcast_to: shape {} does not broadcast to {}: {}",
                                 to_string(x.shape()), shape.text(), why));
  };
  check_shape("broadcast_to", target, x.dtype());
  if (target.size() < x.rank()) refuse("the rank is lower");
  const std::size_t leading = target.size() - x.rank();
  AxisMap::Axes axes;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (x.shape()[axis] != 1 && x.shape()[axis] != target[axis + leading])
      refuse(fmt::format("axis {} has extent {}, expected {}{}", axis, x.shape()[axis],
                         target[axis + leading] == 1 ? "" : "1 or ", target[axis + leading]));
    axes.push_back(x.shape()[axis] == 1 ? replicated : static_cast<std::int32_t>(axis + leading));
  }
  return make_tensor<BroadcastTo>(x, target, axes);
}

Tensor Tensor::broadcast_to(const Ints& shape) const { return weft::broadcast_to(*this, shape); }

}  // namespace weft
