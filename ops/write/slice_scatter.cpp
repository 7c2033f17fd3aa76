// SPDX-License-Identifier: Apache-2.0
// slice_scatter: what it refuses, and how a box is pulled back through it.
#include <weft/ops/write/slice_scatter.h>

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/graph/map/box.h>
#include <weft/ops/create/fills.h>
#include <weft/ops/pick/ranges.h>

namespace weft {
namespace {

constexpr std::size_t data_operand = 0;
constexpr std::size_t updates_operand = 1;

// Below this many elements apart, every other element is cheaper painted over than left out.
constexpr std::int64_t paint_below_stride = 16;
// So many pairs of data and update in a row are worth a kernel of their own.
constexpr std::int64_t fewest_pairs = 8;

/// The elements that `updates` replaces on one axis, in increasing order, and those between them.
struct Hull {
  std::int64_t low, end;
  std::int64_t hit;   // place of updates within a step
  std::int64_t step;  // > 0
  std::int64_t count;
  bool reversed;  // updates run from the last to the first
};

/// Whole steps, where they fit: they leave fewer boxes.
Hull hull_of(const AxisRange& range, std::int64_t extent) {
  const bool reversed = range.step < 0;
  const std::int64_t step = std::abs(range.step);
  const std::int64_t first = reversed ? range.start - step * (range.count - 1) : range.start;
  const std::int64_t past = std::max<std::int64_t>(0, first + step * range.count - extent);
  if (past > std::min(first, step - 1))
    return {first, first + step * (range.count - 1) + 1, 0, step, range.count, reversed};
  return {first - past, first - past + step * range.count, past, step, range.count, reversed};
}

struct SliceScatter {
  AxisRanges ranges;
  SmallVector<Hull, 8> hulls;
  bool writes_nothing;

  static constexpr std::string_view name = "slice_scatter";
  static constexpr const Op& op = slice_scatter_op;
  static constexpr std::tuple fields{operand("data", "what is copied"),
                                     operand("updates", "what replaces a slice of it"),
                                     parameter("start", "the first position, on each axis"),
                                     parameter("stop", "the end, which is not replaced"),
                                     parameter("step", "from one to the next; none: 1", none),
                                     parameter("axes", "those that are cut; none: the first", none),
                                     kept(&SliceScatter::ranges),
                                     derived(&SliceScatter::hulls),
                                     derived(&SliceScatter::writes_nothing)};

  /// That of data; where its rank is not known, that of updates.
  static KnownType infer(const KnownType& data, const KnownType& updates, const Ints& start,
                         const Ints& stop, const Ints& step, const Ints& axes) {
    if (updates.dtype != data.dtype)
      throw DtypeError(fmt::format("slice_scatter: updates are {}, expected {} as data",
                                   updates.dtype.name(), data.dtype.name()));
    check_not_scalar("data", data.shape);
    check_not_scalar("updates", updates.shape);
    const Extents picked = picked_extents(name, data.shape, start, stop, step, axes);
    if (!data.shape.has_rank())
      return {data.dtype,
              updates.shape.has_rank() ? Extents::of_rank(updates.shape.rank()) : data.shape};
    if (!can_be_equal(updates.shape, picked)) {
      const bool is_known =
          data.shape.is_closed() && updates.shape.is_closed() && picked.is_closed();
      const std::string ranges =
          is_known
              ? to_string(resolve_ranges(name, start, stop, step, axes, data.shape.lowest())) + " "
              : "";
      throw ShapeError(
          fmt::format("slice_scatter: updates have shape {}, expected {}, the slice {}of {}",
                      to_string(updates.shape), to_string(picked), ranges, to_string(data.shape)));
    }
    return data;
  }

  static void check_not_scalar(std::string_view operand, const Extents& shape) {
    if (shape.has_rank() && shape.rank() == 0)
      throw ParameterError(
          "bad_rank", fmt::format("slice_scatter: {} has rank 0, expected at least 1", operand));
  }

  static Tensor make(TensorType type, const Tensor& data, const Tensor& updates, const Ints& start,
                     const Ints& stop, const Ints& step, const Ints& axes) {
    SliceScatter scatter{
        resolve_ranges(name, start, stop, step, axes, type.shape), {}, updates.size() == 0};
    for (std::size_t a = 0; a < type.shape.size(); ++a)
      scatter.hulls.push_back(hull_of(scatter.ranges[a], type.shape[a]));
    return tensor_of(std::move(scatter), std::move(type), data, updates);
  }

  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors& operands) const {
    if (writes_nothing) return {cotangent, {}};
    return {write_ranges(cotangent, zeros_like(operands[updates_operand]), ranges),
            pick_ranges(cotangent, ranges)};
  }

  void pull_back(const Shape& shape, const Box& box, PullBack& to) const {
    if (writes_nothing) return void(to.add(data_operand, box));
    Boxes inside = to.list();
    inside.push_back(box);
    for (std::size_t a = 0; a < ranges.size(); ++a) {
      if (hulls[a].low == 0 && hulls[a].end == shape[a]) continue;
      const std::int32_t axis = static_cast<std::int32_t>(a);
      Boxes& outside = to.plain(data_operand);
      Boxes next = to.list(), rest = to.list();
      for (const Box& part : inside) {
        rest.clear();
        split(part, axis, hulls[a].low, outside, rest);
        for (const Box& upper : rest) split(upper, axis, hulls[a].end, next, outside);
      }
      std::swap(inside, next);
    }
    for (Box& part : inside) pull_steps(shape, std::move(part), 0, false, to);
  }

  void replaces(Index& start, Index& step) const {
    for (const AxisRange& range : ranges) {
      start.push_back(range.start);
      step.push_back(range.step);
    }
  }

  std::size_t trace(const Shape&, Index& index) const {
    Index update(ranges.size());
    for (std::size_t axis = 0; axis < ranges.size(); ++axis) {
      const AxisRange& range = ranges[axis];
      const std::int64_t distance = index[axis] - range.start;
      if (range.count == 0 || distance % range.step != 0) return data_operand;
      update[axis] = distance / range.step;
      if (update[axis] < 0 || update[axis] >= range.count) return data_operand;
    }
    index = update;
    return updates_operand;
  }

  /// A box inside the hull whose axes before `a` count updates already. Parts it on each axis with
  /// a step into what is replaced and what lies between; `painted`: data below is asked for.
  void pull_steps(const Shape& shape, Box&& box, std::size_t a, bool painted, PullBack& to) const {
    while (a < ranges.size() && hulls[a].step == 1) {
      affine(box, static_cast<std::int32_t>(a), -hulls[a].low, 1);
      ++a;
    }
    if (a == ranges.size()) return add_updates(std::move(box), painted, to);

    const std::int32_t axis = static_cast<std::int32_t>(a);
    const std::int64_t step = hulls[a].step, hit = hulls[a].hit;
    affine(box, axis, -hulls[a].low, 1);
    Boxes parts = to.list(), hits = to.list(), between = to.list();
    divmod(box, axis, step, parts);
    for (const Box& part : parts) {
      const Range offset = coordinate_range(part, axis);
      if (offset.low > hit || offset.high < hit) {
        if (!painted) add_data(part, a, to);
        continue;
      }
      bool painted_here = painted;
      hits.clear();
      between.clear();
      if (offset.low == hit) {
        split(part, axis, hit + 1, hits, between);
      } else {
        Boxes rest = to.list();
        split(part, axis, hit, between, rest);
        for (const Box& upper : rest) split(upper, axis, hit + 1, hits, between);
      }
      if (!painted && offset.low < offset.high && to.may_paint() && is_fine(shape, part, axis)) {
        add_data(part, a, to, true);
        painted_here = true;
      }
      if (!painted_here)
        for (const Box& missed : between) add_data(missed, a, to);
      for (Box& update : hits) {
        SmallVector<std::int32_t, 16> axes;
        for (std::int32_t k = 0; k < static_cast<std::int32_t>(ranges.size()); ++k)
          axes.push_back(k);
        axes[a] = static_cast<std::int32_t>(ranges.size());
        relabel(update, {axes.data(), axes.size()});
        pull_steps(shape, std::move(update), a + 1, painted_here, to);
      }
    }
  }

  /// Whether the offsets within a step lie close together in the output, and one kernel cannot
  /// write long rows of both.
  bool is_fine(const Shape& shape, const Box& box, std::int32_t axis) const {
    const std::size_t a = static_cast<std::size_t>(axis);
    const Hull& hull = hulls[a];
    const bool is_whole = 2 * hull.count == shape[a];
    if (hull.step == 2 && (is_whole || hull.count >= fewest_pairs)) return false;
    for (const Digit& digit : box.digits)
      if (digit.axis == axis && std::abs(digit.out_stride) < paint_below_stride) return true;
    return false;
  }

  /// A box that counts updates before axis `a` and is divided there, back in coordinates of data.
  void add_data(const Box& part, std::size_t a, PullBack& to, bool below = false) const {
    Boxes& boxes = below ? to.below(data_operand) : to.plain(data_operand);
    Box& box = boxes.emplace_back(part);
    undivide(box, static_cast<std::int32_t>(a), hulls[a].step);
    affine(box, static_cast<std::int32_t>(a), hulls[a].low, 1);
    for (std::size_t k = 0; k < a; ++k)
      affine(box, static_cast<std::int32_t>(k), hulls[k].low + hulls[k].hit, hulls[k].step);
  }

  void add_updates(Box&& box, bool painted, PullBack& to) const {
    for (std::size_t a = 0; a < ranges.size(); ++a)
      if (hulls[a].reversed) affine(box, static_cast<std::int32_t>(a), hulls[a].count - 1, -1);
    Boxes& boxes = painted ? to.above(updates_operand) : to.plain(updates_operand);
    boxes.push_back(std::move(box));
  }
};

}  // namespace

constinit const Op slice_scatter_op = op_of<SliceScatter>();

Tensor slice_scatter(const Tensor& data, const Tensor& updates, const Ints& start, const Ints& stop,
                     const Ints& step, const Ints& axes) {
  return build<SliceScatter>(data, updates, start, stop, step, axes);
}

Tensor slice_scatter(Tensor&& data, Tensor updates, const Ints& start, const Ints& stop,
                     const Ints& step, const Ints& axes) {
  Tensor result = slice_scatter(data, updates, start, stop, step, axes);
  const Tensor given_up = std::move(data),
               made_of = std::move(updates);  // not before what may throw
  return result;
}

Tensor Tensor::slice_scatter(const Tensor& updates, const Ints& start, const Ints& stop,
                             const Ints& step, const Ints& axes) const& {
  return weft::slice_scatter(*this, updates, start, stop, step, axes);
}

Tensor Tensor::slice_scatter(Tensor updates, const Ints& start, const Ints& stop, const Ints& step,
                             const Ints& axes) && {
  return weft::slice_scatter(std::move(*this), std::move(updates), start, stop, step, axes);
}

}  // namespace weft
