// SPDX-License-Identifier: Apache-2.0
// tile: repeats along axes, the shorter of repeats and shape filled up with leading ones.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("tile: the examples of Tile-1, as many repeats as axes, more, and fewer") {
  CHECK(tile(iota<int>({2, 3, 4}), {1, 2, 3}).shape() == Shape{2, 6, 12});
  CHECK(tile(iota<int>({2, 3, 4}), {5, 1, 2, 3}).shape() == Shape{5, 2, 6, 12});
  CHECK(tile(iota<int>({5, 2, 3, 4}), {1, 2, 3}).shape() == Shape{5, 2, 6, 12});
}

TEST_CASE("tile: the promotions that Tile-1 tells in its text") {
  CHECK(tile(iota<int>({2, 3}), {2, 2, 2}).shape() == Shape{2, 4, 6});
  CHECK(tile(iota<int>({4, 2, 3}), {2, 2}).shape() == Shape{4, 4, 6});
}

TEST_CASE("tile: repeats a list, and a matrix on both axes") {
  expect<int>(tile(array({1, 2, 3}), {2}), {6}, {1, 2, 3, 1, 2, 3});
  expect<int>(tile(array({{1, 2}, {3, 4}}), {2, 2}), {4, 4},
              {1, 2, 1, 2, 3, 4, 3, 4, 1, 2, 1, 2, 3, 4, 3, 4});
}

TEST_CASE("tile: more repeats than axes give the tensor leading axes") {
  expect<int>(tile(array({1, 2}), {2, 1, 2}), {2, 1, 4}, {1, 2, 1, 2, 1, 2, 1, 2});
}

TEST_CASE("tile: fewer repeats than axes repeat the last axes") {
  expect<int>(tile(array({{1, 2}, {3, 4}}), {2}), {2, 4}, {1, 2, 1, 2, 3, 4, 3, 4});
}

TEST_CASE("tile: no repeats, or repeats of one, change nothing") {
  const Tensor x = array({{1, 2}, {3, 4}});
  expect<int>(x.tile({}), {2, 2}, {1, 2, 3, 4});
  expect<int>(x.tile({1}), {2, 2}, {1, 2, 3, 4});
  expect<int>(x.tile({1, 1}), {2, 2}, {1, 2, 3, 4});
  expect<int>(x.tile({1, 1, 1}), {1, 2, 2}, {1, 2, 3, 4});
}

TEST_CASE("tile: a repeat of 0 makes that extent 0") {
  expect<int>(tile(iota<int>({2, 3}), {0, 2}), {0, 6}, {});
  expect<int>(tile(iota<int>({2, 3}), {0, 1, 1}), {0, 2, 3}, {});
}

TEST_CASE("tile: an extent of 0 stays 0, whatever the repeat") {
  expect<int>(tile(iota<int>({0, 2}), {3, 2}), {0, 4}, {});
  expect<int>(tile(iota<int>(0), {highest}), {0}, {});
  expect<int>(tile(iota<int>(0), u64s({18446744073709551615u})), {0}, {});
}

TEST_CASE("tile: a scalar becomes as many axes as there are repeats") {
  expect<int>(tile(scalar(7), {}), {}, {7});
  expect<int>(tile(scalar(7), {2}), {2}, {7, 7});
  expect<int>(tile(scalar(7), {2, 3}), {2, 3}, {7, 7, 7, 7, 7, 7});
}

TEST_CASE("tile: repeats may be of any integer type, also a tensor") {
  const Tensor x = array({1, 2});
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    expect<int>(x.tile(ints_of(dtype, 1, {2})), {4}, {1, 2, 1, 2});
  expect<int>(x.tile(array<std::uint32_t>({2})), {4}, {1, 2, 1, 2});
}

TEST_CASE("tile: extents are counted in int64, not in the type of the repeats") {
  CHECK(tile(iota<int>(2), std::vector<std::uint8_t>{127}).shape() == Shape{254});
  CHECK(tile(iota<int>(3), std::vector<std::int8_t>{127}).shape() == Shape{381});
  CHECK(tile(iota<int>(3), std::vector<std::uint8_t>{255}).shape() == Shape{765});
  CHECK(tile(full<bool>({2}, true), std::vector<std::uint32_t>{4294967295u}).shape() ==
        Shape{8589934590});
  const Tensor y = tile(iota<int>(2), std::vector<std::uint8_t>{127});
  CHECK(y.span<int>()[253] == 1);
}

TEST_CASE("tile: up to 2^62 bytes are fine, not one more") {
  const std::int64_t limit = std::int64_t{1} << 62;
  CHECK(tile(array<std::int8_t>({1}), {limit}).bytes() == limit);
  CHECK(tile(array<double>({1, 2}), {limit / 16}).bytes() == limit);
  refuses<OverflowError>(
      "overflow",
      "tile: a tensor of shape [4611686018427387905] and type i8 would have more than 2^62 bytes",
      [&] { tile(array<std::int8_t>({1}), {limit + 1}); });
  refuses<OverflowError>(
      "overflow",
      "tile: a tensor of shape [576460752303423490] and type f64 would have more than 2^62 bytes",
      [&] {
        tile(array<double>({1, 2}), {limit / 16 + 1});
      });
}

TEST_CASE("tile: an extent beyond int64 is refused, also beside an extent of 0") {
  refuses<OverflowError>("overflow",
                         "tile: extent 2 times repeat 9223372036854775807 in repeats [1, "
                         "9223372036854775807] is beyond int64",
                         [] {
                           tile(iota<int>({0, 2}), {1, highest});
                         });
  refuses<OverflowError>("overflow",
                         "tile: extent 2 times repeat 4611686018427387904 in repeats "
                         "[4611686018427387904, 0] is beyond int64",
                         [] {
                           tile(iota<int>({2, 2}), {std::int64_t{1} << 62, 0});
                         });
  refuses<OverflowError>("overflow",
                         "tile: extent 1 times repeat 18446744073709551615 in repeats "
                         "[18446744073709551615, 0] is beyond int64",
                         [] {
                           tile(iota<int>(3), u64s({18446744073709551615u, 0}));
                         });
  CHECK(tile(iota<int>({0, 1}), {1, highest}).shape() == Shape{0, highest});
}

TEST_CASE("tile: repeats of another type are refused") {
  for (const DType dtype : all_types())
    if (!dtype.is_integer())
      refuses<DtypeError>("dtype_mismatch",
                          "tile: repeats is " + dtype.name() + ", expected an integer type",
                          [&] { iota<int>(3).tile(ints_of(dtype, 1, {2})); });
}

TEST_CASE("tile: repeats that are no list are refused") {
  refuses<ParameterError>("bad_rank", "tile: repeats has rank 0, expected a list (rank 1)",
                          [] { iota<int>(3).tile(2); });
  refuses<ParameterError>("bad_rank", "tile: repeats has rank 2, expected a list (rank 1)",
                          [] { iota<int>(3).tile(array({{2}})); });
}

TEST_CASE("tile: a negative repeat is refused, also of an empty axis") {
  refuses<ParameterError>("negative_repeats",
                          "tile: repeat -1 in [2, -1] is negative, expected 0 or more", [] {
                            iota<int>({3, 0}).tile({2, -1});
                          });
  refuses<ParameterError>(
      "negative_repeats",
      "tile: repeat -9223372036854775808 in [-9223372036854775808] is negative, expected 0 or more",
      [] { iota<int>(3).tile({lowest}); });
}

TEST_CASE("tile: of several mistakes the first is told: type, rank, values, overflow") {
  refuses<DtypeError>("dtype_mismatch", "tile: repeats is bool, expected an integer type",
                      [] { iota<int>(3).tile(ints_of(bool_, 2, {-1})); });
  refuses<ParameterError>("bad_rank", "tile: repeats has rank 2, expected a list (rank 1)",
                          [] { iota<int>(3).tile(ints_of(i8, 2, {-1})); });
  refuses<ParameterError>(
      "negative_repeats",
      "tile: repeat -1 in [9223372036854775807, -1] is negative, expected 0 or more", [] {
        iota<int>({3, 3}).tile({highest, -1});
      });
}

TEST_CASE("tile: a refused call leaves its operand as it was") {
  const Tensor lazy = iota<int>(3).flip();
  CHECK_THROWS_AS(lazy.tile({-1}), ParameterError);
  CHECK_FALSE(lazy.is_stored());
  expect<int>(lazy, {3}, {2, 1, 0});
}

TEST_CASE("tile: moves the bytes of any element, and leaves its operand") {
  moves_any_element({3, 5}, [](const Tensor& x) { return x.tile({2, 3}); });
  moves_any_element({1}, [](const Tensor& x) { return x.tile({2, 70}); });
}

TEST_CASE("tile: rank 16 is made and taken, rank 17 refused") {
  expect<int>(scalar(7).tile({1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 2}),
              {1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 2}, {7, 7, 7, 7});
  const Tensor y = rank_16().tile({2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  std::vector<int> expected;
  for (int i = 0; i < 512; ++i) expected.push_back(i % 256);
  expect<int>(y, {4, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1}, expected);
  refuses<ParameterError>("bad_rank", "tile: 17 repeats make rank 17, at most 16 is allowed", [] {
    iota<int>(3).tile({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  });
}

namespace weft::testing {

/// Repeats the longest axis and walks it with a step: what needs tables of indices.
void draw_strided_tile(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  if (shape.empty() || drawing.room() < 2) return;
  const auto longest = std::max_element(shape.begin(), shape.end()) - shape.begin();
  List repeats(shape.size(), 1);
  repeats[static_cast<std::size_t>(longest)] =
      random.in(2, std::min<std::int64_t>(drawing.room(), 9));
  const std::size_t tiled = drawing.add("tile", {drawing.x()}, {repeats});
  const bool back = random.one_in(3);
  const std::int64_t step = random.in(2, 12);
  drawing.add("slice", {tiled},
              {List{back ? -1 : random.in(0, 9)}, List{back ? random.in(0, 9) : INT64_MAX},
               List{back ? -step : step}, List{longest}});
}

void draw_tile(Drawing& drawing) {
  Random& random = drawing.random();
  std::int64_t room = drawing.room();
  const std::size_t length = random.below(std::min(drawing.rank() + 2, Drawing::most_axes) + 1);
  List repeats;
  for (std::size_t k = 0; k < length; ++k) {
    std::int64_t repeat = 1;
    if (random.one_in(60)) repeat = 0;
    else if (room > 0 && random.one_in(2))
      repeat = random.in(1, random.one_in(4) ? room : std::min<std::int64_t>(room, 5));
    repeats.push_back(repeat);
    room /= std::max<std::int64_t>(repeat, 1);
  }
  random.shuffle(repeats);
  drawing.add("tile", {drawing.x()}, {repeats});
}

}  // namespace weft::testing
