// SPDX-License-Identifier: Apache-2.0
// unfold: sliding windows.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("unfold: shows every window along a new last axis") {
  const Tensor x = iota<int>(7);
  expect<int>(x.unfold(0, 3, 2), {3, 3}, {0, 1, 2, 2, 3, 4, 4, 5, 6});
  expect<int>(iota<int>({3, 2}).unfold(0, 2), {2, 2, 2}, {0, 2, 1, 3, 2, 4, 3, 5});
  expect<int>(x.unfold(0, 0, 3), {3, 0}, {});
}

TEST_CASE("unfold: windows apart, side by side, of one place, and of all") {
  const Tensor x = iota<int>(7);
  expect<int>(x.unfold(0, 2, 3), {2, 2}, {0, 1, 3, 4});
  expect<int>(x.unfold(-1, 3, 3), {2, 3}, {0, 1, 2, 3, 4, 5});
  expect<int>(x.unfold(0, 1, 2), {4, 1}, {0, 2, 4, 6});
  expect<int>(x.unfold(0, 7), {1, 7}, {0, 1, 2, 3, 4, 5, 6});
  expect<int>(iota<int>({2, 3}).unfold(1, 2), {2, 2, 2}, {0, 1, 1, 2, 3, 4, 4, 5});
}

TEST_CASE("unfold: extents of 0, and windows without places") {
  expect<int>(full({0, 3}, 1).unfold(1, 2), {0, 2, 2}, {});
  expect<int>(full({0}, 1).unfold(0, 0), {1, 0}, {});
  expect<int>(iota<int>(2).unfold(0, 0), {3, 0}, {});
}

TEST_CASE("unfold: windows of windows, and ops on windows that overlap") {
  const Tensor x = iota<int>(5);
  expect<int>(x.unfold(0, 3).unfold(1, 2), {3, 2, 2}, {0, 1, 1, 2, 1, 2, 2, 3, 2, 3, 3, 4});
  expect<int>(x.roll(1, 0).unfold(0, 2).flip(), {4, 2}, {3, 2, 2, 1, 1, 0, 0, 4});
  expect<int>(x.tile({2}).unfold(0, 4, 3).reshape({-1}).slice({3}, {9}), {6}, {3, 3, 4, 0, 1, 1});
  const std::int64_t million = 1 << 20;
  const Tensor huge = iota<int>(million).broadcast_to({million, million});
  expect<int>(huge.unfold(1, 100000, 3).slice({7, 5, 9}, {8, 7, 11}), {1, 2, 2}, {24, 25, 27, 28});
}

TEST_CASE_TEMPLATE("unfold: parameters may be of any integer type", T, std::int8_t, std::int16_t,
                   std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t) {
  const T zero = 0, two = 2, most = std::numeric_limits<T>::max();
  expect<int>(iota<int>(5).unfold(zero, two, two), {2, 2}, {0, 1, 2, 3});
  expect<int>(iota<int>(5).unfold(array<T>({0}), scalar(two), most), {1, 2}, {0, 1});
}

TEST_CASE("unfold: types, ranks, steps and axes that do not fit are refused") {
  const Tensor x = iota<int>({2, 3});
  refuses<DtypeError>("dtype_mismatch", "unfold: size is f32, expected an integer type",
                      [&] { x.unfold(7, array({{0.5f}}), 0); });
  refuses<ParameterError>("bad_rank", "unfold: step is none, expected a scalar or a list",
                          [&] { x.unfold(7, 7, none); });
  refuses<ParameterError>("length_mismatch", "unfold: axis has 2 entries, expected one", [&] {
    x.unfold({7, 7}, 7, 0);
  });
  for (const std::int64_t step : {std::int64_t{0}, std::int64_t{-1}, lowest})
    refuses<ParameterError>("zero_step",
                            "unfold: step is " + std::to_string(step) + ", expected 1 or more",
                            [&] { x.unfold(7, 7, step); });
  refuses<AxisError>("bad_axis", "unfold: axis 2 is out of range for rank 2 (shape [2, 3])",
                     [&] { x.unfold(2, 7); });
  refuses<AxisError>("bad_axis", "unfold: axis 0 is out of range for rank 0 (shape [])",
                     [] { scalar(1).unfold(0, 1); });
}

TEST_CASE("unfold: sizes that do not fit, and results that are too large, are refused") {
  const Tensor x = iota<int>({2, 3});
  const auto message = [](const std::string& size) {
    return "unfold: size is " + size + ", expected 0 to 3, the extent of axis 1 (shape [2, 3])";
  };
  for (const std::int64_t size : {std::int64_t{4}, std::int64_t{-1}, lowest, highest})
    refuses<ShapeError>("shape_mismatch", message(std::to_string(size)),
                        [&] { x.unfold(1, size); });
  refuses<ShapeError>("shape_mismatch", message("18446744073709551615"),
                      [&] { x.unfold(1, ints_of(u64, 0, {-1})); });
  refuses<ParameterError>("bad_rank",
                          "unfold: the result would have rank 17, at most 16 is allowed",
                          [] { rank_16().unfold(0, 1); });
  refuses<OverflowError>("overflow",
                         "unfold: a tensor of shape [2147483649, 2147483648] and type i32 would "
                         "have more than 2^62 bytes",
                         [] {
                           const std::int64_t half = std::int64_t{1} << 31;
                           full({2 * half}, 1).unfold(0, half);
                         });
  refuses<OverflowError>("overflow",
                         "unfold: axis 1 of [0, 9223372036854775807] has more windows than int64 "
                         "holds",
                         [] {
                           full({0, highest}, 1).unfold(1, 0);
                         });
  CHECK(full({0, highest}, 1).unfold(1, highest).shape() == Shape{0, 1, highest});
}

TEST_CASE("unfold: moves the bytes of any element, and to rank 16") {
  moves_any_element({3, 5}, [](const Tensor& x) { return x.unfold(1, 3); });
  const Tensor x = rank_16().select(1, 0);
  expect_same(x.unfold(0, 1).squeeze(-1), x);
}

TEST_CASE("unfold: what is known of open shapes") {
  const Tensor x = placeholder(f32, {"n", 7, Dim(3, 9)}), size = placeholder(i64, {-1});
  const auto shape_of = [](const Tensor& y) { return to_string(y.partial_shape()); };
  CHECK(shape_of(x.unfold(1, 3, 2)) == "[n, 3, 3..9, 3]");
  CHECK(shape_of(x.unfold(2, 3, 2)) == "[n, 7, 1..4, 3]");
  CHECK(shape_of(x.unfold(0, 3, 2)) == "[1.., 7, 3..9, 3]");
  CHECK(shape_of(x.unfold(0, 1)) == "[n, 7, 3..9, 1]");
  CHECK(shape_of(x.unfold(1, size)) == "[n, 1.., 3..9, ?]");
  CHECK(shape_of(x.unfold(placeholder(i64, {}), 3)) == "[?, ?, ?, 3]");
  CHECK(shape_of(placeholder(f32, PartialShape::any()).unfold(0, 3)) == "[...]");
  refuses<ShapeError>(
      "shape_mismatch",
      "unfold: size is 10, expected 0 to 9, the extent of axis 2 (shape [n, 7, 3..9])",
      [&] { x.unfold(2, 10); });
  refuses<ParameterError>("length_mismatch", "unfold: axis has 0 entries, expected one",
                          [&] { x.unfold(Ints(), size); });
}

namespace weft::testing {

void draw_unfold(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  if (shape.empty() || shape.size() >= Drawing::most_axes) return;
  const std::size_t axis = drawing.random_axis();
  const std::int64_t step = random.in(1, 3);
  const std::int64_t most = std::min(shape[axis], step * std::max<std::int64_t>(drawing.room(), 1));
  const std::int64_t size = random.in(std::min<std::int64_t>(1, most), most);
  drawing.add("unfold", {drawing.x()},
              {List{drawing.with_sign(axis, shape.size())}, List{size}, List{step}});
}

}  // namespace weft::testing
