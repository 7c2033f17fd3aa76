// SPDX-License-Identifier: Apache-2.0
// repeat: every position several times.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("repeat: numbers in braces, and 0, are no text") {
  const Tensor x = array({1, 2});
  expect<int>(x.repeat(0), {0}, {});
  expect<int>(repeat(x, 0), {0}, {});
  expect<int>(x.repeat({2, 1}), {3}, {1, 1, 2});
  expect<int>(repeat(x, {2, 1}, 0), {3}, {1, 1, 2});
}

TEST_CASE("repeat: each position as often as told") {
  const Tensor x = array({{1, 2}, {3, 4}});
  expect<int>(x.repeat(2), {8}, {1, 1, 2, 2, 3, 3, 4, 4});
  expect<int>(x.repeat(2, 0), {4, 2}, {1, 2, 1, 2, 3, 4, 3, 4});
  expect<int>(x.repeat({1, 3}, -1), {2, 4}, {1, 2, 2, 2, 3, 4, 4, 4});
  expect<int>(x.repeat(0, 1), {2, 0}, {});
}

TEST_CASE("repeat: scalars are read flat; extents of 0 and repeats of 0") {
  expect<int>(scalar(5).repeat(3), {3}, {5, 5, 5});
  expect<int>(scalar(5).repeat(Ints(0)), {0}, {});
  expect<int>(full({0, 2}, 1).repeat(3, 0), {0, 2}, {});
  expect<int>(full({0, 2}, 1).repeat(Ints(), 0), {0, 2}, {});
  expect<int>(iota<int>(3).repeat(Ints({0, 2, 0}), 0), {2}, {1, 1});
  expect<int>(iota<int>(3).repeat(Ints({0, 0, 0}), 0), {0}, {});
  expect<int>(iota<int>({3, 1}).repeat(Ints({2}), 0), {6, 1}, {0, 0, 1, 1, 2, 2});
}

TEST_CASE_TEMPLATE("repeat: repeats may be of any integer type", T, std::int8_t, std::int16_t,
                   std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t) {
  expect<int>(iota<int>(2).repeat(std::vector<T>{1, 2}, 0), {3}, {0, 1, 1});
  expect<int>(iota<int>(2).repeat(array<T>({2, 0}), -1), {2}, {0, 0});
  const T most = std::numeric_limits<T>::max();
  if (sizeof(T) == 1)
    CHECK(iota<int>(2).repeat(most, 0).size() == 2 * static_cast<std::int64_t>(most));
}

TEST_CASE("repeat: many times, of huge tensors, only what is asked for is made") {
  const std::int64_t many = std::int64_t{1} << 40;
  const Tensor x = iota<int>(3);
  expect<int>(x.repeat(many).slice({many - 1}, {many + 1}), {2}, {0, 1});
  const Tensor y = x.repeat(Ints({many, 0, 2}), 0);
  CHECK(y.shape() == Shape{many + 2});
  expect<int>(y.slice({-4}, {highest}), {4}, {0, 0, 2, 2});
  expect<int>(x.repeat(Ints({200, 200, 3}), 0).slice({199}, {402}, {100}), {3}, {0, 1, 1});
}

TEST_CASE("repeat: types, ranks, axes and lengths that do not fit are refused") {
  const Tensor x = iota<int>({2, 3});
  for (const DType dtype : all_types())
    if (!dtype.is_integer())
      refuses<DtypeError>("dtype_mismatch",
                          "repeat: repeats is " + dtype.name() + ", expected an integer type",
                          [&] { x.repeat(ints_of(dtype, 2, {7}), 7); });
  refuses<ParameterError>("bad_rank", "repeat: repeats has rank 2, expected a scalar or a list",
                          [&] { x.repeat(array({{7}}), 7); });
  refuses<ParameterError>("bad_rank", "repeat: repeats is none, expected a scalar or a list",
                          [&] { x.repeat(Ints(none), 7); });
  refuses<ParameterError>("length_mismatch", "repeat: axis has 2 entries, expected one", [&] {
    x.repeat(7, {7, 8});
  });
  refuses<AxisError>("bad_axis", "repeat: axis 2 is out of range for rank 2 (shape [2, 3])",
                     [&] { x.repeat(-7, 2); });
  refuses<AxisError>("bad_axis", "repeat: axis 0 is out of range for rank 0 (shape [])",
                     [] { scalar(1).repeat(2, 0); });
  refuses<ShapeError>("shape_mismatch",
                      "repeat: there are 2 repeats, expected one, or one for each of 3 positions",
                      [&] {
                        x.repeat(Ints({1, 2}), 1);
                      });
  refuses<ParameterError>("negative_repeats", "repeat: repeats are [1, -2], expected none below 0",
                          [&] {
                            x.repeat(Ints({1, -2}), 0);
                          });
  refuses<ParameterError>("negative_repeats",
                          "repeat: repeats are -9223372036854775808, expected none below 0",
                          [&] { x.repeat(lowest); });
}

TEST_CASE("repeat: results that are too large are refused") {
  const Tensor x = full({2, 0}, 1);
  refuses<OverflowError>("overflow",
                         "repeat: 2 positions 9223372036854775807 times are more than int64 holds",
                         [&] { x.repeat(highest, 0); });
  refuses<OverflowError>("overflow", "repeat: the repeats are more than int64 holds", [&] {
    x.repeat(Ints({highest, std::int64_t{1}}), 0);
  });
  refuses<OverflowError>("overflow", "repeat: the repeats are more than int64 holds",
                         [&] { x.repeat(u64s({18446744073709551615u}), 0); });
  refuses<OverflowError>("overflow",
                         "repeat: a tensor of shape [2305843009213693952] and type i32 would have "
                         "more than 2^62 bytes",
                         [] { iota<int>(2).repeat(std::int64_t{1} << 60); });
  CHECK(full({1, 0}, 1).repeat(highest, 0).shape() == Shape{highest, 0});
}

TEST_CASE("repeat: moves the bytes of any element, and rank 16") {
  moves_any_element({2, 3}, [](const Tensor& x) { return x.repeat(2, 1); });
  moves_any_element({2, 3}, [](const Tensor& x) { return x.repeat(Ints({2, 0, 1}), 1); });
  expect_same(rank_16().repeat(2, -1).slice({0}, {highest}, {2}, {-1}), rank_16());
}

TEST_CASE("repeat: what is known of open shapes") {
  const Tensor x = placeholder(f32, {"n", Dim(2, 5)}), repeats = placeholder(i64, {-1});
  const auto shape_of = [](const Tensor& y) { return to_string(y.partial_shape()); };
  CHECK(shape_of(x.repeat(3, 1)) == "[n, 6..15]");
  CHECK(shape_of(x.repeat(1, 0)) == "[n, 2..5]");
  CHECK(shape_of(x.repeat(Ints({1, 2, 4}), 1)) == "[n, 7]");
  CHECK(shape_of(x.repeat(repeats, 0)) == "[?, 2..5]");
  CHECK(shape_of(x.repeat(2)) == "[?]");
  CHECK(shape_of(x.repeat(2, placeholder(i64, {}))) == "[?, ?]");
  CHECK(shape_of(placeholder(f32, PartialShape::any()).repeat(2, 0)) == "[...]");
  refuses<ParameterError>("length_mismatch", "repeat: axis has 0 entries, expected one",
                          [&] { x.repeat(repeats, Ints()); });
}

namespace weft::testing {

void draw_repeat(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  const std::int64_t room = std::max<std::int64_t>(drawing.room(), 1);
  if (shape.empty() || random.one_in(6)) {
    drawing.add("repeat", {drawing.x()}, {List{random.in(0, room)}, Numbers()});
    return;
  }
  const std::size_t axis = drawing.random_axis();
  List repeats{random.in(random.one_in(9) ? 0 : 1, std::min<std::int64_t>(room, 9))};
  if (random.one_in(3)) {
    repeats.clear();
    for (std::int64_t k = 0; k < shape[axis]; ++k)
      repeats.push_back(random.in(0, std::min<std::int64_t>(room, 3)));
    if (repeats.size() == 1) repeats[0] = 1;
  }
  drawing.add("repeat", {drawing.x()}, {repeats, List{drawing.with_sign(axis, shape.size())}});
}

}  // namespace weft::testing
