// SPDX-License-Identifier: Apache-2.0
// where: elements by a mask.
#include <algorithm>
#include <vector>

#include <weft/engine/run/blocks.h>
#include <weft/graph/plan/plan.h>
#include <weft/testing/check.h>

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

TEST_CASE("where: of what no memory holds a part is computed alone, and more is refused") {
  const Tensor huge = full({1 << 20, 1 << 20}, 1);
  const Tensor whole = where(scalar(true), huge, scalar(0));
  CHECK(whole.slice({3}, {4}).slice({0}, {7}, {1}, {1}).to_vector<int>() == std::vector<int>(7, 1));
  CHECK_THROWS_AS(whole.eval(), MemoryError);
  CHECK_FALSE(whole.is_stored());
  // Two passes that ask for parts of it compute each its own.
  const Tensor first = whole.slice({0}, {1}).slice({0}, {3}, {1}, {1});
  const Tensor last = whole.flip(0).slice({0}, {1}).slice({0}, {5}, {1}, {1});
  eval(first, last);
  CHECK(first.to_vector<int>() == std::vector<int>(3, 1));
  CHECK(last.to_vector<int>() == std::vector<int>(5, 1));
}

namespace {

/// Every combination of how operands may lie.
std::vector<Tensor> ways(const Tensor& x) {
  const Shape turned{x.shape()[1], x.shape()[0]};
  return {x,
          x.roll({1, 2}, {0, 1}),
          x.flip(1),
          x.reshape(turned).transpose(),
          x.slice({0}, {1}),
          x.slice({0}, {1}, {1}, {1}),
          concat({x.slice({1}, {x.shape()[0]}), x.slice({0}, {1})}, 0)};
}

Tensor mask_of(std::int64_t rows, std::int64_t columns) {
  std::vector<std::uint8_t> holds;
  for (std::int64_t i = 0; i < rows * columns; ++i)
    holds.push_back(static_cast<std::uint8_t>(i * i % 7 < 3 ? i % 3 + 1 : 0));
  return copy_from(holds.data(), bool_, {rows, columns});
}

}  // namespace

TEST_CASE("where: operands lie in place, still, turned or cut, of any size") {
  for (const DType dtype : {u8, i16, f32, f64, c128, opaque(3), opaque(12), opaque(24), opaque(65)})
    for (const auto& [rows, columns] : {std::pair{1, 1}, {4, 9}, {33, 70}, {70, 33}}) {
      const auto build = [&, rows = rows, columns = columns](std::size_t way) {
        const Shape shape{rows, columns};
        return where(ways(mask_of(rows, columns))[way % 7],
                     ways(leaf(dtype, shape, 1))[way / 7 % 7],
                     ways(leaf(dtype, shape, 2))[way / 49 % 7]);
      };
      for (std::size_t way = 0; way < 343; way += 5) {
        INFO(dtype.name(), " ", rows, " ", columns, " ", way);
        CHECK(disagreement(build(way)) == "");
      }
    }
}

TEST_CASE("where: what moves its operands and its result is one pass with it") {
  const Tensor x = iota<float>({70, 90}), y = iota<float>({90, 70}), mask = mask_of(90, 70);
  const auto passes = [](const Tensor& tensor, const PlanLimits& limits = {}) {
    return make_plan(tensor.node_ptr(), limits).passes.size();
  };
  PlanLimits tight;
  tight.stored_bytes = 0;
  const Tensor one = where(mask.roll({3, 4}, {0, 1}), x.transpose(), y);
  CHECK(passes(one) == 1);
  // In short rows its result is moved, not each of its operands, but where nothing may be stored.
  for (const Tensor& moved :
       {one.roll({5, 6}, {0, 1}).transpose().flip(0), one.slice({3, 1}, {80, 60})}) {
    CHECK(passes(moved) == 2);
    CHECK(passes(moved, tight) == 1);
  }
  CHECK(passes(where(mask.slice({0}, {1}), x.transpose(), scalar(0.0f))) == 1);
  CHECK(passes(where(concat({mask, mask}, 0), concat({y, y}, 0).flip(), concat({y, y}, 0))) == 1);
  // What is made of it several times is stored, and so is what would be cut at each element.
  CHECK(passes(one.tile({2, 2})) == 2);
  CHECK(passes(where(mask, stack({y, y}, 2).reshape({90, 140}).slice({0, 5}, {90, 75}), y)) == 2);
  // One of another is a step of its program.
  CHECK(passes(where(mask, where(mask.flip(), y, x.transpose()), y)) == 1);
}

TEST_CASE("where: explain tells the pieces, and how operands are found") {
  const Tensor x = iota<float>({70, 90}), y = iota<float>({90, 70}), mask = mask_of(90, 70);
  CHECK(
      explain(where(mask.slice({0}, {1}, {1}, {1}), x.transpose(), y.roll(1, 0))) ==
      "f32 [90, 70]: 1 pass, 2 boxes, 49.3 KiB read, 24.6 KiB written, 0 temporaries\n"
      "pass 1: result [90, 70], 2 pieces\n"
      "  reads %0 bool, %1 f32, %2 f32\n"
      "  %3 = where f32 %0 %1 %2\n"
      "  select           280 B  from %0 source 2 by row, %1 source 1 by strided, %2 source 0; out "
      "0 src 0 0 6230 (70: 1, 0 90 1)\n"
      "  select        24.3 KiB  from %0 source 2 by row, %1 source 1 by transpose, %2 source 0; "
      "out 70 src 70 1 0 (89: 70, 70 1 70) (70: 1, 0 90 1)\n");
}

TEST_CASE("where: a condition is read anew each time that it is evaluated") {
  std::vector<std::uint8_t> holds{1, 0, 1};
  const Tensor y = where(borrow(holds.data(), bool_, {3}), array({1, 2, 3}), scalar(0));
  int value[3];
  eval_into(y, value, sizeof value);
  CHECK(std::vector<int>(value, value + 3) == std::vector<int>{1, 0, 3});
  holds = {0, 1, 0};
  eval_into(y, value, sizeof value);
  CHECK(std::vector<int>(value, value + 3) == std::vector<int>{0, 2, 0});
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
  std::size_t mask = drawing.mask(mask_shape, holds);
  if (random.one_in(3))
    mask = drawing.add("flip", {mask}, {drawing.random_axes(mask_shape.size())});
  if (random.one_in(3) && !mask_shape.empty())
    mask = drawing.add("roll", {mask}, {List{random.in(0, mask_shape[0])}, List{0}});
  const std::size_t y = drawing.value_like(broadcastable());
  if (random.one_in(2)) drawing.add("where", {mask, x, y}, {});
  else drawing.add("where", {mask, y, x}, {});
}

}  // namespace weft::testing

TEST_CASE("where: rows of turned operands that are put aside fit whatever the last block's width") {
  for (const std::int64_t width : {8, 24, 32, 48})
    for (const std::int64_t columns : {5, 17, 33, 129})
      for (const std::int64_t rows : {300, 1000}) {
        CAPTURE(width);
        CAPTURE(columns);
        CAPTURE(rows);
        const Tensor holds = full({rows, columns, width}, true).eval();
        const Tensor x = full<std::uint8_t>({width, columns, rows}, 1).eval();
        const Tensor y = full<std::uint8_t>({width, columns, rows}, 2).eval();
        const std::vector<std::uint8_t> chosen =
            where(holds, x.transpose(), y.transpose()).to_vector<std::uint8_t>();
        CHECK(std::count(chosen.begin(), chosen.end(), 1) == std::ssize(chosen));
      }
}

namespace {

/// What the passes of an evaluation have aside, at most, for a task.
std::int64_t aside_of(const Tensor& tensor) {
  const Plan plan = make_plan(tensor.node_ptr());
  std::int64_t most = 0;
  for (const Pass& pass : plan.passes)
    if (pass.has_program()) most = std::max(most, make_block_steps(pass).aside_bytes);
  return most;
}

/// where() of a turned operand by loops, beside what blocks make of it in memory that begins
/// anywhere and is surrounded by bytes that nobody may touch.
bool turns_rightly(std::int64_t size, std::int64_t rows, std::int64_t columns, bool is_back,
                   std::int64_t shift) {
  const DType dtype = opaque(static_cast<std::uint32_t>(size));
  const auto bytes_of = [&](std::int64_t factor, std::int64_t count) {
    std::vector<std::uint8_t> bytes;
    for (std::int64_t i = 0; i < count; ++i)
      bytes.push_back(static_cast<std::uint8_t>(i * factor + i / 256));
    return bytes;
  };
  const std::int64_t count = rows * columns;
  const std::vector<std::uint8_t> xs = bytes_of(7, count * size), ys = bytes_of(11, count * size);
  std::vector<std::uint8_t> holds = bytes_of(5, count);
  for (std::uint8_t& each : holds) each = each % 3 == 0 ? 0 : each;
  const Tensor x = copy_from(xs.data(), dtype, {columns, rows});
  const Tensor y = copy_from(ys.data(), dtype, {rows, columns});
  const Tensor c = copy_from(holds.data(), bool_, {rows, columns});
  const Tensor all =
      where(c.roll(1, 0), is_back ? x.transpose().flip(0) : x.transpose(), y.roll(3, 1));
  constexpr std::size_t around = 128;
  constexpr std::uint8_t untouched = 0xA5;
  std::vector<std::uint8_t> out(static_cast<std::size_t>(count * size) + 2 * around, untouched);
  std::uint8_t* const begin = out.data() + around / 2 + shift;
  eval_into(all, begin, count * size);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) {
      const std::int64_t from = (i + rows - 1) % rows * columns + j;
      const std::uint8_t* const chosen =
          holds[static_cast<std::size_t>(from)] != 0
              ? xs.data() + (j * rows + (is_back ? rows - 1 - i : i)) * size
              : ys.data() + (i * columns + (j + columns - 3) % columns) * size;
      if (!std::equal(chosen, chosen + size, begin + (i * columns + j) * size)) return false;
    }
  const auto is_untouched = [](std::uint8_t byte) { return byte == untouched; };
  return std::all_of(out.data(), begin, is_untouched) &&
         std::all_of(begin + count * size, out.data() + out.size(), is_untouched);
}

}  // namespace

TEST_CASE("where: blocks of turned operands, first and last ones narrow, write what they should") {
  for (const std::int64_t size : {1, 2, 3, 4, 8, 12, 16})
    for (const auto& [rows, columns] :
         {std::pair{1, 700}, {700, 3}, {65, 1024}, {129, 2049}, {1024, 513}, {257, 3008}})
      for (const bool is_back : {false, true}) {
        CAPTURE(size);
        CAPTURE(rows);
        CAPTURE(columns);
        CAPTURE(is_back);
        CHECK(turns_rightly(size, rows, columns, is_back, (rows + columns) % 3 * size));
      }
}

TEST_CASE("where: past the caches, and from far apart runs that are put side by side") {
  CHECK(turns_rightly(1, 4096, 2048, false, 0));
  CHECK(turns_rightly(1, 4096, 2049, true, 5));
  CHECK(turns_rightly(4, 1024, 2112, false, 1));
  CHECK(turns_rightly(3, 1024, 2816, true, 0));
  CHECK(turns_rightly(8, 1030, 1024, false, 8));
}

TEST_CASE("where: a task puts little aside, of elements of any size and shape") {
  for (const std::int64_t size : {1, 2, 3, 4, 8, 12, 16, 100})
    for (const auto& [rows, columns] :
         {std::pair{4096, 4096}, {3, 1 << 20}, {1 << 20, 3}, {777, 3001}}) {
      const DType dtype = opaque(static_cast<std::uint32_t>(size));
      const std::byte nothing{};  // is planned, and never read
      const Tensor x = borrow(&nothing, dtype, {columns, rows}),
                   y = borrow(&nothing, dtype, {rows, columns}),
                   mask = borrow(&nothing, bool_, {rows, columns});
      CAPTURE(size);
      CAPTURE(rows);
      CHECK(aside_of(where(mask.roll(1, 0), x.transpose(), y)) <= 704 * 1024);
    }
}

TEST_CASE("where: what is put aside of huge elements is little") {
  const DType huge = opaque(1 << 20);
  const Tensor x = full({64 << 20}, false).eval().view_as(huge).eval();
  const Tensor y = where(full({64}, true).eval(), x.flip(0), x.roll(1, 0));
  REQUIRE(make_plan(y.node_ptr()).passes.size() == 1);
  CHECK(aside_of(y) <= 4 << 20);
}

TEST_CASE("where: what its blocks take is within the limit of memory") {
  constexpr std::int64_t n = 70000;
  const Tensor holds = full({n}, true).eval(), x = full<std::uint8_t>({n}, 1).eval();
  const Tensor y = where(holds, x.reshape({5, n / 5}).transpose().reshape({n}),
                         x.reshape({7, n / 7}).transpose().reshape({n}));
  std::vector<std::uint8_t> out(n);
  CHECK_THROWS_AS(eval_into(y, std::span(out), {.memory_limit = 1}), MemoryError);
  eval_into(y, std::span(out));
  CHECK(std::count(out.begin(), out.end(), 1) == n);
}
