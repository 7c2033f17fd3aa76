// SPDX-License-Identifier: Apache-2.0
// take: positions of an axis by index.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("take: picks positions of an axis, also from the end, in the shape of the indices") {
  const Tensor x = iota<int>({3, 2});
  expect<int>(x.take({2, 0, -1}, 0), {3, 2}, {4, 5, 0, 1, 4, 5});
  expect<int>(x.take(array({{0, 1}, {1, 1}}), 1), {3, 2, 2}, {0, 1, 1, 1, 2, 3, 3, 3, 4, 5, 5, 5});
  expect<int>(x.take(1, -1), {3}, {1, 3, 5});
  expect<int>(x.take({5, 0}), {2}, {5, 0});
  expect<int>(x.take(Ints(), 0), {0, 2}, {});
  expect<int>(gather(x, {1}), {1, 2}, {2, 3});
}

TEST_CASE("take: a scalar index takes the axis away, an empty list leaves none of it") {
  const Tensor x = iota<int>({3, 2});
  expect<int>(x.take(scalar(-1), 0), {2}, {4, 5});
  expect<int>(x.take(full({2, 0}, 0), 1), {3, 2, 0}, {});
  expect<int>(x.take(Ints()), {0}, {});
  expect<int>(full({0, 2}, 1).take(Ints(), 0), {0, 2}, {});
  expect<int>(full({0, 2}, 1).take({1, 0, 1}, 1), {0, 3}, {});
}

TEST_CASE("take: without an axis x is read flat, a scalar too") {
  expect<int>(iota<int>({2, 3}).take(array({{-1, 0}, {3, -6}})), {2, 2}, {5, 0, 3, 0});
  expect<int>(scalar(7).take({0, -1, 0}), {3}, {7, 7, 7});
  expect<int>(scalar(7).take(scalar(0)), {}, {7});
}

TEST_CASE("take: gather is take along the first axis") {
  expect<int>(gather(iota<int>({3, 2}), array({{2}, {0}})), {2, 1, 2}, {4, 5, 0, 1});
  expect<int>(gather(iota<int>({3, 2}), {1, 1}, 1), {3, 2}, {1, 1, 3, 3, 5, 5});
  expect<int>(gather(iota<int>({3, 2}), 5, none), {}, {5});
}

TEST_CASE_TEMPLATE("take: indices may be of any integer type", T, std::int8_t, std::int16_t,
                   std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t) {
  const Tensor x = iota<int>({2, 3}), indices = array<T>({2, 0});
  expect<int>(x.take(indices, 1), {2, 2}, {2, 0, 5, 3});
  expect<int>(x.take(indices.roll(1, 0), 1), {2, 2}, {0, 2, 3, 5});
  expect<int>(x.take(std::vector<T>{2, 0}, 1), {2, 2}, {2, 0, 5, 3});
  if (std::is_signed_v<T>) expect<int>(x.take(array<T>({static_cast<T>(-3)}), 1), {2, 1}, {0, 3});
}

TEST_CASE("take: the indices may be made by ops, of x itself, and by take") {
  const Tensor x = iota({4}).roll(1, 0);  // 3, 0, 1, 2
  expect<std::int64_t>(x.take(x, 0), {4}, {2, 3, 0, 1});
  expect<std::int64_t>(x.take(x.take(x, 0), 0), {4}, {1, 2, 3, 0});
  expect<std::int64_t>(x.take(x).flip().take(x), {4}, {2, 1, 0, 3});
}

TEST_CASE("take: of a huge tensor only what is asked for is read") {
  const std::int64_t million = 1 << 20;
  const Tensor x = iota<int>(million).broadcast_to({million, million});
  expect<int>(x.take({5, -1, 7}, 1).slice({9, 1}, {11, 3}), {2, 2}, {1048575, 7, 1048575, 7});
}

TEST_CASE("take: indices that depend on indices are freed in constant stack") {
  const Tensor x = array({1, 0});
  Tensor indices = array({0, 1}).roll(1, 0);
  for (int i = 0; i < 500'000; ++i) indices = x.take(indices);
  CHECK_FALSE(indices.is_stored());
}

TEST_CASE("take: an index out of range is refused as soon as it is known, and again") {
  const Tensor x = iota<int>({3, 2});
  const auto message = [](const std::string& index, const std::string& at) {
    return "take: index " + index + " at " + at + " is out of range, expected -3 to 2";
  };
  refuses<IndexError>("bad_index", message("3", "[1]"), [&] { x.take({0, 3}, 0); });
  refuses<IndexError>("bad_index", message("-4", "[1, 0]"), [&] { x.take(array({{0}, {-4}}), 0); });
  refuses<IndexError>("bad_index", message("-9223372036854775808", "[0]"),
                      [&] { x.take({lowest}, 0); });
  refuses<IndexError>("bad_index", message("9223372036854775807", "[]"),
                      [&] { x.take(highest, 0); });
  refuses<IndexError>("bad_index", message("18446744073709551615", "[1]"), [&] {
    x.take(u64s({0, 18446744073709551615u}), 0);
  });
  refuses<IndexError>("bad_index",
                      "take: index 0 at [0] is out of range, expected none, for the "
                      "extent is 0",
                      [&] {
                        full({2, 0}, 1).take({0}, 1);
                      });
  const Tensor lazy = x.take(array({0, 3}).flip(), 0);
  std::vector<int> out(4, 7);
  for (int again = 0; again < 2; ++again) {
    refuses<IndexError>("bad_index", message("3", "[0]"), [&] { lazy.eval(); });
    refuses<IndexError>("bad_index", message("3", "[0]"), [&] { eval(lazy.flip(), lazy); });
    refuses<IndexError>("bad_index", message("3", "[0]"), [&] { eval_into(lazy, out.data(), 16); });
    refuses<IndexError>("bad_index", message("3", "[0]"),
                        [&] { eval_into(lazy.slice({0}, {0}), out.data(), 0); });
  }
  CHECK_FALSE(lazy.is_stored());
  CHECK(out == std::vector<int>(4, 7));
}

TEST_CASE("take: types, ranks and axes that do not fit are refused") {
  const Tensor x = iota<int>({3, 2});
  for (const DType dtype : all_types())
    if (!dtype.is_integer())
      refuses<DtypeError>("dtype_mismatch",
                          "take: indices is " + dtype.name() + ", expected an integer type",
                          [&] { x.take(Tensor(placeholder(dtype, {2})), 9); });
  refuses<DtypeError>("dtype_mismatch", "take: axis is f32, expected an integer type",
                      [&] { x.take({9}, array({1.5f})); });
  refuses<ParameterError>("bad_rank", "take: indices is none, expected a scalar or a list",
                          [&] { x.take(none); });
  refuses<ParameterError>("bad_rank", "take: indices has rank 2, expected a scalar or a list",
                          [&] { x.take(ints_of(i64, 2, {0})); });
  refuses<ParameterError>("bad_rank", "take: axis has rank 2, expected a scalar or a list",
                          [&] { x.take({9}, array({{0}})); });
  refuses<ParameterError>("length_mismatch", "take: axis has 2 entries, expected one", [&] {
    x.take({9}, {0, 1});
  });
  refuses<AxisError>("bad_axis", "take: axis 2 is out of range for rank 2 (shape [3, 2])",
                     [&] { x.take({9}, 2); });
  refuses<AxisError>("bad_axis", "take: axis 0 is out of range for rank 0 (shape [])",
                     [&] { scalar(1).take({0}, 0); });
  CHECK_THROWS_AS(x.take({0}, lowest), AxisError);
  CHECK_THROWS_AS(x.take({0}, u64s({18446744073709551615u})), AxisError);
  refuses<ParameterError>("bad_rank", "take: the result would have rank 17, at most 16 is allowed",
                          [] { rank_16().take(array({{0}}), 0); });
  refuses<OverflowError>(
      "overflow",
      "take: a tensor of shape [1048576, 1024, 1099511627776] and type i32 would "
      "have more than 2^62 bytes",
      [] {
        full({4, std::int64_t{1} << 40}, 1).take(full({1 << 20, 1 << 10}, 0), 0);
      });
}

TEST_CASE("take: moves the bytes of any element, and rank 16") {
  moves_any_element({3, 5}, [](const Tensor& x) { return x.take({2, -3, 2}, 0).take({4, 0}, 1); });
  expect_same(rank_16().take({1, 0}, -2), rank_16().flip(-2));
}

TEST_CASE("take: what is known of open shapes") {
  const Tensor x = placeholder(f32, {"n", 4, "m"}), indices = placeholder(i64, {"k", 2});
  const auto shape_of = [](const Tensor& y) { return to_string(y.partial_shape()); };
  CHECK(shape_of(x.take(indices, 1)) == "[n, k, 2, m]");
  CHECK(shape_of(x.take({0, 1}, -1)) == "[n, 4, 2]");
  CHECK(shape_of(x.take(indices)) == "[k, 2]");
  CHECK(shape_of(x.take(indices, placeholder(i64, {}))) == "[?, ?, ?, ?]");
  CHECK(shape_of(placeholder(f32, PartialShape::any()).take(indices, 0)) == "[...]");
  CHECK(shape_of(placeholder(f32, {}).take(placeholder(i64, {}), placeholder(i64, {}))) == "[...]");
}

namespace weft::testing {

void draw_take(Drawing& drawing) {
  Random& random = drawing.random();
  if (drawing.rank() == 0) return;
  const List shape = drawing.shape();
  const std::size_t axis = drawing.random_axis();
  const std::int64_t extent = shape[axis];
  List index_shape;
  if (random.one_in(4) && drawing.rank() < Drawing::most_axes)
    index_shape = {random.in(0, 3), random.in(1, 2)};
  else if (!random.one_in(4))
    index_shape = {random.in(0, extent * std::min<std::int64_t>(drawing.room(), 3) + 1)};
  std::int64_t count = 1;
  for (const std::int64_t e : index_shape) count *= e;
  if (extent == 0 && count > 0) return;
  if (count > extent * std::max<std::int64_t>(drawing.room(), 1)) return;
  List indices;
  for (std::int64_t k = 0; k < count; ++k) indices.push_back(random.in(-extent, extent - 1));
  const std::size_t index = drawing.index(index_shape, indices);
  drawing.add("take", {drawing.x(), index}, {List{drawing.with_sign(axis, drawing.rank())}});
}

}  // namespace weft::testing

TEST_CASE("take: what indices have in common is carried out once, not once for each of them") {
  std::vector<Tensor> links{iota<std::int64_t>({4}).flip().eval()};
  for (int k = 0; k < 600; ++k) links.push_back(links.back().take(links.back().flip(), 0));
  CHECK(to_string(links.back()) == "[3 2 1 0]");
  int stored = 0;
  for (const Tensor& link : links) stored += link.is_stored();
  CHECK(stored > 3);  // the first, the last, and some between them
  CHECK(stored < 10);
}

TEST_CASE("take: what indices have in common may be too large to be stored") {
  Tensor x = iota<std::int64_t>(1 << 20).broadcast_to({8, 1 << 20});
  for (int k = 0; k < 300; ++k) x = x.take(x.slice({0, 0}, {1, 8}).reshape({8}).flip(), 0);
  const Tensor part = x.slice({2, 5}, {4, 8});
  // Enough for 300 indices of 64 bytes together, and not for one x.
  part.eval(EvalOptions{.memory_limit = 65536});
  expect<std::int64_t>(part, {2, 3}, {5, 6, 7, 5, 6, 7});
}
