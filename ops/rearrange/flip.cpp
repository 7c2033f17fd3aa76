// SPDX-License-Identifier: Apache-2.0
// flip: what it refuses, and how a box is pulled back through it.
#include <weft/ops/rearrange/flip.h>

#include <fmt/format.h>

#include <weft/graph/map/box.h>
#include <weft/graph/map/cyclic_map.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/op.h>
#include <weft/graph/structure.h>

namespace weft {
namespace {

class Flip final : public Node {
 public:
  Flip(const Tensor& x, SmallVector<std::size_t, 8> axes)
      : Node(x.dtype(), x.shape(), inputs_of(x)), axes_(std::move(axes)) {}

  std::string_view op() const noexcept override { return "flip"; }

  std::string parameters() const override {
    return fmt::format("axes={}", to_string(Index(axes_.begin(), axes_.end())));
  }

  void pull_back(const Box& box, PullBack& to) const override {
    Box& source = to.add(0, box);
    for (const std::size_t axis : axes_)
      affine(source, static_cast<std::int32_t>(axis), shape()[axis] - 1, -1);
  }

  bool compose(CyclicMap& map) const override {
    for (const std::size_t axis : axes_) map.reversed[axis] = !map.reversed[axis];
    return true;
  }

  bool add_parameters(Structure& to) const override {
    to.add_all(axes_);
    return true;
  }

  std::size_t trace(Index& index) const override {
    for (const std::size_t axis : axes_) index[axis] = shape()[axis] - 1 - index[axis];
    return 0;
  }

 private:
  SmallVector<std::size_t, 8> axes_;
};

}  // namespace

const Op flip_op{"flip",
                 {"x"},
                 {"axes"},
                 call<static_cast<Tensor (*)(const Tensor&, const Ints&)>(weft::flip)>,
                 first_shape};

Tensor flip(const Tensor& x, const Ints& axes) {
  if (is_any_open(flip_op, x, axes)) return defer(flip_op, {{x}, {axes}});
  SmallVector<std::size_t, 8> checked;
  if (axes.is_none()) {
    for (std::size_t axis = 0; axis < x.rank(); ++axis) checked.push_back(axis);
  } else {
    check_integer("flip", "axes", axes);
    check_scalar_or_list("flip", "axes", axes);
    checked = check_unique_axes("flip", axes, x.shape());
  }
  return make_tensor<Flip>(x, std::move(checked));
}

Tensor flip(Tensor&& x, const Ints& axes) {
  Tensor result = flip(x, axes);
  const Tensor given_up = std::move(x);  // not before what may throw
  return result;
}

Tensor Tensor::flip(const Ints& axes) const& { return weft::flip(*this, axes); }

Tensor Tensor::flip(const Ints& axes) && { return weft::flip(std::move(*this), axes); }

}  // namespace weft
