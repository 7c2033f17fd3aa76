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

extern const weft::Op brick_op;
Tensor brick(const Tensor& x, const Ints& shift);

/// What the op is: out[..., i, j] = x[..., i, (j - (i mod 2) * shift) mod n].
struct Brick {
  std::int64_t shift;  // in (0, width)

  /// Its name and the list of what it is told and keeps: text, plans that are used again, programs
  /// and their JSON follow from it.
  static constexpr std::string_view name = "brick";
  static constexpr const weft::Op& op = brick_op;
  static constexpr std::tuple fields{
      weft::operand("x", "the wall, rows and columns last"),
      weft::parameter("shift", &Brick::shift, "places that every second row moves by")};

  /// What is refused, and what is known of the result: also where x or shift are not known before
  /// a program runs.
  static weft::KnownType infer(const weft::KnownType& x, const Ints& shift) {
    weft::check_one(name, "shift", shift);
    if (x.shape.has_rank() && x.shape.rank() < 2)
      throw weft::ParameterError(
          "bad_rank", fmt::format("brick: x has rank {}, expected at least 2", x.shape.rank()));
    return x;
  }

  /// The result, of arguments that infer has let pass.
  static Tensor make(weft::TensorType type, const Tensor& x, const Ints& shift) {
    const std::int64_t width = type.shape.back();
    const std::int64_t turn = width == 0 ? 0 : (shift[0] % width + width) % width;
    return turn == 0 ? x : weft::tensor_of(Brick{turn}, std::move(type), x);
  }

  /// The meaning, one element at a time: all else is checked against it.
  std::size_t trace(const weft::Shape& shape, Index& index) const {
    const std::int64_t row = index[shape.size() - 2], width = shape.back();
    std::int64_t& column = index.back();
    if (row % 2 == 1) column = (column - shift + width) % width;
    return 0;  // of operand 0
  }

  /// The same for a box of elements at once.
  void pull_back(const weft::Shape& shape, const Box& box, weft::PullBack& to) const {
    const std::int32_t rows = static_cast<std::int32_t>(shape.size()) - 2, columns = rows + 1;
    Boxes courses = to.list(), even = to.list(), odd = to.list(), turned = to.list();
    weft::divmod(box, rows, 2, courses);  // row becomes row mod 2, and row / 2 on a new last axis
    for (const Box& course : courses) weft::split(course, rows, 1, even, odd);
    for (const Box& part : odd) weft::rotate(part, columns, shift, shape.back(), turned);
    append(even, std::move(turned));
    for (Box& part : even) weft::undivide(part, rows, 2);  // and back to rows
    to.add(0, std::move(even));
  }

  weft::Tensors adjoint(const Tensor& cotangent, const Tensor&, const weft::Tensors&) const {
    return {brick(cotangent, -shift)};
  }
};

constinit const weft::Op brick_op = weft::op_of<Brick>();

Tensor brick(const Tensor& x, const Ints& shift) { return weft::build<Brick>(x, shift); }

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
