// SPDX-License-Identifier: Apache-2.0
// triangle: what it refuses, and how a box is pulled back through it.
#include <weft/ops/write/triangle.h>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include <weft/graph/map/box.h>
#include <weft/ops/create/scalar.h>
#include <weft/ops/shape/reshape.h>

namespace weft {
namespace {

/// Rows of matrices that are lines, each of which is cut in front of column row + first_right. The
/// rows are taken in blocks of as many as there are blocks, about. Squares around the diagonal are
/// alike, as far apart as rows and columns go on together: row i of all of them is one box. So
/// boxes are as many as the root of rows, not as rows.
class Staircase {
 public:
  /// Of digit `digit`, which goes through whole rows of `columns` elements.
  Staircase(const Box& box, std::size_t digit, std::int64_t columns, std::int64_t first_right,
            Boxes& left, Boxes& right)
      : box_(box),
        at_(digit),
        digit_(box.digits[digit]),
        columns_(columns),
        right_of_(first_right),
        left_(left),
        right_(right) {}

  void cut() {
    const std::int64_t first = origin() / columns_, end = first + digit_.extent / columns_;
    const std::int64_t crossed = std::clamp(1 - right_of_, first, end);
    const std::int64_t below = std::clamp(columns_ - right_of_, crossed, end);
    add(right_, first, 0, crossed - first, columns_, columns_);
    add(left_, below, 0, end - below, columns_, columns_);
    const std::int64_t rows = below - crossed;
    const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(rows)));
    if (rows == 0) return;
    const std::int64_t blocks = rows / side, square = crossed + right_of_;
    for (std::int64_t b = 0; b < blocks; ++b) cut_rows(crossed + b * side, side);
    for (std::int64_t i = 0; i < side; ++i) {
      add(left_, crossed + i, square, blocks, side * (columns_ + 1), i);
      add(right_, crossed + i, square + i, blocks, side * (columns_ + 1), side - 1 - i);
    }
    for (std::int64_t row = crossed + blocks * side; row < below; ++row) cut_rows(row, 1);
  }

 private:
  /// What lies on either side of the square that the diagonal crosses in so many rows.
  void cut_rows(std::int64_t row, std::int64_t count) {
    const std::int64_t square = row + right_of_, behind = square + count - 1;
    add(left_, row, 0, count, columns_, square);
    add(right_, row, behind, count, columns_, columns_ - behind);
  }

  /// `width` elements from there on, so often, `apart` elements from one another.
  void add(Boxes& to, std::int64_t row, std::int64_t column, std::int64_t count, std::int64_t apart,
           std::int64_t width) {
    if (count == 0 || width == 0) return;
    const std::int64_t at = row * columns_ + column;
    Box& part = to.emplace_back(box_);
    part.out_offset += (at - origin()) * digit_.out_stride;
    part.origin[static_cast<std::size_t>(digit_.axis)] = at;
    part.digits[at_] = {count, apart * digit_.out_stride, apart, digit_.axis};
    part.digits.insert(part.digits.begin() + at_ + 1, {width, digit_.out_stride, 1, digit_.axis});
  }
  std::int64_t origin() const { return box_.origin[static_cast<std::size_t>(digit_.axis)]; }

  const Box& box_;
  const std::size_t at_;
  const Digit digit_;
  const std::int64_t columns_, right_of_;
  Boxes &left_, &right_;
};

/// The one digit of an axis, where it goes through whole rows of so many elements.
std::optional<std::size_t> digit_of_rows(const Box& box, std::int32_t axis, std::int64_t columns) {
  std::optional<std::size_t> found;
  for (std::size_t k = 0; k < box.digits.size(); ++k) {
    if (box.digits[k].axis != axis) continue;
    if (found) return {};
    found = k;
  }
  if (!found) return {};
  const Digit& digit = box.digits[*found];
  if (digit.table || digit.in_stride != 1 || digit.extent % columns != 0 ||
      box.origin[static_cast<std::size_t>(axis)] % columns != 0)
    return {};
  return found;
}

}  // namespace

KnownType Triangle::infer(std::string_view op, const KnownType& x, const Ints& k) {
  if (x.shape.has_rank() && x.shape.rank() < 2)
    throw ParameterError("bad_rank",
                         fmt::format("{}: x has rank {}, expected at least 2", op, x.shape.rank()));
  check_one(op, "k", k);
  return x;
}

Tensor Triangle::make(TensorType type, const Tensor& x, const Ints& k, Side side) {
  // Beyond the corners it makes no difference.
  const std::size_t rank = type.shape.size();
  const std::int64_t rows = type.shape[rank - 2], columns = type.shape[rank - 1];
  Triangle triangle{std::clamp(k[0], -rows, columns), side};
  const Tensor zero = Scalar(0).as(type.dtype, triangle.op_name());
  if (!x.is_stored() || x.size() == 0)
    return tensor_of(std::move(triangle), std::move(type), x, zero);
  triangle.columns = columns;
  TensorType lines = type;
  lines.shape.pop_back();
  lines.shape.back() *= columns;
  const Tensor matrices = reshape(x, lines.shape);
  return reshape(tensor_of(std::move(triangle), std::move(lines), matrices, zero), type.shape);
}

void Triangle::pull_back(const Shape& shape, const Box& box, PullBack& to) const {
  const std::int32_t last = static_cast<std::int32_t>(shape.size()) - 1;
  Boxes kept = to.list(), zeros = to.list();
  Boxes &left = side == Side::lower ? kept : zeros, &right = side == Side::lower ? zeros : kept;
  if (columns == 0) {
    cut(box, last - 1, last, shape.back(), to, left, right);
  } else if (const auto digit = digit_of_rows(box, last, columns)) {
    Staircase(box, *digit, columns, first_right(), left, right).cut();
  } else {
    Boxes matrices = to.list();
    divmod(box, last, columns, matrices);
    for (const Box& part : matrices) cut(part, last + 1, last, columns, to, left, right);
    for (Box& part : kept) undivide(part, last, columns);
  }
  to.add(0, std::move(kept));
  for (Box& part : zeros) {
    relabel(part, {});
    to.plain(1).push_back(std::move(part));
  }
}

/// Rows that the diagonal crosses, no more than there are columns, are each cut there; those above
/// and below are whole.
void Triangle::cut(const Box& box, std::int32_t rows, std::int32_t across, std::int64_t width,
                   PullBack& to, Boxes& left, Boxes& right) const {
  Boxes rest = to.list(), crossed = to.list(), lines = to.list();
  split(box, rows, 1 - first_right(), right, rest);
  for (const Box& lower : rest) split(lower, rows, width - first_right(), crossed, left);
  for (const Box& part : crossed) isolate(part, rows, lines);
  for (const Box& line : lines) {
    const std::int64_t row = line.origin[static_cast<std::size_t>(rows)];
    split(line, across, row + first_right(), left, right);
  }
}

Tensors Triangle::adjoint(const Tensor& cotangent, const Tensor&, const Tensors&) const {
  const auto kept = [&](const Tensor& of) { return side == Side::lower ? of.tril(k) : of.triu(k); };
  if (columns == 0) return {kept(cotangent), {}};
  Shape shape = cotangent.shape();
  shape.back() /= columns;
  shape.push_back(columns);
  return {reshape(kept(reshape(cotangent, shape)), cotangent.shape()), {}};
}

std::size_t Triangle::trace(const Shape&, Index& index) const {
  const std::int64_t right = columns == 0 ? index.back() - index[index.size() - 2]
                                          : index.back() % columns - index.back() / columns;
  if (side == Side::lower ? right <= k : right >= k) return 0;
  index.clear();
  return 1;
}

}  // namespace weft
