// SPDX-License-Identifier: Apache-2.0
// chunk: an axis cut into at most so many parts.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("chunk: parts are of one length but for the last, and may be fewer than asked for") {
  const std::vector<Tensor> parts = chunk(iota<int>({2, 5}), 3, 1);
  REQUIRE(parts.size() == 3);
  expect<int>(parts[0], {2, 2}, {0, 1, 5, 6});
  expect<int>(parts[1], {2, 2}, {2, 3, 7, 8});
  expect<int>(parts[2], {2, 1}, {4, 9});
  CHECK(iota<int>(11).chunk(6).size() == 6);
  CHECK(iota<int>(12).chunk(5).size() == 4);
  CHECK(iota<int>({3, 2}).chunk(7, -2).size() == 3);
  CHECK(iota<int>(5).chunk(highest).size() == 5);
  CHECK(iota<int>(5).chunk(u64s({18446744073709551615u})).size() == 5);
  REQUIRE(iota<int>(5).chunk(1).size() == 1);
  expect_same(iota<int>(5).chunk(1)[0], iota<int>(5));
}

TEST_CASE("chunk: an extent of 0 makes as many empty parts as asked for") {
  const std::vector<Tensor> parts = iota<int>({0, 3}).chunk(4);
  REQUIRE(parts.size() == 4);
  CHECK(parts[3].shape() == Shape{0, 3});
}

TEST_CASE("chunk: parameters of another type, rank or length are refused, in that order") {
  const Tensor x = iota<int>({2, 3});
  refuses<DtypeError>("dtype_mismatch", "chunk: axis is f32, expected an integer type",
                      [&] { x.chunk(array({{9}}), ints_of(f32, 0, {1})); });
  refuses<ParameterError>("bad_rank", "chunk: axis has rank 2, expected a scalar or a list", [&] {
    x.chunk({9, 9}, array({{9}}));
  });
  refuses<ParameterError>("length_mismatch", "chunk: chunks has 2 entries, expected one", [&] {
    x.chunk({9, 9});
  });
}

TEST_CASE("chunk: axes out of range, no chunks and too many are refused") {
  const Tensor x = iota<int>({2, 5});
  refuses<AxisError>("bad_axis", "chunk: axis 2 is out of range for rank 2 (shape [2, 5])",
                     [&] { x.chunk(0, 2); });
  refuses<AxisError>("bad_axis", "chunk: axis 0 is out of range for rank 0 (shape [])",
                     [] { scalar(1).chunk(1); });
  refuses<ShapeError>("shape_mismatch", "chunk: 0 chunks, expected 1 or more", [&] { x.chunk(0); });
  CHECK_THROWS_AS(x.chunk(lowest), ShapeError);
  refuses<OverflowError>("overflow",
                         "chunk: 9223372036854775807 parts, at most 1048576 are allowed",
                         [] { iota<int>({0}).chunk(highest); });
  CHECK_THROWS_AS(full(std::int64_t{1} << 40, 1).chunk(highest), OverflowError);
}

TEST_CASE("chunk: moves the bytes of any element, and leaves its operand") {
  moves_any_element({3, 5}, [](const Tensor& x) { return x.chunk(2, 1)[1]; });
}

TEST_CASE("chunk: an open tensor needs the extent of the axis, and no other") {
  const std::vector<Tensor> parts = open({"n", 5}).chunk(2, 1);
  REQUIRE(parts.size() == 2);
  CHECK(shape_of(parts[0]) == "[n, 3]");
  CHECK(shape_of(parts[1]) == "[n, 2]");
  refuses<OpenError>("open_tensor",
                     "chunk: the extent of axis 0 of [n, 5] depends on a placeholder", [] {
                       open({"n", 5}).chunk(2);
                     });
  CHECK_THROWS_AS(open(PartialShape::any()).chunk(2), OpenError);
  refuses<OpenError>("open_tensor", "chunk: chunks depends on a placeholder, expected a value",
                     [] { iota<int>(5).chunk(integers({})); });
}
