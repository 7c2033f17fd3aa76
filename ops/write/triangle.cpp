// SPDX-License-Identifier: Apache-2.0
// triangle: what it refuses, and how a box is pulled back through it.
#include <weft/ops/write/triangle.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/graph/map/box.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/structure.h>
#include <weft/ops/create/scalar.h>

namespace weft {
namespace {

class Triangle final : public Node {
 public:
  Triangle(const Tensor& x, const Tensor& zero, std::int64_t k, Side side)
      : Node(x.dtype(), x.shape(), inputs_of(x, zero)), k_(k), side_(side) {}

  std::string_view op() const noexcept override { return side_ == Side::lower ? "tril" : "triu"; }
  std::string parameters() const override { return fmt::format("k={}", k_); }

  /// Rows that the diagonal crosses, no more than there are columns, are each cut there; those
  /// above and below are whole.
  void pull_back(const Box& box, PullBack& to) const override {
    const std::int32_t columns = static_cast<std::int32_t>(rank()) - 1, rows = columns - 1;
    const bool is_lower = side_ == Side::lower;
    // Row i is cut in front of column i + first_right.
    const std::int64_t first_right = is_lower ? k_ + 1 : k_, width = shape()[rank() - 1];
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

  bool add_parameters(Structure& to) const override {
    to.add(k_);
    to.add(static_cast<std::int64_t>(side_));
    return true;
  }

  std::size_t trace(Index& index) const override {
    const std::int64_t right = index.back() - index[index.size() - 2];
    if (side_ == Side::lower ? right <= k_ : right >= k_) return 0;
    index.clear();
    return 1;
  }

 private:
  std::int64_t k_;
  Side side_;
};

}  // namespace

Tensor triangle(std::string_view op, const Tensor& x, const Ints& k, Side side) {
  if (x.rank() < 2)
    throw ParameterError("bad_rank",
                         fmt::format("{}: x has rank {}, expected at least 2", op, x.rank()));
  const std::int64_t given = check_single(op, "k", k);
  // Beyond the corners it makes no difference.
  const std::int64_t rows = x.shape()[x.rank() - 2], columns = x.shape()[x.rank() - 1];
  const std::int64_t diagonal = std::clamp(given, -rows, columns);
  return make_tensor<Triangle>(x, Scalar(0).as(x.dtype(), op), diagonal, side);
}

}  // namespace weft
