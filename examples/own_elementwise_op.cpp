// SPDX-License-Identifier: Apache-2.0
// An elementwise op of one's own: a function of one element, which becomes a step of the programs
// that weft's ops are steps of. docs/adding-an-op.md goes through it line by line.
#include <fmt/format.h>

#include <string>

#include <weft/elementwise_op.h>
#include <weft/testing/check.h>
#include <weft/weft.h>

namespace wavelets {

using weft::Tensor;

extern const weft::Op shrink_op, above_op;

/// What the op is, of one element: x moved towards 0 by so much, and not past it.
struct Shrink : weft::EntryOf<2, weft::kinds::floats> {
  static constexpr std::string_view name = "shrink";
  static constexpr const weft::Op& op = shrink_op;
  static constexpr std::array<std::string_view, 3> names{"x", "by"};

  template <class T>
  static T value(T x, T by) {
    return x > by ? x - by : x < -by ? x + by : x * 0;
  }
};

using ShrinkCall = weft::OwnElementwise<Shrink>;

constinit const weft::Op shrink_op = weft::op_of<ShrinkCall>();

Tensor shrink(const Tensor& x, const Tensor& by) { return weft::build<ShrinkCall>(x, by); }
Tensor shrink(const Tensor& x, const weft::Scalar& by) {
  return shrink(x, weft::weak("shrink", by, x));
}

/// Whether x is above a number; small integers are computed as they are.
struct Above : weft::EntryOf<2, weft::kinds::reals> {
  static constexpr std::string_view name = "above";
  static constexpr const weft::Op& op = above_op;
  static constexpr std::array<std::string_view, 3> names{"x", "bound"};
  static constexpr std::size_t numbers = 1;
  static constexpr bool makes_bool = true, takes_small = true;

  template <class T>
  static bool value(T x, T bound) {
    return x > bound;
  }
};

using AboveCall = weft::OwnElementwise<Above>;

constinit const weft::Op above_op = weft::op_of<AboveCall>();

Tensor above(const Tensor& x, double bound) { return weft::build<AboveCall>(x, bound); }

}  // namespace wavelets

int main() {
  using weft::Tensor, wavelets::shrink, wavelets::above;
  fmt::print("{}\n", shrink(weft::array({-2.0f, -0.5f, 0.25f, 1.5f}), 0.75f));

  // It fuses: one pass, in which it is a step between weft's.
  const Tensor x = weft::iota<float>({64, 96}), y = weft::iota<float>({96, 64});
  const Tensor chain = shrink(x.roll(5, 0) - y.transpose(), 40) * 2;
  fmt::print("{}", weft::explain(chain));

  // It is what its function says, whatever it is fused with.
  const std::string wrong = weft::testing::disagreement(chain);
  fmt::print("check: {}\n", wrong.empty() ? "agrees with its meaning everywhere" : wrong);

  // And programs keep it, of shapes that are not known before they run.
  const weft::Program program(
      {weft::placeholder(weft::f16, {"batch", 4}), weft::placeholder(weft::f16, {4})},
      [](const Tensor& image, const Tensor& noise) { return shrink(image, noise).flip(); });
  fmt::print("{}", to_string(program));

  // One that is told a number: bytes above it, the others 0.
  const weft::Program mask({weft::placeholder(weft::u8, {"rows", "columns"})},
                           [](const Tensor& image) { return where(above(image, 128), image, 0); });
  fmt::print("{}{}\n", to_string(mask),
             mask(weft::array<std::uint8_t>({{7, 128, 129}, {255, 0, 200}}))[0]);
  return wrong.empty() ? 0 : 1;
}
