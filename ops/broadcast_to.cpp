// broadcast_to: what it refuses, and how a box is pulled back through it.
#include <weft/ops/broadcast_to.h>

#include <fmt/format.h>

#include <weft/graph/box.h>
#include <weft/graph/pull_back.h>

namespace weft {
namespace {

class BroadcastTo final : public Node {
 public:
  BroadcastTo(const Tensor& x, const Shape& shape) : Node(x.dtype(), shape, {x.node_ptr()}) {
    const std::size_t leading = shape.size() - x.rank();
    for (std::size_t axis = 0; axis < x.rank(); ++axis)
      axes_.push_back(x.shape()[axis] == 1 ? replicated
                                           : static_cast<std::int32_t>(axis + leading));
  }

  std::string_view op() const noexcept override { return "broadcast_to"; }
  std::string parameters() const override { return fmt::format("shape={}", to_string(shape())); }

  void pull_back(const Box& box, PullBack& to) const override {
    Box source = box;
    relabel(source, {axes_.data(), axes_.size()});
    to.add(0, std::move(source));
  }

  std::size_t trace(Index& index) const override {
    Index source;
    for (const std::int32_t axis : axes_)
      source.push_back(axis == replicated ? 0 : index[static_cast<std::size_t>(axis)]);
    index = source;
    return 0;
  }

 private:
  SmallVector<std::int32_t, 16> axes_;
};

}  // namespace

Tensor broadcast_to(const Tensor& x, const Ints& shape) {
  check_integer("broadcast_to", "shape", shape);
  check_scalar_or_list("broadcast_to", "shape", shape);
  Shape target;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape.exceeds_int64(i))
      throw OverflowError(
          fmt::format("broadcast_to: an extent in {} is beyond int64", shape.text()));
    target.push_back(shape[i]);
  }
  const auto refuse = [&](const std::string& why) {
    throw ShapeError(fmt::format("broadcast_to: shape {} does not broadcast to {}: {}",
                                 to_string(x.shape()), shape.text(), why));
  };
  for (const std::int64_t extent : target)
    if (extent < 0) refuse(fmt::format("extent {} is negative", extent));
  check_shape("broadcast_to", target, x.dtype());
  if (target.size() < x.rank()) refuse("the rank is lower");
  const std::size_t leading = target.size() - x.rank();
  for (std::size_t axis = 0; axis < x.rank(); ++axis)
    if (x.shape()[axis] != 1 && x.shape()[axis] != target[axis + leading])
      refuse(fmt::format("axis {} has extent {}, expected 1 or {}", axis, x.shape()[axis],
                         target[axis + leading]));
  return make_tensor<BroadcastTo>(x, target);
}

Tensor Tensor::broadcast_to(const Ints& shape) const { return weft::broadcast_to(*this, shape); }

}  // namespace weft
