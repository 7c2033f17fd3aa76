// SPDX-License-Identifier: Apache-2.0
// reshape: the same elements in row-major order, one extent inferred.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("reshape: reads the elements row-major under another shape") {
  const std::vector<int> same{0, 1, 2, 3, 4, 5};
  const Tensor x = iota<int>({2, 3});
  expect<int>(x.reshape({3, 2}), {3, 2}, same);
  expect<int>(x.reshape(6), {6}, same);
  expect<int>(x.reshape({1, 6, 1}), {1, 6, 1}, same);
  expect<int>(x.reshape({2, 3}), {2, 3}, same);
}

TEST_CASE("reshape: over lazy operands reads them in their own order") {
  const Tensor x = iota<int>({2, 3});
  expect<int>(x.transpose().reshape({2, 3}), {2, 3}, {0, 3, 1, 4, 2, 5});
  expect<int>(x.reshape({3, 2}).transpose().reshape(6), {6}, {0, 2, 4, 1, 3, 5});
  expect<int>(x.flip().reshape({3, 2}).roll(1, 0), {3, 2}, {1, 0, 5, 4, 3, 2});
}

TEST_CASE("reshape: one extent of -1 is inferred") {
  const Tensor x = iota<int>({2, 6});
  CHECK(x.reshape({3, -1}).shape() == Shape{3, 4});
  CHECK(x.reshape({-1, 2, 2}).shape() == Shape{3, 2, 2});
  CHECK(x.reshape(-1).shape() == Shape{12});
  CHECK(x.reshape({12, -1}).shape() == Shape{12, 1});
  CHECK(scalar(5).reshape(-1).shape() == Shape{1});
  CHECK(iota<int>({0, 3}).reshape({-1, 3}).shape() == Shape{0, 3});
  CHECK(iota<int>({0, 3}).reshape(-1).shape() == Shape{0});
}

TEST_CASE("reshape: a single element is a scalar and any shape of ones") {
  expect<int>(iota<int>({1, 1}, 7).reshape({}), {}, {7});
  expect<int>(scalar(7).reshape({1, 1}), {1, 1}, {7});
}

TEST_CASE("reshape: no elements stay no elements under any shape with a 0") {
  expect<int>(iota<int>({0, 3}).reshape({5, 0, 2}), {5, 0, 2}, {});
  expect<int>(iota<int>(0).reshape({0, highest, highest}), {0, highest, highest}, {});
}

TEST_CASE("reshape: of stored elements is an alias") {
  const Tensor x = iota<int>({2, 3}), y = x.reshape(6);
  CHECK(y.data<int>() == x.data<int>());
}

TEST_CASE("reshape: the shape may be of any integer type, also a tensor") {
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    for (const int rank : {0, 1})
      CHECK(iota<int>({2, 3}).reshape(ints_of(dtype, rank, {6})).shape() == Shape{6});
  CHECK(iota<int>({2, 3}).reshape(array<std::int8_t>({3, -1})).shape() == Shape{3, 2});
  CHECK(iota<int>(65536).reshape(std::vector<std::uint8_t>{128, 64, 8}).shape() ==
        Shape{128, 64, 8});
}

TEST_CASE("reshape: a shape of another type or rank is refused") {
  for (const DType dtype : all_types())
    if (!dtype.is_integer())
      refuses<DtypeError>("dtype_mismatch",
                          "reshape: shape is " + dtype.name() + ", expected an integer type",
                          [&] { iota<int>(3).reshape(ints_of(dtype, 2, {-7})); });
  refuses<ParameterError>("bad_rank", "reshape: shape has rank 2, expected a scalar or a list",
                          [] { iota<int>(3).reshape(array({{-7}})); });
}

TEST_CASE("reshape: a shape of another number of elements is refused") {
  refuses<ShapeError>("shape_mismatch",
                      "reshape: shape [4, 2] has 8 elements, expected the 6 of [2, 3]", [] {
                        iota<int>({2, 3}).reshape({4, 2});
                      });
  refuses<ShapeError>("shape_mismatch",
                      "reshape: shape [] has 1 elements, expected the 6 of [2, 3]", [] {
                        iota<int>({2, 3}).reshape({});
                      });
  refuses<ShapeError>("shape_mismatch",
                      "reshape: shape [0] has 0 elements, expected the 6 of [2, 3]", [] {
                        iota<int>({2, 3}).reshape(0);
                      });
  refuses<ShapeError>("shape_mismatch", "reshape: shape [] has 1 elements, expected the 0 of [0]",
                      [] { iota<int>(0).reshape({}); });
}

TEST_CASE("reshape: an extent that cannot be inferred is refused") {
  refuses<ShapeError>("shape_mismatch",
                      "reshape: no extent for -1 makes shape [4, -1] hold the 6 elements of [2, 3]",
                      [] {
                        iota<int>({2, 3}).reshape({4, -1});
                      });
  refuses<ShapeError>("shape_mismatch",
                      "reshape: no extent for -1 makes shape [0, -1] hold the 0 elements of [0]",
                      [] {
                        iota<int>(0).reshape({0, -1});
                      });
}

TEST_CASE("reshape: extents below -1, and -1 twice, are refused") {
  refuses<ShapeError>("shape_mismatch",
                      "reshape: extent -2 in shape [3, -2], expected 0 or more, or one -1", [] {
                        iota<int>({2, 3}).reshape({3, -2});
                      });
  refuses<ShapeError>("shape_mismatch",
                      "reshape: extent -1 in shape [-1, 6, -1], expected 0 or more, or one -1", [] {
                        iota<int>({2, 3}).reshape({-1, 6, -1});
                      });
  CHECK_THROWS_AS(iota<int>(3).reshape({lowest}), ShapeError);
}

TEST_CASE("reshape: more than 2^62 bytes, or an extent beyond int64, is an overflow") {
  const Tensor x = iota<int>(4);
  refuses<OverflowError>("overflow",
                         "reshape: a tensor of shape [4611686018427387904, 2] and type i32 would "
                         "have more than 2^62 bytes",
                         [&] {
                           x.reshape({std::int64_t{1} << 62, 2});
                         });
  refuses<OverflowError>("overflow",
                         "reshape: a tensor of shape [9223372036854775807, 1] and type i32 would "
                         "have more than 2^62 bytes",
                         [&] {
                           x.reshape({highest, -1});
                         });
  refuses<OverflowError>("overflow",
                         "reshape: an extent in [0, 18446744073709551615] is beyond int64", [&] {
                           iota<int>(0).reshape(u64s({0, 18446744073709551615u}));
                         });
}

TEST_CASE("reshape: of several mistakes the first is told: type, rank, values, overflow, shapes") {
  const Tensor x = iota<int>(4);
  CHECK_THROWS_AS(x.reshape(ints_of(f32, 2, {-5})), DtypeError);
  CHECK_THROWS_AS(x.reshape(ints_of(i32, 2, {-5})), ParameterError);
  CHECK_THROWS_AS(x.reshape({highest, highest, -5}), ShapeError);
  CHECK_THROWS_AS(x.reshape({highest, highest}), OverflowError);
}

TEST_CASE("reshape: a refused call leaves its operand as it was") {
  const Tensor lazy = iota<int>(3).flip();
  CHECK_THROWS_AS(lazy.reshape(4), ShapeError);
  CHECK_FALSE(lazy.is_stored());
  expect<int>(lazy, {3}, {2, 1, 0});
}

TEST_CASE("reshape: moves the bytes of any element, and leaves its operand") {
  moves_any_element({4, 6}, [](const Tensor& x) { return x.transpose().reshape({8, 3}); });
}

TEST_CASE("reshape: rank 16 is made and taken, rank 17 refused") {
  const Shape ones(17, 1);
  expect_same(iota<int>(256).reshape(rank_16().shape()), rank_16());
  expect_same(rank_16().reshape(256), iota<int>(256));
  refuses<ParameterError>("bad_rank",
                          "reshape: the result would have rank 17, at most 16 is allowed",
                          [&] { scalar(1).reshape(ones); });
}

namespace weft::testing {

void draw_reshape(Drawing& drawing) {
  Random& random = drawing.random();
  const std::int64_t count = drawing.size();
  List shape;
  if (count == 0) {
    shape = {random.in(0, 3), 0, random.in(0, 3)};
  } else {
    shape = drawing.factors(count);
    if (!shape.empty() && random.one_in(3)) shape[random.below(shape.size())] = -1;
  }
  drawing.add("reshape", {drawing.x()}, {shape});
}

}  // namespace weft::testing
