// SPDX-License-Identifier: Apache-2.0
// squeeze: what it refuses, and how a box is pulled back through it.
#include <weft/ops/shape/squeeze.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/ops/shape/axis_map.h>

namespace weft {
namespace {

struct Squeeze {
  using Axes = SmallVector<std::size_t, 8>;
  Axes axes;  // that are dropped
  AxisMap map;

  static constexpr std::string_view name = "squeeze";
  static constexpr const Op& op = squeeze_op;
  static constexpr bool keeps_order = true;
  static constexpr std::tuple fields{
      operand("x", "what loses axes"),
      parameter("axes", &Squeeze::axes, "those to drop, of extent 1; none: all of them", none),
      derived(&Squeeze::map)};

  /// Of a rank that is known only where it is known which axes go.
  static KnownType infer(const KnownType& x, const Ints& axes) {
    if (!axes.is_none()) {
      check_integer(name, "axes", axes);
      check_scalar_or_list(name, "axes", axes);
    }
    const std::int64_t rank = static_cast<std::int64_t>(x.shape.rank());
    const std::int64_t length = known_length(axes);
    bool is_unclear = false;
    for (std::size_t axis = 0; axis < x.shape.rank(); ++axis)
      is_unclear |= !x.shape[axis].is_known() && x.shape[axis].contains(1);
    if (!x.shape.has_rank() || (axes.is_none() && is_unclear)) return {x.dtype, Extents::any()};
    if (axes.is_open())
      return {x.dtype, length >= 0 && length <= rank
                           ? Extents::of_rank(static_cast<std::size_t>(rank - length))
                           : Extents::any()};
    const Axes dropped = dropped_axes(axes, x.shape);
    for (const std::size_t axis : dropped)
      if (!x.shape[axis].contains(1))
        throw ShapeError(fmt::format("squeeze: axis {} has extent {}, expected 1 (shape {})", axis,
                                     to_string(x.shape[axis]), to_string(x.shape)));
    KnownType result{x.dtype, {}};
    for (std::size_t axis = 0; axis < x.shape.rank(); ++axis)
      if (!is_among(dropped, axis)) result.shape.push_back(x.shape[axis]);
    return result;
  }

  static Tensor make(TensorType type, const Tensor& x, const Ints& axes) {
    Squeeze squeeze{dropped_axes(axes, x.shape()), {}};
    std::int32_t kept = 0;
    for (std::size_t axis = 0; axis < x.rank(); ++axis)
      squeeze.map.axes.push_back(is_among(squeeze.axes, axis) ? replicated : kept++);
    return tensor_of(std::move(squeeze), std::move(type), x);
  }

  static Axes dropped_axes(const Ints& axes, const Extents& shape) {
    if (!axes.is_none()) return check_unique_axes(name, axes, shape);
    Axes dropped;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis)
      if (shape[axis].is(1)) dropped.push_back(axis);
    return dropped;
  }

  static bool is_among(const Axes& axes, std::size_t axis) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
  }

  void pull_back(const Shape&, const Box& box, PullBack& to) const { map.pull_back(box, to); }
  std::size_t trace(const Shape&, Index& index) const { return map.trace(index); }

  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors& operands) const {
    return {cotangent.reshape(operands[0].shape())};
  }
};

}  // namespace

constinit const Op squeeze_op = op_of<Squeeze>();

Tensor squeeze(const Tensor& x, const Ints& axes) { return build<Squeeze>(x, axes); }

Tensor Tensor::squeeze(const Ints& axes) const { return weft::squeeze(*this, axes); }

}  // namespace weft
