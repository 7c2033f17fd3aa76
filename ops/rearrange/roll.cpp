// SPDX-License-Identifier: Apache-2.0
// roll: what it refuses, and how a box is pulled back through it.
#include <weft/ops/rearrange/roll.h>

#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/graph/map/box.h>

namespace weft {
namespace {

void check_type(std::string_view parameter, const Ints& values) {
  if (values.dtype() != i32 && values.dtype() != i64)
    throw DtypeError(
        fmt::format("roll: {} is {}, expected i32 or i64", parameter, values.dtype().name()));
}

struct Roll {
  Index shift, axes;  // each axis once, ascending; each shift in (0, extent)

  static constexpr std::string_view name = "roll";
  static constexpr const Op& op = roll_op;
  static constexpr std::tuple fields{
      operand("x", "what is turned"),
      parameter("shift", &Roll::shift, "places to move by: one for all axes, or one for each"),
      parameter("axes", &Roll::axes, "axes to turn; one named twice turns by the sum")};

  static KnownType infer(const KnownType& x, const Ints& shift, const Ints& axes) {
    check_type("shift", shift);
    check_type("axes", axes);
    check_scalar_or_list(name, "shift", shift);
    check_scalar_or_list(name, "axes", axes);
    const std::int64_t shifts = known_length(shift), named = known_length(axes);
    if (shifts >= 0 && shifts != 1 && (axes.rank() == 0 || (named >= 0 && shifts != named)))
      throw ParameterError("length_mismatch",
                           fmt::format("roll: {} shifts {} do not fit axes {}, expected one shift, "
                                       "or a list of as many axes",
                                       shifts, shift.text(), axes.text()));
    if (x.shape.has_rank() && !axes.is_open())
      for (std::size_t i = 0; i < axes.size(); ++i) check_axis(name, axes, i, x.shape);
    return x;
  }

  static Tensor make(TensorType type, const Tensor& x, const Ints& shift, const Ints& axes) {
    const Shape& shape = type.shape;
    Index total(shape.size(), 0);  // each in [0, extent): sums may pass int64 before the modulo
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const std::size_t axis = check_axis(name, axes, i, shape);
      const std::int64_t extent = shape[axis];
      if (extent == 0) continue;
      const std::int64_t turned = shift[shift.size() == 1 ? 0 : i] % extent;
      const std::int64_t forward = turned < 0 ? turned + extent : turned;
      const std::int64_t left = extent - total[axis];
      total[axis] = forward >= left ? forward - left : forward + total[axis];
    }
    Roll roll;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      if (total[axis] == 0) continue;
      roll.shift.push_back(total[axis]);
      roll.axes.push_back(static_cast<std::int64_t>(axis));
    }
    return tensor_of(std::move(roll), std::move(type), x);
  }

  void pull_back(const Shape& shape, const Box& box, PullBack& to) const {
    Boxes boxes = to.list(), next = to.list();
    boxes.push_back(box);
    for (std::size_t k = 0; k < axes.size(); ++k) {
      next.clear();
      const std::int64_t extent = shape[static_cast<std::size_t>(axes[k])];
      for (const Box& part : boxes)
        rotate(part, static_cast<std::int32_t>(axes[k]), shift[k], extent, next);
      std::swap(boxes, next);
    }
    to.add(0, std::move(boxes));
  }

  void compose(const Shape& shape, CyclicMap& map) const {
    for (std::size_t k = 0; k < axes.size(); ++k) {
      const std::size_t axis = static_cast<std::size_t>(axes[k]);
      const std::int64_t by = map.reversed[axis] ? shape[axis] - shift[k] : shift[k];
      const std::int64_t left = shape[axis] - map.shift[axis];
      map.shift[axis] = by >= left ? by - left : by + map.shift[axis];
    }
  }

  std::size_t trace(const Shape& shape, Index& index) const {
    for (std::size_t k = 0; k < axes.size(); ++k) {
      const std::size_t axis = static_cast<std::size_t>(axes[k]);
      index[axis] -= shift[k];
      if (index[axis] < 0) index[axis] += shape[axis];
    }
    return 0;
  }

  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors&) const {
    Index back = shift;
    for (std::int64_t& by : back) by = -by;
    return {cotangent.roll(back, axes)};
  }
};

}  // namespace

constinit const Op roll_op = op_of<Roll>();

Tensor roll(const Tensor& x, const Ints& shift, const Ints& axes) {
  return build<Roll>(x, shift, axes);
}

Tensor roll(Tensor&& x, const Ints& shift, const Ints& axes) {
  Tensor result = roll(x, shift, axes);
  const Tensor given_up = std::move(x);  // not before what may throw
  return result;
}

Tensor Tensor::roll(const Ints& shift, const Ints& axes) const& {
  return weft::roll(*this, shift, axes);
}

Tensor Tensor::roll(const Ints& shift, const Ints& axes) && {
  return weft::roll(std::move(*this), shift, axes);
}

}  // namespace weft
