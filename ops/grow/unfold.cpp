// SPDX-License-Identifier: Apache-2.0
// unfold: what it refuses, and how a box is pulled back through it.
#include <weft/ops/grow/unfold.h>

#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/graph/map/box.h>
#include <weft/ops/create/fills.h>

namespace weft {
namespace {

/// How many windows there are, or 0 where int64 does not hold that.
std::int64_t window_count(std::int64_t extent, std::int64_t size, std::int64_t step) {
  const std::int64_t more = (extent - size) / step;
  return more == INT64_MAX ? 0 : more + 1;
}

/// The same of an extent that is known in part; where a window is too long for some, or all, of
/// what it may be, those are refused later.
Extent windows_of(const Extent& extent, std::int64_t size, std::int64_t step) {
  if (size == 1 && step == 1) return extent;
  const auto windows = [&](std::int64_t n) {
    const std::int64_t count = n < size ? 1 : window_count(n, size, step);
    return count == 0 ? Dim::unbounded : count;
  };
  if (extent.is_known()) return windows(extent.low);
  return {windows(extent.low), extent.high == Dim::unbounded ? extent.high : windows(extent.high)};
}

struct Unfold {
  std::int64_t axis, size, step;

  static constexpr std::string_view name = "unfold";
  static constexpr const Op& op = unfold_op;
  static constexpr std::tuple fields{
      operand("x", "what is seen through windows"),
      parameter("axis", &Unfold::axis, "the axis that they move along"),
      parameter("size", &Unfold::size, "the length of a window"),
      parameter("step", &Unfold::step, "from one to the next", 1)};

  static KnownType infer(const KnownType& x, const Ints& axis, const Ints& size, const Ints& step) {
    const auto at = check_one(name, "axis", axis), length = check_one(name, "size", size),
               apart = check_one(name, "step", step);
    if (apart && *apart < 1)
      throw ParameterError("zero_step",
                           fmt::format("unfold: step is {}, expected 1 or more", step.text()));
    if (!x.shape.has_rank()) return x;
    KnownType result = x;
    if (!at) {
      result.shape = Extents::of_rank(x.shape.rank());
    } else {
      const std::size_t cut = check_axis(name, axis, 0, x.shape);
      const Extent extent = x.shape[cut];
      const std::int64_t longest = extent.high;
      const bool is_bounded = extent.is_known() || longest != Dim::unbounded;
      if (length && is_bounded && (*length < 0 || *length > longest))
        throw ShapeError(
            fmt::format("unfold: size is {}, expected 0 to {}, the extent of axis {} (shape {})",
                        size.text(), longest, cut, to_string(x.shape)));
      const bool is_counted = length && *length >= 0 && apart;
      if (is_counted && extent.is_known() && window_count(longest, *length, *apart) == 0)
        throw OverflowError(fmt::format("unfold: axis {} of {} has more windows than int64 holds",
                                        cut, to_string(x.shape)));
      result.shape.set(
          cut, is_counted ? windows_of(extent, *length, *apart) : Extent(1, Dim::unbounded));
    }
    result.shape.push_back(length && *length >= 0 ? Extent(*length) : Extent());
    return result;
  }

  static Tensor make(TensorType type, const Tensor& x, const Ints& axis, const Ints& size,
                     const Ints& step) {
    const std::size_t at = check_axis(name, axis, 0, x.shape());
    Unfold unfold{static_cast<std::int64_t>(at), size[0], type.shape[at] == 1 ? 1 : step[0]};
    return tensor_of(std::move(unfold), std::move(type), x);
  }

  void pull_back(const Shape&, const Box& box, PullBack& to) const {
    Box& source = to.add(0, box);
    affine(source, static_cast<std::int32_t>(axis), 0, step);
    undivide(source, static_cast<std::int32_t>(axis), 1);
  }

  std::size_t trace(const Shape&, Index& index) const {
    std::int64_t& at = index[static_cast<std::size_t>(axis)];
    at = at * step + index.back();
    index.pop_back();
    return 0;
  }

  /// Of each window the places of one step, side by side, are a line of x: as many lines are added
  /// as windows meet in a place. They are computed as rows, whatever axis they lie along.
  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors& operands) const {
    const Shape& shape = operands[0].shape();
    const std::size_t at = static_cast<std::size_t>(axis);
    const std::int64_t windows = cotangent.shape()[at];
    const std::int64_t apart = windows == 1 ? size : step;
    const Tensor by_window = cotangent.moveaxis(axis, -2);
    Shape gaps(by_window.rank(), 0), line = shape;
    line.erase(line.begin() + at);
    line.push_back(shape[at]);
    const Tensor zero = zeros(line, cotangent.dtype());
    line.back() = windows * apart;
    Tensor sum;
    for (std::int64_t first = 0; first < size; first += apart) {
      const std::int64_t width = std::min(apart, size - first);
      gaps.back() = apart - width;
      const Tensor places = by_window.slice({first}, {first + width}, none, {-1});
      const Tensor side_by_side = places.pad(0, gaps).reshape(line);
      const std::int64_t reach = (windows - 1) * apart + width;
      const Tensor placed = zero.slice_scatter(side_by_side.slice({0}, {reach}, none, {-1}),
                                               {first}, {first + reach}, none, {-1});
      sum = sum.has_value() ? sum.add(placed) : placed;
    }
    return {sum.moveaxis(-1, axis)};
  }
};

}  // namespace

constinit const Op unfold_op = op_of<Unfold>();

Tensor unfold(const Tensor& x, const Ints& axis, const Ints& size, const Ints& step) {
  return build<Unfold>(x, axis, size, step);
}

Tensor Tensor::unfold(const Ints& axis, const Ints& size, const Ints& step) const {
  return weft::unfold(*this, axis, size, step);
}

}  // namespace weft
