// SPDX-License-Identifier: Apache-2.0
// unfold: what it refuses, and how a box is pulled back through it.
#include <weft/ops/grow/unfold.h>

#include <fmt/format.h>

#include <weft/graph/map/box.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/op.h>
#include <weft/graph/structure.h>

namespace weft {
namespace {

class Unfold final : public Node {
 public:
  Unfold(const Tensor& x, const Shape& shape, std::size_t axis, std::int64_t step)
      : Node(x.dtype(), shape, inputs_of(x)), axis_(axis), step_(step) {}

  std::string_view op() const noexcept override { return "unfold"; }
  std::string parameters() const override {
    return fmt::format("axis={}, size={}, step={}", axis_, shape().back(), step_);
  }

  void pull_back(const Box& box, PullBack& to) const override {
    const std::int32_t axis = static_cast<std::int32_t>(axis_);
    Box& source = to.add(0, box);
    affine(source, axis, 0, step_);
    undivide(source, axis, 1);
  }

  bool add_parameters(Structure& to) const override {
    to.add(static_cast<std::int64_t>(axis_));
    to.add(step_);
    return true;
  }

  std::size_t trace(Index& index) const override {
    index[axis_] = index[axis_] * step_ + index.back();
    index.pop_back();
    return 0;
  }

 private:
  std::size_t axis_;
  std::int64_t step_;
};

/// How many windows there are, or 0 where int64 does not hold that.
std::int64_t window_count(std::int64_t extent, std::int64_t size, std::int64_t step) {
  const std::int64_t more = (extent - size) / step;
  return more == INT64_MAX ? 0 : more + 1;
}

/// The same of an extent that is known in part; where a window is too long for some, or all, of
/// what it may be, those are refused later.
Dim windows_of(const Dim& extent, std::int64_t size, std::int64_t step) {
  if (size == 1 && step == 1) return extent;
  const auto windows = [&](std::int64_t n) {
    const std::int64_t count = n < size ? 1 : window_count(n, size, step);
    return count == 0 ? Dim::unbounded : count;
  };
  const bool is_bounded = extent.high() != Dim::unbounded;
  return Dim(windows(extent.low()), is_bounded ? windows(extent.high()) : Dim::unbounded);
}

void check_size(const Ints& size, std::size_t at, const PartialShape& shape) {
  if (size[0] < 0 || size[0] > shape[at].high())
    throw ShapeError(
        fmt::format("unfold: size is {}, expected 0 to {}, the extent of axis {} (shape {})",
                    size.text(), shape[at].high(), at, to_string(shape)));
}

PartialShape infer(const Arguments& arguments) {
  const PartialShape x = arguments.operands[0].partial_shape();
  const Ints &axis = arguments.ints(0), &size = arguments.ints(1), &step = arguments.ints(2);
  if (!x.has_rank()) return PartialShape::any();
  const bool is_sized = !size.is_open() && size.size() == 1 && size[0] >= 0;
  std::vector<Dim> dims = axis.is_open() ? std::vector<Dim>(x.rank()) : x.dims();
  if (!axis.is_open()) {
    check_single("unfold", "axis", axis);
    const std::size_t at = check_axis("unfold", axis, 0, x.lowest());
    Dim& dim = dims[at];
    if (is_sized && dim.high() != Dim::unbounded) check_size(size, at, x);
    const bool is_stepped = !step.is_open() && step.size() == 1 && step[0] > 0;
    dim = is_sized && is_stepped ? windows_of(dim, size[0], step[0]) : Dim(1, Dim::unbounded);
  }
  dims.push_back(is_sized ? Dim(size[0]) : Dim());
  return PartialShape(std::move(dims));
}

}  // namespace

const Op unfold_op{"unfold", {"x"}, {"axis", "size", "step"}, call<weft::unfold>, infer};

Tensor unfold(const Tensor& x, const Ints& axis, const Ints& size, const Ints& step) {
  if (is_any_open(unfold_op, x, axis, size, step))
    return defer(unfold_op, {{x}, {axis, size, step}});
  check_single("unfold", "axis", axis);
  const std::int64_t places = check_single("unfold", "size", size);
  const std::int64_t apart = check_single("unfold", "step", step);
  if (apart < 1)
    throw ParameterError("zero_step",
                         fmt::format("unfold: step is {}, expected 1 or more", step.text()));
  const std::size_t at = check_axis("unfold", axis, 0, x.shape());
  const std::int64_t extent = x.shape()[at];
  check_size(size, at, x.partial_shape());
  const std::int64_t windows = window_count(extent, places, apart);
  if (windows == 0)
    throw OverflowError(fmt::format("unfold: axis {} of {} has more windows than int64 holds", at,
                                    to_string(x.shape())));
  Shape shape = x.shape();
  shape[at] = windows;
  shape.push_back(places);
  check_shape("unfold", shape, x.dtype());
  return make_tensor<Unfold>(x, shape, at, windows == 1 ? 1 : apart);
}

Tensor Tensor::unfold(const Ints& axis, const Ints& size, const Ints& step) const {
  return weft::unfold(*this, axis, size, step);
}

}  // namespace weft
