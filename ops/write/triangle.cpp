// SPDX-License-Identifier: Apache-2.0
// triangle: what it refuses, and how a box is pulled back through it.
#include <weft/ops/write/triangle.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/graph/map/box.h>
#include <weft/ops/create/scalar.h>

namespace weft {

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
  return tensor_of(std::move(triangle), std::move(type), x, zero);
}

/// Rows that the diagonal crosses, no more than there are columns, are each cut there; those above
/// and below are whole.
void Triangle::pull_back(const Shape& shape, const Box& box, PullBack& to) const {
  const std::int32_t columns = static_cast<std::int32_t>(shape.size()) - 1, rows = columns - 1;
  const bool is_lower = side == Side::lower;
  // Row i is cut in front of column i + first_right.
  const std::int64_t first_right = is_lower ? k + 1 : k, width = shape[shape.size() - 1];
  Boxes& x = to.plain(0);
  Boxes zeros = to.list(), rest = to.list(), crossed = to.list(), lines = to.list();
  Boxes &left = is_lower ? x : zeros, &right = is_lower ? zeros : x;
  split(box, rows, 1 - first_right, right, rest);
  for (const Box& lower : rest) split(lower, rows, width - first_right, crossed, left);
  for (const Box& part : crossed) isolate(part, rows, lines);
  for (const Box& line : lines) {
    const std::int64_t row = line.origin[static_cast<std::size_t>(rows)];
    split(line, columns, row + first_right, left, right);
  }
  for (Box& part : zeros) {
    relabel(part, {});
    to.plain(1).push_back(std::move(part));
  }
}

std::size_t Triangle::trace(const Shape&, Index& index) const {
  const std::int64_t right = index.back() - index[index.size() - 2];
  if (side == Side::lower ? right <= k : right >= k) return 0;
  index.clear();
  return 1;
}

}  // namespace weft
