// SPDX-License-Identifier: Apache-2.0
// broadcast_to: axes of extent 1 repeated, leading axes added.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("broadcast_to: repeats axes of extent 1 and adds leading axes") {
  const Tensor row = array({1, 2, 3});
  expect<int>(row.broadcast_to({2, 3}), {2, 3}, {1, 2, 3, 1, 2, 3});
  const Tensor column = array({{1}, {2}});
  expect<int>(column.broadcast_to({2, 3}), {2, 3}, {1, 1, 1, 2, 2, 2});
  expect<int>(column.broadcast_to({2, 2, 2}), {2, 2, 2}, {1, 1, 2, 2, 1, 1, 2, 2});
}

TEST_CASE("broadcast_to: its own shape changes nothing") {
  expect<int>(iota<int>({2, 2}).broadcast_to({2, 2}), {2, 2}, {0, 1, 2, 3});
  expect<int>(scalar(7).broadcast_to({}), {}, {7});
}

TEST_CASE("broadcast_to: a scalar fills any shape") {
  expect<int>(scalar(7).broadcast_to({2, 2}), {2, 2}, {7, 7, 7, 7});
  expect<int>(scalar(7).broadcast_to(3), {3}, {7, 7, 7});
}

TEST_CASE("broadcast_to: an extent of 1 may become 0, and 0 stays 0") {
  expect<int>(iota<int>({1, 2}).broadcast_to({0, 2}), {0, 2}, {});
  expect<int>(iota<int>({0, 1}).broadcast_to({4, 0, 3}), {4, 0, 3}, {});
  expect<int>(scalar(7).broadcast_to({0, highest}), {0, highest}, {});
}

TEST_CASE("broadcast_to: over lazy operands and under other ops the elements are theirs") {
  const Tensor x = iota<int>({2, 1, 2}).flip();
  expect<int>(x.broadcast_to({2, 2, 2}).transpose(), {2, 2, 2}, {3, 1, 3, 1, 2, 0, 2, 0});
}

TEST_CASE("broadcast_to: the shape may be of any integer type, also a tensor") {
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    for (const int rank : {0, 1})
      CHECK(iota<int>(1).broadcast_to(ints_of(dtype, rank, {6})).shape() == Shape{6});
  CHECK(iota<int>(1).broadcast_to(array<std::uint16_t>({2, 3})).shape() == Shape{2, 3});
  CHECK(full<bool>({1}, true).broadcast_to(std::vector<std::uint8_t>{255, 255}).size() == 65025);
}

TEST_CASE("broadcast_to: a shape of another type or rank is refused") {
  for (const DType dtype : all_types())
    if (!dtype.is_integer())
      refuses<DtypeError>("dtype_mismatch",
                          "broadcast_to: shape is " + dtype.name() + ", expected an integer type",
                          [&] { iota<int>(1).broadcast_to(ints_of(dtype, 2, {-7})); });
  refuses<ParameterError>("bad_rank", "broadcast_to: shape has rank 2, expected a scalar or a list",
                          [] { iota<int>(1).broadcast_to(array({{-7}})); });
}

TEST_CASE("broadcast_to: a shape that does not fit is refused") {
  const Tensor x = iota<int>({2, 3});
  refuses<ShapeError>("shape_mismatch",
                      "broadcast_to: shape [2, 3] does not broadcast to [4, 3]: axis 0 has extent "
                      "2, expected 1 or 4",
                      [&] {
                        x.broadcast_to({4, 3});
                      });
  refuses<ShapeError>("shape_mismatch",
                      "broadcast_to: shape [2, 3] does not broadcast to [5, 2, 6]: axis 1 has "
                      "extent 3, expected 1 or 6",
                      [&] {
                        x.broadcast_to({5, 2, 6});
                      });
  refuses<ShapeError>("shape_mismatch",
                      "broadcast_to: shape [2, 3] does not broadcast to [3]: the rank is lower",
                      [&] { x.broadcast_to({3}); });
  refuses<ShapeError>("shape_mismatch",
                      "broadcast_to: extent -3 in shape [2, -3], expected 0 or more", [&] {
                        x.broadcast_to({2, -3});
                      });
  CHECK_THROWS_AS(x.broadcast_to({2, 0}), ShapeError);
  CHECK_THROWS_AS(x.broadcast_to({2, 1}), ShapeError);
  CHECK_THROWS_AS(iota<int>(0).broadcast_to({1}), ShapeError);
  CHECK_THROWS_AS(iota<int>(1).broadcast_to({lowest}), ShapeError);
}

TEST_CASE("broadcast_to: more than 2^62 bytes, or an extent beyond int64, is an overflow") {
  const Tensor x = iota<int>(1);
  const std::int64_t limit = std::int64_t{1} << 60;
  CHECK(x.broadcast_to({limit}).bytes() == std::int64_t{1} << 62);
  refuses<OverflowError>("overflow",
                         "broadcast_to: a tensor of shape [1152921504606846977] and type i32 would "
                         "have more than 2^62 bytes",
                         [&] { x.broadcast_to({limit + 1}); });
  refuses<OverflowError>("overflow",
                         "broadcast_to: extent 18446744073709551615 in shape [0, "
                         "18446744073709551615] is beyond int64",
                         [&] {
                           x.broadcast_to(u64s({0, 18446744073709551615u}));
                         });
}

TEST_CASE(
    "broadcast_to: of several mistakes the first is told: type, rank, values, overflow, shapes") {
  const Tensor x = iota<int>(4);
  CHECK_THROWS_AS(x.broadcast_to(ints_of(f32, 2, {-5})), DtypeError);
  CHECK_THROWS_AS(x.broadcast_to(ints_of(i32, 2, {-5})), ParameterError);
  CHECK_THROWS_AS(x.broadcast_to({highest, highest, -5}), ShapeError);
  CHECK_THROWS_AS(x.broadcast_to({highest, highest}), OverflowError);
}

TEST_CASE("broadcast_to: a refused call leaves its operand as it was") {
  const Tensor lazy = iota<int>(3).flip();
  CHECK_THROWS_AS(lazy.broadcast_to(4), ShapeError);
  CHECK_FALSE(lazy.is_stored());
  expect<int>(lazy, {3}, {2, 1, 0});
}

TEST_CASE("broadcast_to: moves the bytes of any element, and leaves its operand") {
  moves_any_element({3, 1, 5}, [](const Tensor& x) { return x.broadcast_to({2, 3, 4, 5}); });
  moves_any_element({3, 1}, [](const Tensor& x) { return x.broadcast_to({3, 70}); });
}

TEST_CASE("broadcast_to: rank 16 is made and taken, rank 17 refused") {
  const Tensor y = rank_16().slice({1}, {2}).broadcast_to(rank_16().shape());
  std::vector<int> expected;
  for (int k = 0; k < 256; ++k) expected.push_back(128 + k % 128);
  expect<int>(y, rank_16().shape(), expected);
  refuses<ParameterError>("bad_rank",
                          "broadcast_to: the result would have rank 17, at most 16 is allowed",
                          [] { scalar(1).broadcast_to(Shape(17, 1)); });
}

namespace weft::testing {

void draw_broadcast_to(Drawing& drawing) {
  Random& random = drawing.random();
  List shape = drawing.shape();
  std::int64_t room = drawing.room();
  const auto extent = [&] {
    const std::int64_t e = room < 1 ? 1 : random.in(1, std::min<std::int64_t>(room, 20));
    room /= e;
    return e;
  };
  for (std::int64_t& e : shape)
    if (e == 1 && random.one_in(2)) e = extent();
  while (shape.size() < Drawing::most_axes && random.one_in(3))
    shape.insert(shape.begin(), extent());
  drawing.add("broadcast_to", {drawing.x()}, {shape});
}

}  // namespace weft::testing
