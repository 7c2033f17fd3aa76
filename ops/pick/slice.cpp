// SPDX-License-Identifier: Apache-2.0
// slice: what it refuses, and how a box is pulled back through it.
#include <weft/ops/pick/slice.h>

#include <weft/graph/map/box.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/op.h>
#include <weft/graph/structure.h>
#include <weft/ops/pick/ranges.h>

namespace weft {
namespace {

class Slice final : public Node {
 public:
  Slice(const Tensor& x, AxisRanges ranges)
      : Node(x.dtype(), picked_shape(ranges), inputs_of(x)), ranges_(std::move(ranges)) {}

  std::string_view op() const noexcept override { return "slice"; }
  std::string parameters() const override { return to_string(ranges_); }

  void pull_back(const Box& box, PullBack& to) const override {
    Box& source = to.add(0, box);
    for (std::size_t axis = 0; axis < rank(); ++axis)
      affine(source, static_cast<std::int32_t>(axis), ranges_[axis].start, ranges_[axis].step);
  }

  bool add_parameters(Structure& to) const override {
    add_ranges(ranges_, to);
    return true;
  }

  std::size_t trace(Index& index) const override {
    for (std::size_t axis = 0; axis < rank(); ++axis)
      index[axis] = ranges_[axis].start + ranges_[axis].step * index[axis];
    return 0;
  }

 private:
  AxisRanges ranges_;
};

PartialShape infer(const Arguments& arguments) {
  return picked_shape("slice", arguments.operands[0].partial_shape(), arguments, Scalars::taken);
}

}  // namespace

const Op slice_op{"slice", {"x"}, {"start", "stop", "step", "axes"}, call<weft::slice>, infer};

Tensor slice(const Tensor& x, const Ints& start, const Ints& stop, const Ints& step,
             const Ints& axes) {
  if (is_any_open(slice_op, x, start, stop, step, axes))
    return defer(slice_op, {{x}, {start, stop, step, axes}});
  if (x.rank() == 0) throw ParameterError("bad_rank", "slice: x has rank 0, expected at least 1");
  return make_tensor<Slice>(
      x, resolve_ranges("slice", start, stop, step, axes, x.shape(), Scalars::taken));
}

Tensor Tensor::slice(const Ints& start, const Ints& stop, const Ints& step,
                     const Ints& axes) const {
  return weft::slice(*this, start, stop, step, axes);
}

}  // namespace weft
