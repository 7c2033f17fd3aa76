// SPDX-License-Identifier: Apache-2.0
// flatten: what it refuses, and the reshape it is.
#include <weft/ops/shape/flatten.h>

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <weft/graph/op.h>
#include <weft/ops/shape/reshape.h>

namespace weft {
namespace {

/// The first and the last of the axes that are joined.
std::pair<std::size_t, std::size_t> joined_axes(const Ints& start_axis, const Ints& end_axis,
                                                const Shape& shape) {
  check_singles("flatten", {{"start_axis", start_axis}, {"end_axis", end_axis}});
  const std::size_t first = check_axis("flatten", start_axis, 0, shape);
  const std::size_t last = check_axis("flatten", end_axis, 0, shape);
  if (first > last)
    throw AxisError("bad_axis",
                    fmt::format("flatten: start_axis {} comes after end_axis {} (shape {})",
                                start_axis.text(0), end_axis.text(0), to_string(shape)));
  return {first, last};
}

std::int64_t product(const Shape& extents, const Shape& shape) {
  // A zero first: beside it the other extents may be too large to multiply.
  if (std::find(extents.begin(), extents.end(), 0) != extents.end()) return 0;
  std::int64_t count = 1;
  for (const std::int64_t extent : extents)
    if (__builtin_mul_overflow(count, extent, &count))
      throw OverflowError(fmt::format("flatten: extents {} of shape {} join to one beyond int64",
                                      to_string(extents), to_string(shape)));
  return count;
}

Dim product(const Dim& a, const Dim& b) {
  if (a.is_known()) return b * a.low();
  if (b.is_known()) return a * b.low();
  return Dim((a * b.low()).low(), b.high() == Dim::unbounded ? b.high() : (a * b.high()).high());
}

/// Of a rank that is known only where it is known which axes are joined, or there is but one.
PartialShape infer(const Arguments& arguments) {
  PartialShape x = arguments.operands[0].partial_shape();
  const Ints &start_axis = arguments.ints(0), &end_axis = arguments.ints(1);
  if (!x.has_rank()) return PartialShape::any();
  if (x.rank() == 0) return {1};
  if (x.rank() == 1) return x;
  if (is_any_open(start_axis, end_axis)) return PartialShape::any();
  const auto [first, last] = joined_axes(start_axis, end_axis, x.lowest());
  std::vector<Dim> dims;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (axis > first && axis <= last) dims.back() = product(dims.back(), x[axis]);
    else dims.push_back(x[axis]);
  }
  return PartialShape(std::move(dims));
}

}  // namespace

const Op flatten_op{"flatten", {"x"}, {"start_axis", "end_axis"}, call<weft::flatten>, infer};

Tensor flatten(const Tensor& x, const Ints& start_axis, const Ints& end_axis) {
  if (is_any_open(flatten_op, x, start_axis, end_axis))
    return defer(flatten_op, {{x}, {start_axis, end_axis}});
  const Shape extents = x.rank() == 0 ? Shape{1} : x.shape();
  const auto [first, last] = joined_axes(start_axis, end_axis, extents);
  const auto begin = extents.begin() + first, end = extents.begin() + last + 1;
  Shape shape(extents.begin(), begin);
  shape.push_back(product(Shape(begin, end), extents));
  for (auto extent = end; extent != extents.end(); ++extent) shape.push_back(*extent);
  return reshape(x, shape);
}

Tensor Tensor::flatten(const Ints& start_axis, const Ints& end_axis) const {
  return weft::flatten(*this, start_axis, end_axis);
}

}  // namespace weft
