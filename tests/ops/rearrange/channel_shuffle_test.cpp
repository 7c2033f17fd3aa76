// SPDX-License-Identifier: Apache-2.0
// channel_shuffle: the channels of groups dealt out in turn.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("channel_shuffle: takes a channel of each group in turn") {
  const Tensor x = iota<int>({1, 6, 1});
  expect<int>(x.channel_shuffle(2), {1, 6, 1}, {0, 3, 1, 4, 2, 5});
  expect<int>(x.channel_shuffle(3), {1, 6, 1}, {0, 2, 4, 1, 3, 5});
  expect<int>(channel_shuffle(iota<int>({2, 4}), 2, -1), {2, 4}, {0, 2, 1, 3, 4, 6, 5, 7});
  expect_same(x.channel_shuffle(1), x);
  expect_same(x.channel_shuffle(6), x);
}

TEST_CASE("channel_shuffle: by the other factor goes back") {
  const Tensor x = iota<int>({2, 12, 3});
  expect_same(x.channel_shuffle(3).channel_shuffle(4), x);
}

TEST_CASE("channel_shuffle: an extent of 0 has nothing to deal") {
  expect<int>(full({2, 0, 3}, 1).channel_shuffle(5), {2, 0, 3}, {});
  const std::int64_t vast = std::int64_t{1} << 40;
  CHECK(full({vast, 4, 0, vast}, 1).channel_shuffle(2).shape() == Shape{vast, 4, 0, vast});
}

TEST_CASE("channel_shuffle: groups that do not divide, and axes that are not there, are refused") {
  const Tensor x = iota<int>({1, 6, 2});
  refuses<ShapeError>("shape_mismatch",
                      "channel_shuffle: groups is 4, expected a divisor of 6, the extent of axis 1 "
                      "(shape [1, 6, 2])",
                      [&] { x.channel_shuffle(4); });
  for (const std::int64_t groups : {std::int64_t{0}, std::int64_t{-2}, lowest, highest})
    CHECK_THROWS_AS(x.channel_shuffle(groups), ShapeError);
  refuses<AxisError>("bad_axis",
                     "channel_shuffle: axis 3 is out of range for rank 3 (shape [1, 6, 2])",
                     [&] { x.channel_shuffle(4, 3); });
  refuses<AxisError>("bad_axis", "channel_shuffle: axis 1 is out of range for rank 1 (shape [3])",
                     [] { iota<int>(3).channel_shuffle(3); });
  refuses<ParameterError>("length_mismatch", "channel_shuffle: groups has 2 entries, expected one",
                          [&] {
                            x.channel_shuffle({2, 3});
                          });
  refuses<DtypeError>("dtype_mismatch", "channel_shuffle: groups is f32, expected an integer type",
                      [&] { x.channel_shuffle(ints_of(f32, 0, {2})); });
}

TEST_CASE("channel_shuffle: moves the bytes of any element, and leaves its operand") {
  moves_any_element({2, 6, 3}, [](const Tensor& x) { return x.channel_shuffle(3); });
}

TEST_CASE("channel_shuffle: keeps what is known of an open shape") {
  CHECK(shape_of(open({"n", 6, Dim(1, 4)}).channel_shuffle(2)) == "[n, 6, 1..4]");
  CHECK(shape_of(open(PartialShape::any()).channel_shuffle(2)) == "[...]");
  CHECK_THROWS_AS(open({"n", 6}).channel_shuffle(0, 2), AxisError);
}

namespace weft::testing {

void draw_channel_shuffle(Drawing& drawing) {
  if (drawing.rank() == 0) return;
  const std::size_t axis = drawing.random_axis();
  const std::int64_t extent = drawing.shape()[axis];
  std::int64_t groups = drawing.random().in(1, std::max<std::int64_t>(extent, 1));
  while (extent % groups != 0) --groups;
  drawing.add("channel_shuffle", {drawing.x()},
              {List{groups}, List{drawing.with_sign(axis, drawing.rank())}});
}

}  // namespace weft::testing
