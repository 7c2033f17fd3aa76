// SPDX-License-Identifier: Apache-2.0
// crop: what it refuses, and the slice it is.
#include <weft/ops/pick/crop.h>

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>
#include <vector>

#include <weft/graph/define.h>
#include <weft/ops/pick/ranges.h>
#include <weft/ops/pick/slice.h>

namespace weft {
namespace {

using Axes = SmallVector<std::size_t, 8>;

/// How many axes are cropped: lists say it, of one length; numbers are for all axes, or that of
/// `axes`.
std::size_t count_of(const Ints& before, const Ints& after, const Ints& axes,
                     const Extents& shape) {
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
  if (first == std::end(parameters)) return shape.rank();
  for (const auto& [name, values] : parameters)
    if (is_list({name, values}) && values.size() != first->values.size())
      throw ParameterError(
          "length_mismatch",
          fmt::format("crop: {} {} has {} entries, expected {} as {} {}", name, values.text(),
                      values.size(), first->values.size(), first->name, first->values.text()));
  if (first->values.size() > shape.rank())
    throw ParameterError(
        "length_mismatch",
        fmt::format("crop: {} {} has {} entries, expected at most {} (shape {})", first->name,
                    first->values.text(), first->values.size(), shape.rank(), to_string(shape)));
  return first->values.size();
}

/// A number as a list of so many.
Ints spread(const Ints& values, std::size_t count) {
  if (values.rank() != 0) return values;
  return Ints(values.dtype(), 1, std::vector<std::int64_t>(count, values.bits(0)));
}

/// The axes that are cropped, in the order of the lists.
Axes cropped_axes(const Ints& before, const Ints& axes, const Extents& shape) {
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

/// What they leave of it.
Extent left_of(const Extent& extent, std::int64_t before, std::int64_t after) {
  if (before == 0 && after == 0) return extent;
  if (extent.is_known()) return extent.low - before - after;
  const auto left = [&](std::int64_t n) {
    return n == Dim::unbounded ? n : fits(before, after, n) ? n - before - after : 0;
  };
  return {left(extent.low), left(extent.high)};
}

struct Crop {
  static constexpr std::string_view name = "crop";
  static constexpr const Op& op = crop_op;
  static constexpr std::tuple fields{
      operand("x", "what is cut"),
      parameter("before", "how many are taken off before each axis, or one number for all"),
      parameter("after", "how many after each axis, or one number for all"),
      parameter("axes", "those that are cut; none: the first", none)};

  static KnownType infer(const KnownType& x, const Ints& before, const Ints& after,
                         const Ints& axes) {
    check_integer(name, "before", before);
    check_integer(name, "after", after);
    if (!axes.is_none()) check_integer(name, "axes", axes);
    check_scalar_or_list(name, "before", before);
    check_scalar_or_list(name, "after", after);
    if (!axes.is_none()) check_scalar_or_list(name, "axes", axes);
    if (!x.shape.has_rank()) return x;
    if (is_any_open(before, after, axes)) {  // axes that are named may be cut
      const bool is_for_all = before.rank() == 0 && after.rank() == 0 && axes.is_none();
      const Ints& list = before.rank() != 0 ? before : after;
      return {x.dtype, cut_somewhere(x.shape, is_for_all ? -1 : known_length(list), axes)};
    }
    const std::size_t count = count_of(before, after, axes, x.shape);
    const Ints low = spread(before, count), high = spread(after, count);
    const Axes cropped = cropped_axes(low, axes, x.shape);
    check_values(low, high);
    KnownType result = x;
    for (std::size_t i = 0; i < cropped.size(); ++i) {
      const Extent extent = x.shape[cropped[i]];
      if (extent.is_known() || extent.high != Dim::unbounded)
        check_extent(low, high, i, cropped[i], extent.high);
      result.shape.set(cropped[i], left_of(extent, low[i], high[i]));
    }
    return result;
  }

  static Tensor make(const TensorType& type, const Tensor& x, const Ints& before, const Ints& after,
                     const Ints& axes) {
    if (x.rank() == 0) return x;
    const std::size_t count = count_of(before, after, axes, x.shape());
    const Ints low = spread(before, count);
    const Axes cropped = cropped_axes(low, axes, x.shape());
    Index start, stop;
    for (std::size_t i = 0; i < cropped.size(); ++i) {
      start.push_back(low[i]);
      stop.push_back(low[i] + type.shape[cropped[i]]);
    }
    return slice(x, start, stop, none, cropped);
  }
};

}  // namespace

constinit const Op crop_op = op_of<Crop>();

Tensor crop(const Tensor& x, const Ints& before, const Ints& after, const Ints& axes) {
  return build<Crop>(x, before, after, axes);
}

Tensor Tensor::crop(const Ints& before, const Ints& after, const Ints& axes) const {
  return weft::crop(*this, before, after, axes);
}

}  // namespace weft
