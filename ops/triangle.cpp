// triangle: what it refuses, and how a box is pulled back through it.
#include <weft/ops/triangle.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/graph/box.h>
#include <weft/graph/pull_back.h>
#include <weft/graph/structure.h>
#include <weft/ops/scalar.h>

namespace weft {
namespace {

class Triangle final : public Node {
 public:
  Triangle(const Tensor& x, const Tensor& zero, std::int64_t k, Side side)
      : Node(x.dtype(), x.shape(), inputs_of(x, zero)), k_(k), side_(side) {}

  std::string_view op() const noexcept override { return side_ == Side::lower ? "tril" : "triu"; }
  std::string parameters() const override { return fmt::format("k={}", k_); }

  /// The axis with fewer steps is taken step by step; for each of them the other is cut once.
  void pull_back(const Box& box, PullBack& to) const override {
    const std::int32_t columns = static_cast<std::int32_t>(rank()) - 1, rows = columns - 1;
    const bool by_row = steps(box, rows) <= steps(box, columns);
    // The first column right of the diagonal, or the first row below it, in the order of the cut.
    const std::int64_t first_right = side_ == Side::lower ? k_ + 1 : k_;
    Boxes& x = to.plain(0);
    Boxes lines = to.list(), zeros = to.list();
    isolate(box, by_row ? rows : columns, lines);
    for (const Box& line : lines) {
      const std::size_t a = static_cast<std::size_t>(by_row ? rows : columns);
      const std::int64_t at = line.origin[a];
      const bool keeps_left = side_ == Side::lower;
      if (by_row)
        split(line, columns, at + first_right, keeps_left ? x : zeros, keeps_left ? zeros : x);
      else  // rows above at - first_right + 1 have this column right of the diagonal
        split(line, rows, at - first_right + 1, keeps_left ? zeros : x, keeps_left ? x : zeros);
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
  static std::int64_t steps(const Box& box, std::int32_t axis) {
    std::int64_t count = 1;
    for (const Digit& digit : box.digits)
      if (digit.axis == axis) count *= digit.extent;
    return count;
  }

  std::int64_t k_;
  Side side_;
};

}  // namespace

PartialShape infer_triangle(const Arguments& arguments) {
  return arguments.operands[0].partial_shape();
}

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
