// SPDX-License-Identifier: Apache-2.0
// diagonal: what it refuses, and the steps along its operand that it is.
#include <weft/ops/pick/diagonal.h>

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <weft/graph/define.h>
#include <weft/graph/strided.h>
#include <weft/ops/create/fills.h>
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

/// What is known of the length: more rows or columns never make it shorter.
Extent length_of(const Extent& rows, const Extent& columns, const Ints& offset) {
  if (offset.is_open()) return {0, std::min(rows.high, columns.high)};
  if (offset[0] == 0 && rows == columns && rows.name) return rows;
  if (rows.is_known() && columns.is_known()) return length_of(rows.low, columns.low, offset[0]);
  const bool is_unbounded = rows.high == Dim::unbounded && columns.high == Dim::unbounded;
  return {length_of(rows.low, columns.low, offset[0]),
          is_unbounded ? Dim::unbounded : length_of(rows.high, columns.high, offset[0])};
}

struct Diagonal {
  static constexpr std::string_view name = "diagonal";
  static constexpr const Op& op = diagonal_op;
  static constexpr std::tuple fields{
      operand("x", "whose diagonals are picked"),
      parameter("offset", "how many columns further to the right", 0),
      parameter("axis1", "the axis of rows", 0), parameter("axis2", "the axis of columns", 1)};

  static KnownType infer(const KnownType& x, const Ints& offset, const Ints& axis1,
                         const Ints& axis2) {
    if (x.shape.has_rank() && x.shape.rank() < 2)
      throw ParameterError(
          "bad_rank", fmt::format("diagonal: x has rank {}, expected at least 2", x.shape.rank()));
    check_singles(name, {{"offset", offset}, {"axis1", axis1}, {"axis2", axis2}});
    if (!x.shape.has_rank()) return x;
    if (is_any_open(axis1, axis2)) return {x.dtype, Extents::of_rank(x.shape.rank() - 1)};
    const auto [row, column] = check_axes(axis1, axis2, x.shape);
    KnownType result{x.dtype, {}};
    for (std::size_t axis = 0; axis < x.shape.rank(); ++axis)
      if (axis != row && axis != column) result.shape.push_back(x.shape[axis]);
    result.shape.push_back(length_of(x.shape[row], x.shape[column], offset));
    return result;
  }

  /// The axis of rows and that of columns.
  static std::pair<std::size_t, std::size_t> check_axes(const Ints& axis1, const Ints& axis2,
                                                        const Extents& shape) {
    const std::size_t row = check_axis(name, axis1, 0, shape);
    const std::size_t column = check_axis(name, axis2, 0, shape);
    if (row == column)
      throw AxisError("duplicate_axes",
                      fmt::format("diagonal: axis1 {} and axis2 {} are the same axis (rank {})",
                                  axis1.text(0), axis2.text(0), shape.rank()));
    return {row, column};
  }

  static Tensor make(const TensorType& type, const Tensor& x, const Ints& offset, const Ints& axis1,
                     const Ints& axis2) {
    const Tensor line = reshape(x, {x.size()});
    // Beside an extent of 0 strides may be beyond int64.
    if (x.size() == 0 || type.shape.back() == 0) return reshape(slice(line, {0}, {0}), type.shape);
    const auto [row, column] = check_axes(axis1, axis2, x.shape());
    const Shape from = row_major_strides(x.shape());
    Shape strides;
    for (std::size_t axis = 0; axis < x.rank(); ++axis)
      if (axis != row && axis != column) strides.push_back(from[axis]);
    strides.push_back(from[row] + from[column]);
    const std::int64_t first = offset[0] < 0 ? -offset[0] * from[row] : offset[0] * from[column];
    return strided(
        name, line, type.shape, strides, first,
        [rows = row, columns = column, by = offset[0], shape = x.shape()](const Tensor& cotangent) {
          return placed(cotangent, rows, columns, by, shape);
        });
  }

  /// Zeros, flat, with the diagonal replaced: where rows and columns are one axis, it is a slice.
  static Tensor placed(const Tensor& diagonal, std::size_t row, std::size_t column,
                       std::int64_t offset, const Shape& shape) {
    const std::int64_t rows = shape[row], columns = shape[column];
    Shape merged, parted;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      if (axis != row && axis != column) merged.push_back(shape[axis]);
    parted = merged;
    merged.push_back(rows * columns);
    parted.push_back(rows);
    parted.push_back(columns);
    const std::int64_t first = offset < 0 ? -offset * columns : offset;
    const std::int64_t end = first + (diagonal.shape().back() - 1) * (columns + 1) + 1;
    const Tensor zero = zeros(merged, diagonal.dtype());
    const std::int64_t to[] = {static_cast<std::int64_t>(row), static_cast<std::int64_t>(column)};
    return zero.slice_scatter(diagonal, {first}, {end}, {columns + 1}, {-1})
        .reshape(parted)
        .moveaxis({-2, -1}, {to[0], to[1]})
        .reshape(-1);
  }
};

}  // namespace

constinit const Op diagonal_op = op_of<Diagonal>();

Tensor diagonal(const Tensor& x, const Ints& offset, const Ints& axis1, const Ints& axis2) {
  return build<Diagonal>(x, offset, axis1, axis2);
}

Tensor Tensor::diagonal(const Ints& offset, const Ints& axis1, const Ints& axis2) const {
  return weft::diagonal(*this, offset, axis1, axis2);
}

}  // namespace weft
