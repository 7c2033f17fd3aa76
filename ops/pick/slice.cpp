// SPDX-License-Identifier: Apache-2.0
// slice: what it refuses, and how a box is pulled back through it.
#include <weft/ops/pick/slice.h>

#include <weft/graph/define.h>
#include <weft/graph/map/box.h>
#include <weft/ops/gradient/cotangent.h>
#include <weft/ops/pick/ranges.h>

namespace weft {
namespace {

struct Slice {
  AxisRanges ranges;

  static constexpr std::string_view name = "slice";
  static constexpr const Op& op = slice_op;
  static constexpr std::tuple fields{operand("x", "what is cut"),
                                     parameter("start", "the first position, on each axis"),
                                     parameter("stop", "the end, which is not picked"),
                                     parameter("step", "from one to the next; none: 1", none),
                                     parameter("axes", "those that are cut; none: the first", none),
                                     kept(&Slice::ranges)};

  static KnownType infer(const KnownType& x, const Ints& start, const Ints& stop, const Ints& step,
                         const Ints& axes) {
    if (x.shape.has_rank() && x.shape.rank() == 0)
      throw ParameterError("bad_rank", "slice: x has rank 0, expected at least 1");
    return {x.dtype, picked_extents(name, x.shape, start, stop, step, axes, Scalars::taken)};
  }

  static Tensor make(TensorType type, const Tensor& x, const Ints& start, const Ints& stop,
                     const Ints& step, const Ints& axes) {
    return tensor_of(Slice{resolve_ranges(name, start, stop, step, axes, x.shape())},
                     std::move(type), x);
  }

  void pull_back(const Shape& shape, const Box& box, PullBack& to) const {
    Box& source = to.add(0, box);
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      affine(source, static_cast<std::int32_t>(axis), ranges[axis].start, ranges[axis].step);
  }

  std::size_t trace(const Shape& shape, Index& index) const {
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      index[axis] = ranges[axis].start + ranges[axis].step * index[axis];
    return 0;
  }

  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors& operands) const {
    return {in_zeros(operands[0], cotangent, ranges)};
  }
};

}  // namespace

constinit const Op slice_op = op_of<Slice>();

Tensor slice(const Tensor& x, const Ints& start, const Ints& stop, const Ints& step,
             const Ints& axes) {
  return build<Slice>(x, start, stop, step, axes);
}

Tensor Tensor::slice(const Ints& start, const Ints& stop, const Ints& step,
                     const Ints& axes) const {
  return weft::slice(*this, start, stop, step, axes);
}

}  // namespace weft
