// SPDX-License-Identifier: Apache-2.0
// where: elements by a mask.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("where: takes elements of one tensor or another, broadcast") {
  const Tensor mask = array({true, false, true});
  expect<int>(where(mask, array({1, 2, 3}), array({10, 20, 30})), {3}, {1, 20, 3});
  expect<int>(where(mask, array({{1}, {2}}), scalar(0)), {2, 3}, {1, 0, 1, 2, 0, 2});
}

TEST_CASE("where: shapes broadcast by NumPy's rules, all three") {
  const Tensor rows = array({{true}, {false}}), x = iota<int>(3), y = full({2, 1, 1}, -1);
  expect<int>(where(rows, x, y), {2, 2, 3}, {0, 1, 2, -1, -1, -1, 0, 1, 2, -1, -1, -1});
  expect<int>(where(scalar(false), x, scalar(7)), {3}, {7, 7, 7});
  expect<int>(where(scalar(true), scalar(1), scalar(7)), {}, {1});
  expect<int>(x.where(array({false, true, false}), x.flip()), {3}, {2, 1, 0});
}

TEST_CASE("where: extents of 0") {
  expect<int>(where(full({0}, true), full({3, 1}, 1), scalar(1)), {3, 0}, {});
  expect<int>(where(scalar(true), full({0, 2}, 1), full({1, 1}, 1)), {0, 2}, {});
}

TEST_CASE("where: operands and the condition may be made by ops, and asked for in part") {
  const Tensor x = iota<int>({2, 3}).roll(1, 1), mask = array({{true, false, true}}).flip(0);
  const Tensor y = where(mask, x, x.flip(0));
  expect<int>(y, {2, 3}, {2, 3, 1, 5, 0, 4});
  expect<int>(where(mask, x, x.flip(0)).transpose().slice({1}, {3}), {2, 2}, {3, 0, 1, 4});
  expect<bool>(where(mask, mask, mask.flip()), {1, 3}, {true, false, true});
}

TEST_CASE("where: over the memory of its condition the value is computed aside") {
  bool memory[] = {false, true, true, true};
  const Tensor mask = borrow(memory, {2, 1});
  const Tensor x = array({{false, false}, {true, true}});
  eval_into(where(mask, x, x.flip(0)), memory, 4);
  CHECK(std::vector<int>(memory, memory + 4) == std::vector<int>{1, 1, 1, 1});
  bool other[] = {true, false, true, true};
  eval_into(where(borrow(other, {2, 1}), x, x.flip(0)).flip(0), other, 4);
  CHECK(std::vector<int>(other, other + 4) == std::vector<int>{0, 0, 0, 0});
}

TEST_CASE("where: conditions that depend on conditions are freed in constant stack") {
  Tensor mask = array({true, false}).roll(1, 0);
  for (int i = 0; i < 500'000; ++i) mask = where(mask, mask, mask);
  CHECK_FALSE(mask.is_stored());
}

TEST_CASE("where: any byte but 0 holds") {
  const std::uint8_t bytes[] = {0, 1, 2, 128};
  expect<int>(where(borrow(bytes, bool_, {4}), scalar(1), scalar(0)), {4}, {0, 1, 1, 1});
}

TEST_CASE("where: types that do not fit are refused before shapes") {
  const Tensor x = iota<int>(3), mask = array({true, false});
  for (const DType dtype : all_types())
    if (dtype != bool_)
      refuses<DtypeError>("dtype_mismatch",
                          "where: condition is " + dtype.name() + ", expected bool",
                          [&] { where(placeholder(dtype, {2}), x, array({1.5f})); });
  refuses<DtypeError>("dtype_mismatch", "where: y is f32, expected i32 as x",
                      [&] { where(mask, x, array({1.5f})); });
  refuses<ShapeError>("shape_mismatch", "where: shapes [2], [3], [] do not broadcast to one",
                      [&] { where(mask, x, scalar(1)); });
  refuses<ShapeError>("shape_mismatch", "where: shapes [], [0], [2, 3] do not broadcast to one",
                      [&] {
                        where(scalar(true), full({0}, 1), iota<int>({2, 3}));
                      });
  const std::int64_t large = std::int64_t{1} << 31;
  refuses<OverflowError>(
      "overflow",
      "where: a tensor of shape [2147483648, 2147483648] and type i32 would have "
      "more than 2^62 bytes",
      [&] {
        where(scalar(true), full({large, 1}, 1), full({large}, 1));
      });
}

TEST_CASE("where: what no memory holds is refused when it is computed, and leaves nothing") {
  const Tensor huge = full({1 << 20, 1 << 20}, 1);
  const Tensor y = where(scalar(true), huge, scalar(0)).slice({0}, {1});
  CHECK_THROWS_AS(y.eval(), MemoryError);
  CHECK_FALSE(y.is_stored());
}

TEST_CASE("where: moves the bytes of any element, and rank 16") {
  const Tensor mask = array({{true, false, true}, {false, false, true}});
  moves_any_element({2, 3}, [&](const Tensor& x) { return where(mask, x, x.flip()); });
  moves_any_element(
      {2, 3}, [&](const Tensor& x) { return where(mask, x.slice({0}, {1}), x.slice({1}, {2})); });
  expect_same(where(scalar(false), rank_16(), rank_16().flip()), rank_16().flip());
}

TEST_CASE("where: what is known of open shapes") {
  const auto shape_of = [](PartialShape condition, PartialShape x, PartialShape y) {
    const Tensor result = where(placeholder(bool_, std::move(condition)),
                                placeholder(f32, std::move(x)), placeholder(f32, std::move(y)));
    return to_string(result.partial_shape());
  };
  CHECK(shape_of({"n", 1}, {"n", 3}, {}) == "[n, 3]");
  CHECK(shape_of({"n"}, {"m"}, {4}) == "[4]");
  CHECK(shape_of({"n"}, {"m"}, {}) == "[?]");
  CHECK(shape_of({"n"}, {"n"}, {"n"}) == "[n]");
  CHECK(shape_of({"n"}, {1}, {2, 1}) == "[2, n]");
  CHECK(shape_of({"n"}, {0}, {}) == "[0]");
  CHECK(shape_of({-1}, {-1}, {-1}) == "[?]");
  CHECK(shape_of({Dim(1, 5)}, {Dim(1, 5)}, {1}) == "[1..5]");
  CHECK(shape_of({Dim(1, 5)}, {Dim(1, 9)}, {1}) == "[?]");
  CHECK(shape_of(PartialShape::any(), {2}, {2}) == "[...]");
}

namespace weft::testing {

void draw_where(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  // Each operand may repeat on some axes, and lack leading ones.
  const auto broadcastable = [&] {
    List own = shape;
    for (std::int64_t& e : own)
      if (random.one_in(4)) e = 1;
    if (random.one_in(4))
      own.erase(own.begin(),
                own.begin() + static_cast<std::ptrdiff_t>(random.below(own.size() + 1)));
    return own;
  };
  const List mask_shape = broadcastable();
  std::int64_t count = 1;
  for (const std::int64_t e : mask_shape) count *= e;
  List holds;
  for (std::int64_t k = 0; k < count; ++k) holds.push_back(random.in(0, 1));
  const std::size_t x = drawing.x();
  const std::size_t mask = drawing.mask(mask_shape, holds);
  const std::size_t y = drawing.value_like(broadcastable());
  if (random.one_in(2)) drawing.add("where", {mask, x, y}, {});
  else drawing.add("where", {mask, y, x}, {});
}

}  // namespace weft::testing
