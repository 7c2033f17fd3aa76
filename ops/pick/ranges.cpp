// SPDX-License-Identifier: Apache-2.0
// NumPy slices: clamping and counting without overflow.
#include <weft/ops/pick/ranges.h>

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

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

struct Named {
  std::string_view name;
  const Ints& values;
};

/// Types, ranks and lengths.
void check_lists(std::string_view op, const Ints& start, const Ints& stop, const Ints& step,
                 const Ints& axes, const Extents& shape, Scalars scalars) {
  const Named parameters[] = {{"start", start}, {"stop", stop}, {"step", step}, {"axes", axes}};
  for (const Named& parameter : parameters)
    if (!parameter.values.is_none()) check_integer(op, parameter.name, parameter.values);
  for (const Named& parameter : parameters) {
    const bool may_be_none = &parameter.values == &step || &parameter.values == &axes;
    if (may_be_none && parameter.values.is_none()) continue;
    if (scalars == Scalars::taken) check_scalar_or_list(op, parameter.name, parameter.values);
    else check_list(op, parameter.name, parameter.values);
  }
  const std::int64_t count = known_length(start);
  std::int64_t lengths[std::size(parameters)];
  for (std::size_t k = 0; k < std::size(parameters); ++k) {
    lengths[k] = parameters[k].values.is_none() ? count : known_length(parameters[k].values);
    if (lengths[k] < 0) return;  // with it it will be known what the others lack
  }
  for (std::size_t k = 0; k < std::size(parameters); ++k)
    if (lengths[k] != count)
      throw ParameterError(
          "length_mismatch",
          fmt::format("{}: {} {} has {} entries, expected {} as start {}", op, parameters[k].name,
                      parameters[k].values.text(), lengths[k], count, start.text()));
  if (shape.has_rank() && count > static_cast<std::int64_t>(shape.rank()))
    throw ParameterError("length_mismatch",
                         fmt::format("{}: {} slices, expected at most {} for shape {}", op, count,
                                     shape.rank(), to_string(shape)));
}

/// The axes that are cut.
SmallVector<std::size_t, 8> named_axes(std::string_view op, const Ints& start, const Ints& axes,
                                       const Extents& shape) {
  if (!axes.is_none()) return check_unique_axes(op, axes, shape);
  SmallVector<std::size_t, 8> leading;
  for (std::size_t axis = 0; axis < start.size(); ++axis) leading.push_back(axis);
  return leading;
}

/// What is known of the extent that start, stop and step pick of an axis.
Extent picked_extent(const Extent& extent, const Ints& start, const Ints& stop, const Ints& step,
                     std::size_t i) {
  const std::int64_t stride = step.is_none() ? 1 : step[i];
  const auto count = [&](std::int64_t n) { return resolve(start[i], stop[i], stride, n).count; };
  if (extent.is_known()) return count(extent.low);
  // Only where nothing counts from the end do longer axes always have longer slices.
  const bool grows = start[i] >= 0 && stop[i] >= 0 && stride > 0;
  return grows ? Extent(count(extent.low), count(extent.high)) : Extent(0, extent.high);
}

/// Ranges as they are given.
struct Bounds {
  Index start, stop, step;

  explicit Bounds(const AxisRanges& ranges) {
    for (const AxisRange& range : ranges) {
      const std::int64_t last = range.start + (range.count - 1) * range.step;
      start.push_back(range.start);
      // Going down, the end may be in front of position 0.
      stop.push_back(range.step > 0 ? last + 1 : last > 0 ? last - 1 : INT64_MIN);
      step.push_back(range.step);
    }
  }
};

bool names(const Ints& axes, std::int64_t axis, std::size_t rank) {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i] == axis || axes[i] == axis - static_cast<std::int64_t>(rank)) return true;
  return false;
}

}  // namespace

Tensor pick_ranges(const Tensor& x, const AxisRanges& ranges) {
  const Bounds bounds(ranges);
  return x.slice(bounds.start, bounds.stop, bounds.step);
}

Tensor write_ranges(const Tensor& data, const Tensor& updates, const AxisRanges& ranges) {
  const Bounds bounds(ranges);
  return data.slice_scatter(updates, bounds.start, bounds.stop, bounds.step);
}

Extents picked_extents(std::string_view op, const Extents& x, const Ints& start, const Ints& stop,
                       const Ints& step, const Ints& axes, Scalars scalars) {
  check_lists(op, start, stop, step, axes, x, scalars);
  if (!x.has_rank()) return x;
  if (is_any_open(start, stop, step, axes)) return cut_somewhere(x, known_length(start), axes);
  for (std::size_t i = 0; i < step.size(); ++i)
    if (step[i] == 0)
      throw ParameterError("zero_step",
                           fmt::format("{}: step {} has a 0, expected any other", op, step.text()));
  Extents picked = x;
  const auto named = named_axes(op, start, axes, x);
  for (std::size_t i = 0; i < named.size(); ++i)
    picked.set(named[i], picked_extent(x[named[i]], start, stop, step, i));
  return picked;
}

Extents cut_somewhere(const Extents& x, std::int64_t length, const Ints& axes) {
  Extents cut = x;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    const bool is_named =
        axes.is_none() ? length < 0 || static_cast<std::int64_t>(axis) < length
                       : axes.is_open() || names(axes, static_cast<std::int64_t>(axis), x.rank());
    if (is_named) cut.set(axis, Extent(0, x[axis].high));
  }
  return cut;
}

AxisRanges resolve_ranges(std::string_view op, const Ints& start, const Ints& stop,
                          const Ints& step, const Ints& axes, const Shape& shape) {
  AxisRanges ranges;
  for (const std::int64_t extent : shape) ranges.push_back({0, 1, extent});
  const auto named = named_axes(op, start, axes, shape);
  for (std::size_t i = 0; i < named.size(); ++i)
    ranges[named[i]] = resolve(start[i], stop[i], step.is_none() ? 1 : step[i], shape[named[i]]);
  return ranges;
}

Shape picked_shape(const AxisRanges& ranges) {
  Shape shape;
  for (const AxisRange& range : ranges) shape.push_back(range.count);
  return shape;
}

void add_to(const AxisRanges& ranges, StructuralKey& to) {
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
