// SPDX-License-Identifier: Apache-2.0
// crop: what it refuses, and the slice it is.
#include <weft/ops/crop.h>

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <weft/graph/op.h>
#include <weft/ops/ranges.h>
#include <weft/ops/slice.h>

namespace weft {
namespace {

using Axes = SmallVector<std::size_t, 8>;

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

PartialShape infer(const Arguments& arguments) {
  PartialShape x = arguments.operands[0].partial_shape();
  const Ints &before = arguments.ints(0), &after = arguments.ints(1), &axes = arguments.ints(2);
  if (!x.has_rank()) return x;
  if (is_any_open(before, after, axes))  // as of a slice, axes that are named may be cut
    return picked_shape("crop", x, {arguments.operands, {before, after, none, axes}});
  check_values(before, after);
  const Axes cropped = cropped_axes(before, axes, x.lowest());
  for (std::size_t i = 0; i < cropped.size(); ++i) {
    Dim& dim = x[cropped[i]];
    if (before[i] == 0 && after[i] == 0) continue;
    if (dim.high() != Dim::unbounded) check_extent(before, after, i, cropped[i], dim.high());
    const auto left = [&](std::int64_t extent) {
      if (extent == Dim::unbounded) return extent;
      return fits(before[i], after[i], extent) ? extent - before[i] - after[i] : 0;
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
  check_list("crop", "before", before);
  check_list("crop", "after", after);
  if (!axes.is_none()) check_list("crop", "axes", axes);
  const std::pair<std::string_view, const Ints&> parameters[] = {{"after", after}, {"axes", axes}};
  for (const auto& [name, values] : parameters)
    if (!values.is_none() && values.size() != before.size())
      throw ParameterError("length_mismatch",
                           fmt::format("crop: {} {} has {} entries, expected {} as before {}", name,
                                       values.text(), values.size(), before.size(), before.text()));
  if (before.size() > x.rank())
    throw ParameterError("length_mismatch",
                         fmt::format("crop: before {} has {} entries, expected at most {} (shape "
                                     "{})",
                                     before.text(), before.size(), x.rank(), to_string(x.shape())));
  const Axes cropped = cropped_axes(before, axes, x.shape());
  check_values(before, after);
  Index start, stop;
  for (std::size_t i = 0; i < cropped.size(); ++i) {
    const std::int64_t extent = x.shape()[cropped[i]];
    check_extent(before, after, i, cropped[i], extent);
    start.push_back(before[i]);
    stop.push_back(extent - after[i]);
  }
  if (x.rank() == 0) return x;
  return slice(x, start, stop, none, cropped);
}

Tensor Tensor::crop(const Ints& before, const Ints& after, const Ints& axes) const {
  return weft::crop(*this, before, after, axes);
}

}  // namespace weft
