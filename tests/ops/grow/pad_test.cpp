// SPDX-License-Identifier: Apache-2.0
// pad: more positions on both sides.
#include <algorithm>
#include <array>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("pad: 0 is a number, and text of any kind a mode") {
  const Tensor x = array({1, 2});
  expect<int>(x.pad(1, 1, 0), {4}, {0, 1, 2, 0});
  expect<int>(pad(x, 1, 1, 0), {4}, {0, 1, 2, 0});
  expect<int>(x.pad(1, 0, std::string("edge")), {3}, {1, 1, 2});
  expect<int>(pad(x, 1, 0, std::string_view("edge")), {3}, {1, 1, 2});
}

TEST_CASE("pad: the modes of numpy.pad") {
  const Tensor x = array({1, 2, 3});
  expect<int>(x.pad({2}, {1}), {6}, {0, 0, 1, 2, 3, 0});
  expect<int>(x.pad({2}, {1}, 9), {6}, {9, 9, 1, 2, 3, 9});
  expect<int>(x.pad(2, 1, "edge"), {6}, {1, 1, 1, 2, 3, 3});
  expect<int>(x.pad(2, 2, "reflect"), {7}, {3, 2, 1, 2, 3, 2, 1});
  expect<int>(x.pad(3, 2, "symmetric"), {8}, {3, 2, 1, 1, 2, 3, 3, 2});
  expect<int>(x.pad(3, 2, "wrap"), {8}, {1, 2, 3, 1, 2, 3, 1, 2});
  expect<int>(array({{1, 2}}).pad({1, 0}, {0, 1}, 7), {2, 3}, {7, 7, 7, 1, 2, 7});
}

TEST_CASE("pad: one number or a list, on all axes, with any value") {
  const Tensor x = iota<int>({1, 2});
  expect<int>(x.pad(1, 0, 7), {2, 3}, {7, 7, 7, 7, 0, 1});
  expect<int>(pad(x, {0, 1}, {1, 0}, scalar(3).tile({1}).squeeze()), {2, 3}, {3, 0, 1, 3, 3, 3});
  expect<float>(iota<float>(1).pad(1, 0, -0.5), {2}, {-0.5f, 0});
  expect<bool>(array({true}).pad(1, 1, 2), {3}, {true, true, true});
  expect<std::uint8_t>(full({1}, std::uint8_t{1}).pad(0, 1, 255), {2}, {1, 255});
  expect<std::complex<float>>(full({1}, std::complex<float>(1, 2)).pad(0, 1, 3), {2},
                              {{1, 2}, {3, 0}});
}

TEST_CASE("pad: rank 0, extents of 0, and nothing to add") {
  expect<int>(scalar(5).pad(3, 4), {}, {5});
  expect<int>(scalar(5).pad(Ints(), Ints(), "wrap"), {}, {5});
  expect<int>(full({0, 1}, 1).pad({1, 0}, 0, 9), {1, 1}, {9});
  expect<int>(full({0, 2}, 1).pad({0, 1}, {0, 1}, "reflect"), {0, 4}, {});
  expect<int>(iota<int>(3).pad(0, 0, "edge"), {3}, {0, 1, 2});
}

TEST_CASE("pad: two axes of each mode, to the last that is allowed") {
  const Tensor x = array({{1, 2}, {3, 4}});
  expect<int>(x.pad(1, {0, 1}, "edge"), {3, 4}, {1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4});
  expect<int>(x.pad({0, 1}, {1, 0}, "reflect"), {3, 3}, {2, 1, 2, 4, 3, 4, 2, 1, 2});
  expect<int>(x.pad({0, 2}, {2, 0}, "symmetric"), {4, 4},
              {2, 1, 1, 2, 4, 3, 3, 4, 4, 3, 3, 4, 2, 1, 1, 2});
  expect<int>(x.pad({2, 0}, {0, 1}, "wrap"), {4, 3}, {1, 2, 1, 3, 4, 3, 1, 2, 1, 3, 4, 3});
}

TEST_CASE("pad: far, only what is asked for is made") {
  const std::int64_t far = std::int64_t{1} << 60;
  const Tensor x = full({2}, std::int8_t{3}).pad(far, far);
  CHECK(x.shape() == Shape{2 * far + 2});
  expect<std::int8_t>(x.slice({far - 1}, {far + 3}), {4}, {0, 3, 3, 0});
}

TEST_CASE("pad: many axes at once, in every mode") {
  const Tensor x = full({1, 2, 1, 2, 1, 1, 2, 1, 1, 1}, 1);
  for (const char* mode : {"edge", "symmetric", "wrap"}) {
    const Tensor y = x.pad(1, 1, mode);
    CHECK(y.size() == 3 * 4 * 3 * 4 * 3 * 3 * 4 * 3 * 3 * 3);
    CHECK(reference_values<int>(y.eval()) ==
          std::vector<int>(static_cast<std::size_t>(y.size()), 1));
  }
  const Tensor row = rank_16().pad(0, 1, "edge").slice(List(15, 0), List(15, 1));
  expect<int>(row.select(14, 0).squeeze(), {2}, {0, 0});
}

TEST_CASE_TEMPLATE("pad: widths may be of any integer type", T, std::int8_t, std::int16_t,
                   std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t) {
  expect<int>(iota<int>(2).pad(std::vector<T>{1}, T{2}, 9), {5}, {9, 0, 1, 9, 9});
  expect<int>(iota<int>(2).pad(array<T>({1}), scalar(T{0}), "edge"), {3}, {0, 0, 1});
}

TEST_CASE("pad: types, ranks and lengths that do not fit are refused, in this order") {
  const Tensor x = iota<int>({2, 3});
  refuses<DtypeError>("dtype_mismatch", "pad: value is f32, expected i32 as x",
                      [&] { pad(x, array({0.5f}), -7, array({1.5f}), "odd"); });
  refuses<DtypeError>("dtype_mismatch", "pad: the value 0.5 is no element of type i32",
                      [&] { x.pad(1, 1, 0.5); });
  refuses<DtypeError>("dtype_mismatch", "pad: the value 1 is no element of type struct of 3 bytes",
                      [] { full({}, std::array<std::byte, 3>{}).pad(1, 1, 1); });
  refuses<ParameterError>("bad_rank", "pad: value has rank 1, expected 0",
                          [&] { pad(x, array({0.5f}), -7, array({1}), "odd"); });
  refuses<DtypeError>("dtype_mismatch", "pad: after is f32, expected an integer type",
                      [&] { x.pad(array({{1}}), array({{0.5f}}), "odd"); });
  refuses<ParameterError>("bad_rank", "pad: after has rank 2, expected a scalar or a list",
                          [&] { x.pad({-7}, array({{1}}), "odd"); });
  refuses<ParameterError>("bad_rank", "pad: before is none, expected a scalar or a list",
                          [&] { x.pad(none, 1); });
  refuses<ParameterError>("length_mismatch",
                          "pad: before has 1 entries, expected 2, one for each "
                          "axis",
                          [&] { x.pad({-7}, {-7}, "odd"); });
  refuses<ParameterError>("length_mismatch",
                          "pad: after has 3 entries, expected 2, one for each "
                          "axis",
                          [&] {
                            x.pad(-7, {1, 2, 3}, "odd");
                          });
}

TEST_CASE("pad: modes, widths and results that cannot be are refused") {
  const Tensor x = iota<int>({2, 3});
  refuses<ParameterError>(
      "bad_mode",
      "pad: mode is \"odd\", expected one of constant, edge, reflect, symmetric, "
      "wrap",
      [&] { x.pad(9, 9, "odd"); });
  refuses<ShapeError>("shape_mismatch", "pad: before is [0, -1], expected none below 0", [&] {
    x.pad({0, -1}, 0);
  });
  refuses<ShapeError>("shape_mismatch", "pad: after is -9223372036854775808, expected none below 0",
                      [&] { scalar(1).pad(0, lowest); });
  const auto most = [](const std::string& mode, const std::string& given, int possible) {
    return "pad: after is " + given + " on axis 1 of extent 3, in mode " + mode + " at most " +
           std::to_string(possible) + " is possible";
  };
  refuses<ShapeError>("shape_mismatch", most("reflect", "3", 2), [&] {
    x.pad(0, {1, 3}, "reflect");
  });
  refuses<ShapeError>("shape_mismatch", most("symmetric", "4", 3), [&] {
    x.pad(0, {1, 4}, "symmetric");
  });
  refuses<ShapeError>("shape_mismatch", most("wrap", "18446744073709551615", 3), [&] {
    x.pad(0, u64s({0, 18446744073709551615u}), "wrap");
  });
  refuses<ShapeError>("shape_mismatch",
                      "pad: before is 1 on axis 0 of extent 0, in mode edge at most 0 is possible",
                      [] { full({0}, 1).pad(1, 0, "edge"); });
  refuses<OverflowError>("overflow", "pad: before is 18446744073709551615, more than int64 holds",
                         [&] {
                           x.pad(u64s({0, 18446744073709551615u}), 0);
                         });
  refuses<OverflowError>("overflow", "pad: axis 0 of [2, 3] gets longer than int64 holds",
                         [&] { x.pad(highest, highest); });
  refuses<OverflowError>("overflow",
                         "pad: a tensor of shape [4611686018427387904, 3] and type i32 would have "
                         "more than 2^62 bytes",
                         [&] {
                           x.pad({(std::int64_t{1} << 62) - 2, 0}, 0);
                         });
}

TEST_CASE("pad: moves the bytes of any element, and rank 16") {
  for (const char* mode : {"edge", "reflect", "symmetric", "wrap"})
    moves_any_element({3, 4}, [&](const Tensor& x) { return x.pad({1, 2}, {2, 0}, mode); });
  moves_any_element({3, 4}, [](const Tensor& x) {
    return pad(x, 1, 0, x.slice({2, 1}, {3, 2}).squeeze());
  });
  const Tensor x = rank_16();
  expect_same(x.pad(1, 1).crop(List(16, 1), List(16, 1)), x);
}

TEST_CASE("pad: a struct is padded with bytes of 0") {
  using Rgb = std::array<std::uint8_t, 3>;
  expect<Rgb>(full({1}, Rgb{1, 2, 3}).pad(1, 0), {2}, {Rgb{0, 0, 0}, Rgb{1, 2, 3}});
}

TEST_CASE("pad: what is known of open shapes") {
  const Tensor x = placeholder(f32, {"n", Dim(3, 9), 4}), open = placeholder(i64, {-1});
  const auto shape_of = [](const Tensor& y) { return to_string(y.partial_shape()); };
  CHECK(shape_of(x.pad({0, 1, 2}, {0, 2, 3})) == "[n, 6..12, 9]");
  CHECK(shape_of(x.pad(1, {0, 2, 3}, "edge")) == "[1.., 6..12, 8]");
  CHECK(shape_of(x.pad(open, 1)) == "[?, ?, ?]");
  CHECK(shape_of(placeholder(f32, {-1}).pad({highest}, {highest})) == "[?]");
  CHECK(shape_of(placeholder(f32, PartialShape::any()).pad(1, 1)) == "[...]");
  CHECK(shape_of(pad(x, 0, 1, placeholder(f32, PartialShape::any()))) == "[1.., 4..10, 5]");
}

TEST_CASE("pad: a value is rounded once, also to 16 bits") {
  const auto bits = [](DType dtype, double value) {
    const std::vector<std::byte> bytes = reference_value(Scalar(value).as(dtype, "pad"));
    std::uint16_t element;
    std::memcpy(&element, bytes.data(), 2);
    return element;
  };
  CHECK(bits(f16, 1.00048828125 + 0x1p-40) == 0x3c01);  // by way of a float it were a tie, 0x3c00
  CHECK(bits(f16, 1.00048828125) == 0x3c00);
  CHECK(bits(f16, -1.00048828125 - 0x1p-40) == 0xbc01);
  CHECK(bits(f16, 65519.999999999) == 0x7bff);
  CHECK(bits(f16, 1e300) == 0x7c00);
  CHECK(bits(bf16, 1.00390625 + 0x1p-40) == 0x3f81);
  CHECK(bits(bf16, 1.00390625) == 0x3f80);
  CHECK(bits(f16, 0.5) == 0x3800);
}

namespace weft::testing {

void draw_pad(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  static constexpr const char* modes[] = {"constant", "edge", "reflect", "symmetric", "wrap"};
  const std::size_t mode = random.below(5);
  List before, after;
  std::int64_t room = drawing.room();
  for (const std::int64_t n : shape) {
    const std::int64_t allowed = mode == 0 ? 4 : n == 0 ? 0 : mode == 1 ? 4 : mode == 2 ? n - 1 : n;
    const std::int64_t most = room > 2 ? std::min<std::int64_t>(allowed, 2 * n + 1) : 0;
    before.push_back(random.one_in(2) ? random.in(0, most) : 0);
    after.push_back(random.one_in(2) ? random.in(0, most) : 0);
    if (before.back() + after.back() > 0) room /= 5;
  }
  const std::size_t x = drawing.x(), value = drawing.leaf({});
  drawing.add("pad", {x, value}, {before, after}, {modes[mode]});
}

}  // namespace weft::testing
