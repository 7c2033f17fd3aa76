// squeeze: what it refuses, and how a box is pulled back through it.
#include <weft/ops/squeeze.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/graph/box.h>
#include <weft/graph/pull_back.h>

namespace weft {
namespace {

using Axes = SmallVector<std::size_t, 8>;

bool contains(const Axes& axes, std::size_t axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

Shape without(const Shape& shape, const Axes& dropped) {
  Shape kept;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (!contains(dropped, axis)) kept.push_back(shape[axis]);
  return kept;
}

class Squeeze final : public Node {
 public:
  Squeeze(const Tensor& x, const Axes& dropped)
      : Node(x.dtype(), without(x.shape(), dropped), {x.node_ptr()}), dropped_(dropped) {
    std::int32_t next = 0;
    for (std::size_t axis = 0; axis < x.rank(); ++axis)
      axes_.push_back(contains(dropped, axis) ? replicated : next++);
  }

  std::string_view op() const noexcept override { return "squeeze"; }
  std::string parameters() const override {
    return fmt::format("axes={}", to_string(Index(dropped_.begin(), dropped_.end())));
  }
  bool keeps_order() const noexcept override { return true; }

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
  Axes dropped_;
  SmallVector<std::int32_t, 16> axes_;
};

}  // namespace

Tensor squeeze(const Tensor& x, const Ints& axes) {
  Axes dropped;
  if (axes.is_none()) {
    for (std::size_t axis = 0; axis < x.rank(); ++axis)
      if (x.shape()[axis] == 1) dropped.push_back(axis);
  } else {
    check_integer("squeeze", "axes", axes);
    check_scalar_or_list("squeeze", "axes", axes);
    dropped = check_unique_axes("squeeze", axes, x.rank(), "shape " + to_string(x.shape()));
    for (const std::size_t axis : dropped)
      if (x.shape()[axis] != 1)
        throw ShapeError(fmt::format("squeeze: axis {} has extent {}, expected 1 (shape {})", axis,
                                     x.shape()[axis], to_string(x.shape())));
  }
  return make_tensor<Squeeze>(x, dropped);
}

Tensor Tensor::squeeze(const Ints& axes) const { return weft::squeeze(*this, axes); }

}  // namespace weft
