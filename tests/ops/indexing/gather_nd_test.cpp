// SPDX-License-Identifier: Apache-2.0
// gather_nd: slices by tuples of indices.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("gather_nd: picks a slice for every tuple") {
  const Tensor x = array({{1, 2}, {3, 4}});
  expect<int>(x.gather_nd(array({{0, 0}, {1, -1}})), {2}, {1, 4});
  expect<int>(x.gather_nd(array({{1}, {0}})), {2, 2}, {3, 4, 1, 2});
  expect<int>(x.gather_nd(array({1, 0})), {}, {3});
}

TEST_CASE("gather_nd: tuples name some of the axes, or all") {
  const Tensor x = iota<int>({2, 3, 2});
  expect<int>(x.gather_nd(array({{1}, {-1}, {0}})), {3, 3, 2},
              {6, 7, 8, 9, 10, 11, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5});
  expect<int>(x.gather_nd(array({{{1, -1}}, {{0, 0}}})), {2, 1, 2}, {10, 11, 0, 1});
  expect<int>(x.gather_nd(array({-1, -3, -2})), {}, {6});
}

TEST_CASE("gather_nd: extents of 0") {
  const Tensor x = iota<int>({2, 3});
  expect<int>(x.gather_nd(full({0, 1}, 0)), {0, 3}, {});
  expect<int>(x.gather_nd(full({4, 0, 2}, 0)), {4, 0}, {});
  expect<int>(full({2, 0}, 1).gather_nd(array({{1}, {0}, {1}})), {3, 0}, {});
  expect<int>(full({0, 3}, 1).gather_nd(full({0, 2}, 0)), {0}, {});
}

TEST_CASE_TEMPLATE("gather_nd: indices may be of any integer type", T, std::int8_t, std::int16_t,
                   std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t) {
  const Tensor indices = array<T>({{1, 2}, {0, 1}});
  expect<int>(iota<int>({2, 3}).gather_nd(indices), {2}, {5, 1});
  expect<int>(iota<int>({2, 3}).gather_nd(indices.flip(0)), {2}, {1, 5});
}

TEST_CASE("gather_nd: of a huge tensor only what is asked for is read") {
  const std::int64_t million = 1 << 20;
  const Tensor x = iota<int>(million).broadcast_to({million, million});
  expect<int>(x.gather_nd(array({{1, 2}, {-1, -1}, {1048575, 5}})), {3}, {2, 1048575, 5});
}

TEST_CASE("gather_nd: an index out of range is refused as soon as it is known") {
  const Tensor x = iota<int>({2, 3});
  refuses<IndexError>("bad_index", "gather_nd: index 2 at [1, 0] is out of range, expected -2 to 1",
                      [&] {
                        x.gather_nd(array({{1, 2}, {2, 1}}));
                      });
  refuses<IndexError>("bad_index", "gather_nd: index -4 at [1] is out of range, expected -3 to 2",
                      [&] {
                        x.gather_nd(array({0, -4}));
                      });
  refuses<IndexError>("bad_index",
                      "gather_nd: index 18446744073709551615 at [0] is out of range, expected -2 "
                      "to 1",
                      [&] { x.gather_nd(array<std::uint64_t>({18446744073709551615u})); });
  refuses<IndexError>("bad_index",
                      "gather_nd: index 0 at [0, 1] is out of range, expected none, for the extent "
                      "is 0",
                      [] {
                        full({2, 0}, 1).gather_nd(array({{0, 0}}));
                      });
  const Tensor lazy = x.gather_nd(array({{0, 3}}).roll(1, 1));
  for (int again = 0; again < 2; ++again)
    refuses<IndexError>("bad_index",
                        "gather_nd: index 3 at [0, 0] is out of range, expected -2 to 1",
                        [&] { lazy.eval(); });
  CHECK_FALSE(lazy.is_stored());
}

TEST_CASE("gather_nd: types, ranks and tuples that do not fit are refused") {
  const Tensor x = iota<int>({2, 3});
  refuses<DtypeError>("dtype_mismatch", "gather_nd: indices is bool, expected an integer type",
                      [&] { x.gather_nd(scalar(true)); });
  const std::string ranks = ", expected at least 1 of both";
  refuses<ParameterError>("bad_rank", "gather_nd: x has rank 0 and indices have rank 1" + ranks,
                          [] { scalar(1).gather_nd(array({0})); });
  refuses<ParameterError>("bad_rank", "gather_nd: x has rank 2 and indices have rank 0" + ranks,
                          [&] { x.gather_nd(scalar(0)); });
  for (const std::int64_t length : {0, 3})
    refuses<ShapeError>("shape_mismatch",
                        "gather_nd: indices have shape [2, " + std::to_string(length) +
                            "], expected 1 to 2 on the last axis, for x has rank 2",
                        [&] {
                          x.gather_nd(full({2, length}, 0));
                        });
  refuses<ParameterError>("bad_rank",
                          "gather_nd: the result would have rank 17, at most 16 is allowed", [] {
                            rank_16().gather_nd(full({1, 1, 1}, 0));
                          });
  refuses<OverflowError>(
      "overflow",
      "gather_nd: a tensor of shape [1048576, 1024, 1099511627776] and type i32 "
      "would have more than 2^62 bytes",
      [] {
        full({4, std::int64_t{1} << 40}, 1).gather_nd(full({1 << 20, 1 << 10, 1}, 0));
      });
  refuses<OverflowError>("overflow",
                         "gather_nd: the first 2 extents of [9223372036854775807, 2, 0] have no "
                         "product in int64",
                         [] {
                           full({highest, 2, 0}, 1).gather_nd(array({{0, 0}}));
                         });
}

TEST_CASE("gather_nd: moves the bytes of any element, and rank 16") {
  moves_any_element({3, 5}, [](const Tensor& x) { return x.gather_nd(array({{2, 4}, {0, -1}})); });
  expect<int>(rank_16().gather_nd(full({1, 16}, -1)), {1}, {255});
}

TEST_CASE("gather_nd: what is known of open shapes") {
  const Tensor x = placeholder(f32, {"n", 4, "m"});
  const auto shape_of = [](const Tensor& y) { return to_string(y.partial_shape()); };
  CHECK(shape_of(x.gather_nd(placeholder(i64, {"k", 1}))) == "[k, 4, m]");
  CHECK(shape_of(x.gather_nd(placeholder(i64, {3}))) == "[]");
  CHECK(shape_of(x.gather_nd(placeholder(i64, {"k", -1}))) == "[...]");
  for (const std::int64_t length : {0, 4})
    CHECK(shape_of(x.gather_nd(placeholder(i64, {"k", length}))) == "[...]");
  CHECK(shape_of(x.gather_nd(placeholder(i64, PartialShape::any()))) == "[...]");
}

namespace weft::testing {

void draw_gather_nd(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  if (shape.empty()) return;
  const std::size_t length = random.below(shape.size()) + 1;
  std::int64_t leading = 1;
  for (std::size_t k = 0; k < length; ++k) leading *= shape[k];
  List index_shape;
  if (random.one_in(2)) index_shape.push_back(random.in(0, 3));
  if (random.one_in(2)) index_shape.push_back(random.in(1, 3));
  std::int64_t count = 1;
  for (const std::int64_t e : index_shape) count *= e;
  if (leading == 0 && count > 0) return;
  if (count > std::max<std::int64_t>(leading, 1) * std::max<std::int64_t>(drawing.room(), 1))
    return;
  if (index_shape.size() + shape.size() - length > Drawing::most_axes) return;
  List indices;
  for (std::int64_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < length; ++k) indices.push_back(random.in(-shape[k], shape[k] - 1));
  index_shape.push_back(static_cast<std::int64_t>(length));
  const std::size_t index = drawing.index(index_shape, indices);
  drawing.add("gather_nd", {drawing.x(), index}, {});
}

}  // namespace weft::testing
