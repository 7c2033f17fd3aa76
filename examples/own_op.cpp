// SPDX-License-Identifier: Apache-2.0
// An op of one's own: every second row of an image shifted, as bricks are laid. It fuses with
// weft's ops like one of them. docs/adding-an-op.md goes through it line by line.
#include <fmt/format.h>

#include <string>

#include <weft/op.h>
#include <weft/testing/check.h>
#include <weft/weft.h>

namespace bricks {

using weft::Box;
using weft::Boxes;
using weft::Index;
using weft::Ints;
using weft::Tensor;

/// The node: out[..., i, j] = x[..., i, (j - (i mod 2) * shift) mod n].
class Brick final : public weft::Node {
 public:
  Brick(const Tensor& x, std::int64_t shift)
      : Node(x.dtype(), x.shape(), weft::inputs_of(x)), shift_(shift) {}

  std::string_view op() const noexcept override { return "brick"; }
  std::string parameters() const override { return fmt::format("shift={}", shift_); }

  /// The meaning, one element at a time: all else is checked against it.
  std::size_t trace(Index& index) const override {
    const std::int64_t row = index[rank() - 2], width = shape()[rank() - 1];
    std::int64_t& column = index[rank() - 1];
    if (row % 2 == 1) column = (column - shift_ + width) % width;
    return 0;  // of operand 0
  }

  /// The same for a box of elements at once.
  void pull_back(const Box& box, weft::PullBack& to) const override {
    const std::int32_t rows = static_cast<std::int32_t>(rank()) - 2, columns = rows + 1;
    Boxes courses = to.list(), even = to.list(), odd = to.list(), turned = to.list();
    weft::divmod(box, rows, 2, courses);  // row becomes row mod 2, and row / 2 on a new last axis
    for (const Box& course : courses) weft::split(course, rows, 1, even, odd);
    for (const Box& part : odd) weft::rotate(part, columns, shift_, shape()[rank() - 1], turned);
    append(even, std::move(turned));
    for (Box& part : even) weft::undivide(part, rows, 2);  // and back to rows
    to.add(0, std::move(even));
  }

  /// With the shapes, what makes two calls the same, so that plans are used again.
  bool add_parameters(weft::Structure& to) const override {
    to.add(shift_);
    return true;
  }

 private:
  std::int64_t shift_;  // in (0, width)
};

Tensor brick(const Tensor& x, const Ints& shift);

/// What is known of the result's shape where x or shift is not known before a program runs.
weft::PartialShape infer(const weft::Arguments& arguments) {
  return arguments.operands[0].partial_shape();
}

const weft::Op brick_op{"brick", {"x"}, {"shift"}, weft::call<brick>, infer};

Tensor brick(const Tensor& x, const Ints& shift) {
  if (weft::is_any_open(brick_op, x, shift)) return weft::defer(brick_op, {{x}, {shift}});
  if (x.rank() < 2)
    throw weft::ParameterError("bad_rank",
                               fmt::format("brick: x has rank {}, expected at least 2", x.rank()));
  const std::int64_t given = weft::check_single("brick", "shift", shift);
  const std::int64_t width = x.shape()[x.rank() - 1];
  const std::int64_t turn = width == 0 ? 0 : (given % width + width) % width;
  return turn == 0 ? x : weft::make_tensor<Brick>(x, turn);
}

}  // namespace bricks

int main() {
  using bricks::brick;
  const weft::Tensor wall = weft::iota<int>({4, 6}).apply(brick, 2);
  fmt::print("{}\n", wall);

  // It fuses: one pass from the stored tensor, whatever stands before and after it.
  const weft::Tensor chain = weft::iota<int>({64, 96}).roll(5, 1).apply(brick, 7).transpose();
  fmt::print("{}", weft::explain(chain));

  // It is checked as weft's own are.
  const std::string wrong =
      weft::testing::check_op([](const weft::Tensor& x) { return x.apply(brick, 2); }, {4, 6});
  fmt::print("check: {}\n", wrong.empty() ? "agrees with its meaning everywhere" : wrong);

  // And programs keep it: here the batch is open.
  const weft::Program program({weft::placeholder(weft::i32, {"batch", 4, 6})},
                              [](const weft::Tensor& x) { return x.apply(brick, 1).flip(); });
  fmt::print("{}", to_string(program));
  return wrong.empty() ? 0 : 1;
}
