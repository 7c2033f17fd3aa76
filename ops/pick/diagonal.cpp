// SPDX-License-Identifier: Apache-2.0
// diagonal: what it refuses, and the steps along its operand that it is.
#include <weft/ops/pick/diagonal.h>

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <weft/graph/op.h>
#include <weft/graph/strided.h>
#include <weft/ops/pick/slice.h>
#include <weft/ops/shape/reshape.h>

namespace weft {
namespace {

/// The length of the diagonal of `rows` rows and `columns` columns.
std::int64_t length_of(std::int64_t rows, std::int64_t columns, std::int64_t offset) {
  // Compared first: -offset and what is beyond the extents may not exist.
  if (offset >= columns || offset <= -rows) return 0;
  return offset < 0 ? std::min(rows + offset, columns) : std::min(rows, columns - offset);
}

/// The two axes.
std::pair<std::size_t, std::size_t> check_axes(const Ints& axis1, const Ints& axis2,
                                               const Shape& shape) {
  const std::size_t row = check_axis("diagonal", axis1, 0, shape);
  const std::size_t column = check_axis("diagonal", axis2, 0, shape);
  if (row == column)
    throw AxisError("duplicate_axes",
                    fmt::format("diagonal: axis1 {} and axis2 {} are the same axis (rank {})",
                                axis1.text(0), axis2.text(0), shape.size()));
  return {row, column};
}

/// What is known of the length: more rows or columns never make it shorter.
Dim length_of(const Dim& rows, const Dim& columns, const Ints& offset) {
  if (offset.is_open()) return Dim(0, std::min(rows.high(), columns.high()));
  const bool is_square = rows == columns && !rows.name().empty();
  if (offset[0] == 0 && is_square) return rows;
  const bool is_unbounded = rows.high() == Dim::unbounded && columns.high() == Dim::unbounded;
  return Dim(length_of(rows.low(), columns.low(), offset[0]),
             is_unbounded ? Dim::unbounded : length_of(rows.high(), columns.high(), offset[0]));
}

PartialShape infer(const Arguments& arguments) {
  const PartialShape x = arguments.operands[0].partial_shape();
  const Ints &offset = arguments.ints(0), &axis1 = arguments.ints(1), &axis2 = arguments.ints(2);
  if (!x.has_rank()) return PartialShape::any();
  if (is_any_open(axis1, axis2)) return PartialShape::of_rank(x.rank() - 1);
  check_single("diagonal", "axis1", axis1);
  check_single("diagonal", "axis2", axis2);
  const auto [row, column] = check_axes(axis1, axis2, x.lowest());
  std::vector<Dim> dims;
  for (std::size_t axis = 0; axis < x.rank(); ++axis)
    if (axis != row && axis != column) dims.push_back(x[axis]);
  dims.push_back(length_of(x[row], x[column], offset));
  return PartialShape(std::move(dims));
}

}  // namespace

const Op diagonal_op{"diagonal", {"x"}, {"offset", "axis1", "axis2"}, call<weft::diagonal>, infer};

Tensor diagonal(const Tensor& x, const Ints& offset, const Ints& axis1, const Ints& axis2) {
  if (is_any_open(diagonal_op, x, offset, axis1, axis2))
    return defer(diagonal_op, {{x}, {offset, axis1, axis2}});
  if (x.rank() < 2)
    throw ParameterError("bad_rank",
                         fmt::format("diagonal: x has rank {}, expected at least 2", x.rank()));
  check_singles("diagonal", {{"offset", offset}, {"axis1", axis1}, {"axis2", axis2}});
  const auto [row, column] = check_axes(axis1, axis2, x.shape());
  const std::int64_t rows = x.shape()[row], columns = x.shape()[column];
  const std::int64_t length = length_of(rows, columns, offset[0]);

  Index others;  // the axes that stay
  Shape shape;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (axis == row || axis == column) continue;
    others.push_back(static_cast<std::int64_t>(axis));
    shape.push_back(x.shape()[axis]);
  }
  shape.push_back(length);
  const Tensor line = reshape(x, {x.size()});
  // Beside an extent of 0 strides may be beyond int64.
  if (x.size() == 0 || length == 0) return reshape(slice(line, {0}, {0}), shape);
  const Shape from = row_major_strides(x.shape());
  Shape strides;
  for (const std::int64_t axis : others) strides.push_back(from[static_cast<std::size_t>(axis)]);
  strides.push_back(from[row] + from[column]);
  const std::int64_t first = offset[0] < 0 ? -offset[0] * from[row] : offset[0] * from[column];
  return strided("diagonal", line, shape, strides, first);
}

Tensor Tensor::diagonal(const Ints& offset, const Ints& axis1, const Ints& axis2) const {
  return weft::diagonal(*this, offset, axis1, axis2);
}

}  // namespace weft
