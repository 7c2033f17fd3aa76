// SPDX-License-Identifier: Apache-2.0
// roll: what it refuses, and how a box is pulled back through it.
#include <weft/ops/rearrange/roll.h>

#include <fmt/format.h>

#include <weft/graph/map/box.h>
#include <weft/graph/map/cyclic_map.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/op.h>
#include <weft/graph/structure.h>

namespace weft {
namespace {

struct Turn {
  std::int32_t axis;
  std::int64_t shift;  // in (0, extent)
};

class Roll final : public Node {
 public:
  Roll(const Tensor& x, SmallVector<Turn, 4> turns)
      : Node(x.dtype(), x.shape(), inputs_of(x)), turns_(std::move(turns)) {}

  std::string_view op() const noexcept override { return "roll"; }

  std::string parameters() const override {
    Index shift, axes;
    for (const Turn& turn : turns_) {
      shift.push_back(turn.shift);
      axes.push_back(turn.axis);
    }
    return fmt::format("shift={}, axes={}", to_string(shift), to_string(axes));
  }

  void pull_back(const Box& box, PullBack& to) const override {
    Boxes boxes = to.list(), next = to.list();
    boxes.push_back(box);
    for (const Turn& each : turns_) {
      next.clear();
      for (const Box& part : boxes) turn(part, each, next);
      std::swap(boxes, next);
    }
    to.add(0, std::move(boxes));
  }

  bool compose(CyclicMap& map) const override {
    for (const Turn& turn : turns_) {
      const std::size_t axis = static_cast<std::size_t>(turn.axis);
      const std::int64_t extent = shape()[axis];
      const std::int64_t shift = map.reversed[axis] ? extent - turn.shift : turn.shift;
      const std::int64_t left = extent - map.shift[axis];
      map.shift[axis] = shift >= left ? shift - left : shift + map.shift[axis];
    }
    return true;
  }

  bool add_parameters(Structure& to) const override {
    to.add(static_cast<std::int64_t>(turns_.size()));
    for (const Turn& turn : turns_) {
      to.add(turn.axis);
      to.add(turn.shift);
    }
    return true;
  }

  std::size_t trace(Index& index) const override {
    for (const Turn& turn : turns_) {
      const std::size_t axis = static_cast<std::size_t>(turn.axis);
      index[axis] -= turn.shift;
      if (index[axis] < 0) index[axis] += shape()[axis];
    }
    return 0;
  }

 private:
  void turn(const Box& box, const Turn& turn, Boxes& out) const {
    rotate(box, turn.axis, turn.shift, shape()[static_cast<std::size_t>(turn.axis)], out);
  }

  SmallVector<Turn, 4> turns_;
};

void check_type(std::string_view parameter, const Ints& values) {
  if (values.dtype() != i32 && values.dtype() != i64)
    throw DtypeError(
        fmt::format("roll: {} is {}, expected i32 or i64", parameter, values.dtype().name()));
}

}  // namespace

const Op roll_op{"roll",
                 {"x"},
                 {"shift", "axes"},
                 call<static_cast<Tensor (*)(const Tensor&, const Ints&, const Ints&)>(weft::roll)>,
                 first_shape};

Tensor roll(const Tensor& x, const Ints& shift, const Ints& axes) {
  if (is_any_open(roll_op, x, shift, axes)) return defer(roll_op, {{x}, {shift, axes}});
  check_type("shift", shift);
  check_type("axes", axes);
  check_scalar_or_list("roll", "shift", shift);
  check_scalar_or_list("roll", "axes", axes);
  const bool one_for_all = shift.size() == 1;
  if (!one_for_all && (axes.rank() == 0 || shift.size() != axes.size()))
    throw ParameterError(
        "length_mismatch",
        fmt::format(
            "roll: {} shifts {} do not fit axes {}, expected one shift, or a list of as many axes",
            shift.size(), shift.text(), axes.text()));

  Index total(x.rank(), 0);  // each in [0, extent): sums of shifts may pass int64 before the modulo
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t axis = check_axis("roll", axes, i, x.shape());
    const std::int64_t extent = x.shape()[axis];
    if (extent == 0) continue;
    const std::int64_t turned = shift[one_for_all ? 0 : i] % extent;
    const std::int64_t forward = turned < 0 ? turned + extent : turned;
    total[axis] =
        forward >= extent - total[axis] ? forward - (extent - total[axis]) : forward + total[axis];
  }
  SmallVector<Turn, 4> turns;
  for (std::size_t axis = 0; axis < x.rank(); ++axis)
    if (total[axis] != 0) turns.push_back({static_cast<std::int32_t>(axis), total[axis]});
  return make_tensor<Roll>(x, std::move(turns));
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
