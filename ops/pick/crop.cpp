// SPDX-License-Identifier: Apache-2.0
// crop: what it refuses, and the slice it is.
#include <weft/ops/pick/crop.h>

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>
#include <vector>

#include <weft/graph/op.h>
#include <weft/ops/pick/ranges.h>
#include <weft/ops/pick/slice.h>

namespace weft {
namespace {

using Axes = SmallVector<std::size_t, 8>;

/// How many axes are cropped: lists say it, of one length; numbers are for all axes, or that of
/// `axes`.
std::size_t count_of(const Ints& before, const Ints& after, const Ints& axes, const Shape& shape) {
  struct Named {
    std::string_view name;
    const Ints& values;
  };
  const Named parameters[] = {{"before", before}, {"after", after}, {"axes", axes}};
  // One axis, also as a number, is no other count than a list of one.
  const auto is_list = [&](const Named& parameter) {
    const Ints& values = parameter.values;
    return !values.is_none() && (values.rank() == 1 || &values == &axes);
  };
  const Named* const first = std::find_if(std::begin(parameters), std::end(parameters), is_list);
  if (first == std::end(parameters)) return shape.size();
  for (const auto& [name, values] : parameters)
    if (is_list({name, values}) && values.size() != first->values.size())
      throw ParameterError(
          "length_mismatch",
          fmt::format("crop: {} {} has {} entries, expected {} as {} {}", name, values.text(),
                      values.size(), first->values.size(), first->name, first->values.text()));
  if (first->values.size() > shape.size())
    throw ParameterError(
        "length_mismatch",
        fmt::format("crop: {} {} has {} entries, expected at most {} (shape {})", first->name,
                    first->values.text(), first->values.size(), shape.size(), to_string(shape)));
  return first->values.size();
}

/// A number as a list of so many.
Ints spread(const Ints& values, std::size_t count) {
  if (values.rank() != 0) return values;
  return Ints(values.dtype(), 1, std::vector<std::int64_t>(count, values.bits(0)));
}

/// The axes that are cropped, in the order of the lists.
Axes cropped_axes(const Ints& before, const Ints& axes, const Shape& shape) {
  if (!axes.is_none()) return check_unique_axes("crop", axes, shape);
  Axes leading;
  for (std::size_t axis = 0; axis < before.size(); ++axis) leading.push_back(axis);
  return leading;
}

void check_values(const Ints& before, const Ints& after) {
  const std::pair<std::string_view, const Ints&> parameters[] = {{"before", before},
                                                                 {"after", after}};
  for (const auto& [name, values] : parameters)
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] < 0)
        throw ShapeError(fmt::format("crop: {} in {} {} is negative, expected 0 or more", values[i],
                                     name, values.text()));
}

/// Whether so many can be taken off, without a sum that may be beyond int64.
bool fits(std::int64_t before, std::int64_t after, std::int64_t extent) {
  return before <= extent && after <= extent - before;
}

void check_extent(const Ints& before, const Ints& after, std::size_t i, std::size_t axis,
                  std::int64_t extent) {
  if (!fits(before[i], after[i], extent))
    throw ShapeError(
        fmt::format("crop: {} before and {} after are more than the extent {} of axis "
                    "{}",
                    before.text(i), after.text(i), extent, axis));
}

/// Every axis may be shorter.
PartialShape cut_anywhere(PartialShape x) {
  for (std::size_t k = 0; k < x.rank(); ++k) x[k] = Dim(0, x[k].high());
  return x;
}

PartialShape infer(const Arguments& arguments) {
  PartialShape x = arguments.operands[0].partial_shape();
  const Ints &before = arguments.ints(0), &after = arguments.ints(1), &axes = arguments.ints(2);
  if (!x.has_rank()) return x;
  if (is_any_open(before, after, axes)) {  // as of a slice, axes that are named may be cut
    if (before.rank() != 0)
      return picked_shape("crop", x, {arguments.operands, {before, after, none, axes}});
    if (after.rank() == 0 && axes.is_none()) return cut_anywhere(x);
    return picked_shape("crop", x, {arguments.operands, {after, before, none, axes}});
  }
  const std::size_t count = count_of(before, after, axes, x.lowest());
  const Ints low = spread(before, count), high = spread(after, count);
  check_values(low, high);
  const Axes cropped = cropped_axes(low, axes, x.lowest());
  for (std::size_t i = 0; i < cropped.size(); ++i) {
    Dim& dim = x[cropped[i]];
    if (low[i] == 0 && high[i] == 0) continue;
    if (dim.high() != Dim::unbounded) check_extent(low, high, i, cropped[i], dim.high());
    const auto left = [&](std::int64_t extent) {
      if (extent == Dim::unbounded) return extent;
      return fits(low[i], high[i], extent) ? extent - low[i] - high[i] : 0;
    };
    dim = Dim(left(dim.low()), left(dim.high()));
  }
  return x;
}

}  // namespace

const Op crop_op{"crop", {"x"}, {"before", "after", "axes"}, call<weft::crop>, infer};

Tensor crop(const Tensor& x, const Ints& before, const Ints& after, const Ints& axes) {
  if (is_any_open(crop_op, x, before, after, axes))
    return defer(crop_op, {{x}, {before, after, axes}});
  check_integer("crop", "before", before);
  check_integer("crop", "after", after);
  if (!axes.is_none()) check_integer("crop", "axes", axes);
  check_scalar_or_list("crop", "before", before);
  check_scalar_or_list("crop", "after", after);
  if (!axes.is_none()) check_scalar_or_list("crop", "axes", axes);
  const std::size_t count = count_of(before, after, axes, x.shape());
  const Ints low = spread(before, count), high = spread(after, count);
  const Axes cropped = cropped_axes(low, axes, x.shape());
  check_values(low, high);
  Index start, stop;
  for (std::size_t i = 0; i < cropped.size(); ++i) {
    const std::int64_t extent = x.shape()[cropped[i]];
    check_extent(low, high, i, cropped[i], extent);
    start.push_back(low[i]);
    stop.push_back(extent - high[i]);
  }
  if (x.rank() == 0) return x;
  return slice(x, start, stop, none, cropped);
}

Tensor Tensor::crop(const Ints& before, const Ints& after, const Ints& axes) const {
  return weft::crop(*this, before, after, axes);
}

}  // namespace weft
