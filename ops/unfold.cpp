// unfold: what it refuses, and how a box is pulled back through it.
#include <weft/ops/unfold.h>

#include <fmt/format.h>

#include <weft/graph/box.h>
#include <weft/graph/op.h>
#include <weft/graph/pull_back.h>
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

PartialShape infer(const Arguments& arguments) {
  const PartialShape x = arguments.operands[0].partial_shape();
  const Ints &axis = arguments.ints(0), &size = arguments.ints(1);
  if (!x.has_rank()) return PartialShape::any();
  std::vector<Dim> dims = axis.is_open() ? std::vector<Dim>(x.rank()) : x.dims();
  if (!axis.is_open()) dims[check_axis("unfold", axis, 0, x.lowest())] = Dim();
  const bool is_sized = !size.is_open() && size.size() == 1 && size[0] >= 0;
  dims.push_back(is_sized ? Dim(size[0]) : Dim());
  return PartialShape(std::move(dims));
}

}  // namespace

const Op unfold_op{"unfold", {"x"}, {"axis", "size", "step"}, call<weft::unfold>, infer};

Tensor unfold(const Tensor& x, const Ints& axis, const Ints& size, const Ints& step) {
  if (is_any_open(x, axis, size, step)) return defer(unfold_op, {{x}, {axis, size, step}});
  check_single("unfold", "axis", axis);
  const std::int64_t places = check_single("unfold", "size", size);
  const std::int64_t apart = check_single("unfold", "step", step);
  if (apart < 1)
    throw ParameterError("zero_step",
                         fmt::format("unfold: step is {}, expected 1 or more", step.text()));
  const std::size_t at = check_axis("unfold", axis, 0, x.shape());
  const std::int64_t extent = x.shape()[at];
  if (places < 0 || places > extent)
    throw ShapeError(
        fmt::format("unfold: size is {}, expected 0 to {}, the extent of axis {} "
                    "(shape {})",
                    size.text(), extent, at, to_string(x.shape())));
  const std::int64_t windows = (extent - places) / apart + 1;
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
