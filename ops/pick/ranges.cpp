// SPDX-License-Identifier: Apache-2.0
// NumPy slices: clamping and counting without overflow.
#include <weft/ops/pick/ranges.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/graph/op.h>
#include <weft/graph/value/error.h>

namespace weft {
namespace {

AxisRange resolve(std::int64_t start, std::int64_t stop, std::int64_t step, std::int64_t extent) {
  const std::int64_t low = step > 0 ? 0 : -1;
  const std::int64_t high = step > 0 ? extent : extent - 1;
  const auto clamp = [&](std::int64_t at) {
    return std::clamp(at < 0 ? at + extent : at, low, high);
  };
  const std::int64_t first = clamp(start);
  const std::int64_t end = clamp(stop);
  const std::int64_t span = step > 0 ? end - first : first - end;
  if (span <= 0) return {0, 1, 0};
  // -step does not exist for the smallest int64; its magnitude does.
  const std::uint64_t stride = step > 0 ? static_cast<std::uint64_t>(step)
                                        : std::uint64_t{0} - static_cast<std::uint64_t>(step);
  const std::int64_t count =
      static_cast<std::int64_t>((static_cast<std::uint64_t>(span) - 1) / stride) + 1;
  return {first, count == 1 ? 1 : step, count};
}

}  // namespace

AxisRanges resolve_ranges(std::string_view op, const Ints& start, const Ints& stop,
                          const Ints& step, const Ints& axes, const Shape& shape, Scalars scalars) {
  struct Named {
    std::string_view name;
    const Ints& values;
  };
  const Named parameters[] = {{"start", start}, {"stop", stop}, {"step", step}, {"axes", axes}};
  for (const Named& parameter : parameters)
    if (!parameter.values.is_none()) check_integer(op, parameter.name, parameter.values);
  for (const Named& parameter : parameters) {
    const bool may_be_none = &parameter.values == &step || &parameter.values == &axes;
    if (may_be_none && parameter.values.is_none()) continue;
    if (scalars == Scalars::taken) check_scalar_or_list(op, parameter.name, parameter.values);
    else check_list(op, parameter.name, parameter.values);
  }
  for (const Named& parameter : parameters)
    if (!parameter.values.is_none() && parameter.values.size() != start.size())
      throw ParameterError("length_mismatch",
                           fmt::format("{}: {} {} has {} entries, expected {} as start {}", op,
                                       parameter.name, parameter.values.text(),
                                       parameter.values.size(), start.size(), start.text()));
  if (start.size() > shape.size())
    throw ParameterError("length_mismatch",
                         fmt::format("{}: {} slices, expected at most {} for shape {}", op,
                                     start.size(), shape.size(), to_string(shape)));
  if (!step.is_none())
    for (std::size_t i = 0; i < step.size(); ++i)
      if (step[i] == 0)
        throw ParameterError(
            "zero_step", fmt::format("{}: step {} has a 0, expected any other", op, step.text()));
  AxisRanges ranges;
  for (const std::int64_t extent : shape) ranges.push_back({0, 1, extent});
  SmallVector<std::size_t, 8> named;
  if (axes.is_none()) {
    for (std::size_t axis = 0; axis < start.size(); ++axis) named.push_back(axis);
  } else {
    named = check_unique_axes(op, axes, shape);
  }
  for (std::size_t i = 0; i < named.size(); ++i)
    ranges[named[i]] = resolve(start[i], stop[i], step.is_none() ? 1 : step[i], shape[named[i]]);
  return ranges;
}

Shape picked_shape(const AxisRanges& ranges) {
  Shape shape;
  for (const AxisRange& range : ranges) shape.push_back(range.count);
  return shape;
}

namespace {

/// What is known of the extent that start, stop and step pick of an axis.
Dim picked_extent(const Dim& extent, const Ints& start, const Ints& stop, const Ints& step,
                  std::size_t i) {
  const std::int64_t stride = step.is_none() ? 1 : step[i];
  const auto count = [&](std::int64_t n) { return resolve(start[i], stop[i], stride, n).count; };
  if (extent.is_known()) return count(extent.low());
  // Only where nothing counts from the end do longer axes always have longer slices.
  const bool grows = start[i] >= 0 && stop[i] >= 0 && stride > 0;
  return grows ? Dim(count(extent.low()), count(extent.high())) : Dim(0, extent.high());
}

bool names(const Ints& axes, std::int64_t axis, std::size_t rank) {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i] == axis || axes[i] == axis - static_cast<std::int64_t>(rank)) return true;
  return false;
}

}  // namespace

PartialShape picked_shape(std::string_view op, const PartialShape& x, const Arguments& arguments,
                          Scalars scalars) {
  const Ints &start = arguments.ints(0), &stop = arguments.ints(1), &step = arguments.ints(2),
             &axes = arguments.ints(3);
  if (!x.has_rank()) return PartialShape::any();
  PartialShape picked = x;
  if (!is_any_open(start, stop, step, axes)) {
    resolve_ranges(op, start, stop, step, axes, x.lowest(), scalars);
    for (std::size_t i = 0; i < start.size(); ++i) {
      const std::size_t axis = axes.is_none() ? i : check_axis(op, axes, i, x.lowest());
      picked[axis] = picked_extent(x[axis], start, stop, step, i);
    }
    return picked;
  }
  // Axes that are not named keep their extent; without names any may be cut.
  const std::int64_t length = known_length(start);
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    const bool is_named =
        axes.is_none() ? length < 0 || static_cast<std::int64_t>(axis) < length
                       : axes.is_open() || names(axes, static_cast<std::int64_t>(axis), x.rank());
    if (is_named) picked[axis] = Dim(0, x[axis].high());
  }
  return picked;
}

void add_ranges(const AxisRanges& ranges, Structure& to) {
  for (const AxisRange& range : ranges) {
    to.add(range.start);
    to.add(range.step);
    to.add(range.count);
  }
}

std::string to_string(const AxisRanges& ranges) {
  std::string text;
  for (const AxisRange& range : ranges) {
    if (!text.empty()) text += ", ";
    text += range.count == 0 ? "empty"
            : range.step == 1
                ? fmt::format("{}:{}", range.start, range.start + range.count)
                : fmt::format("{} step {} x {}", range.start, range.step, range.count);
  }
  return text;
}

}  // namespace weft
