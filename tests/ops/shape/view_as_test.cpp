// SPDX-License-Identifier: Apache-2.0
// view_as: the bytes of elements as elements of another type.
#include <array>
#include <complex>
#include <cstring>
#include <vector>

#include <weft/graph/plan/plan.h>

#include "ops/expect.h"
#include "support/drawing.h"

using namespace weft;
using namespace weft::testing;

namespace weft::testing {

void draw_view_as(Drawing& drawing) {
  static constexpr std::array types{u8,   u16,       f32,       i64,        c64,
                                    c128, opaque(3), opaque(6), opaque(12), opaque(24)};
  Random& random = drawing.random();
  const std::size_t x = drawing.x();
  const DType own = drawing.dtype_of(x), dtype = types[random.below(types.size())];
  const auto fits = [&](std::size_t value, DType to) {
    const std::int64_t from = drawing.dtype_of(value).size(), size = to.size();
    const List shape = drawing.shape_of(value);
    if (to == bool_) return false;
    if (from == size) return true;
    return !shape.empty() && (size < from ? from % size == 0 : shape.back() * from % size == 0);
  };
  if (!fits(x, dtype) || drawing.room() * dtype.size() < own.size()) return;
  std::size_t y = drawing.add("view_as", {x}, {}, {dtype.name()});
  for (std::int64_t moves = random.in(0, 3); moves > 0; --moves) {
    const List shape = drawing.shape_of(y);
    if (shape.empty()) break;
    const std::int64_t axis = static_cast<std::int64_t>(random.below(shape.size()));
    switch (random.below(4)) {
      case 0:
        y = drawing.add("flip", {y}, {List{axis}});
        break;
      case 1:
        y = drawing.add("roll", {y}, {List{random.in(0, 7)}, List{axis}});
        break;
      case 2:
        y = drawing.add("swapaxes", {y}, {List{axis}, List{0}});
        break;
      default:
        y = drawing.add("slice", {y},
                        {List{random.in(0, 1)}, List{shape[static_cast<std::size_t>(axis)]},
                         List{random.in(1, 2)}, List{axis}});
    }
  }
  if (fits(y, own)) drawing.add("view_as", {y}, {}, {own.name()});
}

}  // namespace weft::testing

namespace {

Plan plan_of(const Tensor& tensor) { return make_plan(tensor.node_ptr()); }

std::size_t boxes_of(const Plan& plan) {
  std::size_t count = 0;
  for (const Pass& pass : plan.passes) count += pass.copies.size();
  return count;
}

/// One pass of so many boxes over what is stored.
void expect_one_pass(const Tensor& tensor, std::size_t boxes) {
  const Plan plan = plan_of(tensor);
  CHECK(plan.passes.size() == 1);
  CHECK(boxes_of(plan) == boxes);
  CHECK(disagreement(tensor) == "");
}

}  // namespace

TEST_CASE("view_as: keeps the shape where sizes are equal, and changes the last axis elsewhere") {
  const Tensor x = iota<float>({2, 6});
  CHECK(x.view_as(i32).shape() == Shape{2, 6});
  CHECK(x.view_as(i32).dtype() == i32);
  CHECK(x.view_as(c64).shape() == Shape{2, 3});
  CHECK(x.view_as(opaque(12)).shape() == Shape{2, 2});
  CHECK(x.view_as(u16).shape() == Shape{2, 12});
  CHECK(x.view_as(u8).shape() == Shape{2, 24});
  CHECK(x.view_as(f32).node_ptr().get() == x.node_ptr().get());
  CHECK(scalar(1.0f).view_as(u32).item<std::uint32_t>() == 0x3f800000);
  CHECK(iota<float>({3, 0}).view_as(u8).shape() == Shape{3, 0});
}

TEST_CASE("view_as: over stored data it is an alias, of all its bytes, also from type to type") {
  const Tensor x = iota<float>({4, 6});
  const auto* const bytes = reinterpret_cast<const std::byte*>(x.data<float>());
  for (const DType dtype : {i32, u16, u8, c64, opaque(12), opaque(2)}) {
    const Tensor y = x.view_as(dtype);
    CHECK(plan_of(y).is_alias());
    CHECK(reinterpret_cast<const std::byte*>(y.eval().node().value().get()) == bytes);
    CHECK(plan_of(x.view_as(dtype).view_as(u16).reshape({48}).view_as(f32)).is_alias());
  }
  CHECK(explain(x.view_as(u8)) ==
        "u8 [4, 24]: 0 passes, an alias of the whole of a stored tensor at element 0, nothing "
        "moves\n");
}

TEST_CASE("view_as: an alias begins where an element of its type may") {
  const Tensor x = iota<std::uint8_t>({1, 40});
  CHECK(plan_of(x.slice({8}, {40}, {1}, {1}).view_as(u64)).is_alias());
  CHECK_FALSE(plan_of(x.slice({3}, {35}, {1}, {1}).view_as(u64)).is_alias());
  CHECK(plan_of(x.slice({4}, {40}, {1}, {1}).view_as(opaque(12))).is_alias());
  CHECK(disagreement(x.slice({3}, {35}, {1}, {1}).view_as(u64)) == "");
}

TEST_CASE("view_as: has the bytes that memory has") {
  const std::complex<float> numbers[] = {{1, 2}, {3, 4}, {5, 6}};
  const Tensor x = copy_from(numbers, c64, 3);
  expect<float>(x.view_as(f32), {6}, {1, 2, 3, 4, 5, 6});
  expect<float>(x.flip(0).view_as(f32), {6}, {5, 6, 3, 4, 1, 2});
  expect<float>(x.view_as(f32).flip(0), {6}, {6, 5, 4, 3, 2, 1});
  expect<std::complex<float>>(x.view_as(f32).flip(0).view_as(c64), {3}, {{6, 5}, {4, 3}, {2, 1}});
  const Tensor mask = array({true, false, true});
  expect<std::uint8_t>(mask.view_as(u8).flip(0), {3}, {1, 0, 1});
}

TEST_CASE("view_as: a part of each element is read where it lies") {
  const Tensor x = leaf(c64, {30, 40});
  // The real parts, moved about below and above.
  const auto real = [&] {
    return x.transpose().roll(3, 0).view_as(f32).slice({0}, {60}, {2}, {1});
  };
  expect_one_pass(real(), 2);
  expect_one_pass(real().transpose(), 2);
  expect_one_pass(x.view_as(f32).reshape({30, 40, 2}).transpose({2, 0, 1}), 1);
  const Tensor pixels = leaf(opaque(12), {20, 30});
  expect_one_pass(pixels.transpose().view_as(f32).reshape({30, 20, 3}).transpose({2, 0, 1}), 1);
}

TEST_CASE("view_as: movement on either side is one pass over whole elements") {
  const Tensor x = leaf(f32, {20, 48});
  const auto element_of = [](const Tensor& tensor) { return plan_of(tensor).passes[0].element(); };
  for (const DType dtype : {c64, opaque(12), u16, u8, i32}) {
    CAPTURE(dtype.name());
    expect_one_pass(x.view_as(dtype).transpose(), 1);
    expect_one_pass(x.roll(7, 0).view_as(dtype).transpose(), 2);
    expect_one_pass(x.roll(7, 0).view_as(dtype).roll(2, 0).view_as(f32), 2);
    CHECK(element_of(x.roll(7, 0).view_as(dtype).transpose()) == dtype.size());
  }
  // The pass counts what it moves: whole elements where it does, and parts where it must.
  CHECK(element_of(x.flip(1).view_as(c64).transpose()) == 4);
  CHECK(element_of(x.roll(2, 1).view_as(c64).transpose()) == 8);
  CHECK(element_of(x.roll(3, 1).view_as(c64).transpose()) == 4);
}

TEST_CASE("view_as: parts of elements that others overwrite, repeat, join and look up") {
  const Tensor x = leaf(c64, {6, 8}), y = leaf(f32, {6, 4}, 1);
  CHECK(disagreement(x.view_as(f32).slice_scatter(y, {1}, {9}, {2}, {1})) == "");
  CHECK(disagreement(
            x.view_as(f32).slice_scatter(y, {1}, {9}, {2}, {1}).view_as(c64).transpose()) == "");
  CHECK(disagreement(x.view_as(f32).tile({2, 3}).view_as(c128)) == "");
  CHECK(disagreement(concat({x.view_as(f32), y.flip(0)}, 1).view_as(opaque(20)).transpose()) == "");
  CHECK(disagreement(x.view_as(f32).take(array<std::int64_t>({3, 1, 15, 2}), 1).view_as(u16)) ==
        "");
  CHECK(disagreement(x.take(array<std::int64_t>({3, 1, 7, 2}), 1).view_as(f32).transpose()) == "");
  CHECK(disagreement(x.view_as(f32).pad({1, 1}, {1, 1}, 2.5).view_as(opaque(12)).flip(0)) == "");
  CHECK(disagreement(x.transpose().stored().view_as(f32).transpose().stored().view_as(u16)) == "");
}

TEST_CASE("view_as: sizes that do not divide each other meet in the memory between them") {
  const Tensor x = leaf(i64, {6, 3});
  expect_one_pass(x.transpose().flip(1).view_as(opaque(16)), 1);
  CHECK(x.view_as(opaque(12)).shape() == Shape{6, 2});
  CHECK(disagreement(x.view_as(opaque(12)).transpose()) == "");
  CHECK(disagreement(x.roll(1, 0).view_as(opaque(12)).transpose().view_as(opaque(24))) == "");
  CHECK(disagreement(x.flip(1).view_as(opaque(12)).flip(1)) == "");
}

TEST_CASE("view_as: tensors of several types over one result are made once") {
  const Tensor x = iota<float>({40, 60}), y = x.roll({3, 5}, {0, 1});
  const Tensor bits = y.view_as(u32), bytes = y.view_as(u8), turned = y.view_as(c64).transpose();
  const Tensor all[] = {y, bits, bytes, turned};
  eval(all);
  CHECK(static_cast<const void*>(bits.data<std::uint32_t>()) == y.data<float>());
  CHECK(static_cast<const void*>(bytes.data<std::uint8_t>()) == y.data<float>());
  CHECK(disagreement(turned) == "");
}

TEST_CASE("view_as: in programs, with shapes that are known as far as they are") {
  const Program program({placeholder(c64, {"n", 6})}, [](const Tensor& x) {
    return std::vector<Tensor>{x.flip(0).view_as(f32).transpose(),
                               x.roll(1, 0).view_as(opaque(24))};
  });
  const Tensor x = leaf(c64, {5, 6});
  const std::vector<Tensor> got = program(x);
  expect_same(got[0], x.flip(0).view_as(f32).transpose());
  expect_same(got[1], x.roll(1, 0).view_as(opaque(24)));
  const Tensor open = placeholder(c64, {"n", 6}).view_as(f32);
  CHECK(open.dtype() == f32);
  CHECK(to_string(open.partial_shape()) == "[n, 12]");
  CHECK(graph_text(open).find("view_as(%0, dtype=f32)  f32 [n, 12]") != std::string::npos);
}

TEST_CASE("view_as: refuses what has no such bytes") {
  refuses<DtypeError>("dtype_mismatch",
                      "view_as: dtype is bool, of which an element is 0 or 1 alone, expected "
                      "another for x of u8",
                      [] { iota<std::uint8_t>({3}).view_as(bool_); });
  refuses<DtypeError>("dtype_mismatch",
                      "view_as: dtype f64 has 8 bytes, expected a divisor of the 12 of x, struct "
                      "of 12 bytes, or more than those",
                      [] { leaf(opaque(12), {3}).view_as(f64); });
  refuses<ShapeError>("shape_mismatch",
                      "view_as: the last axis of x, of shape [2, 5], has 5 elements of 4 bytes, "
                      "expected a multiple of the 8 of dtype c64",
                      [] {
                        iota<float>({2, 5}).view_as(c64);
                      });
  refuses<ShapeError>("shape_mismatch",
                      "view_as: x is a scalar of f32, expected dtype u8 to have 4 bytes as well, "
                      "not 1",
                      [] { scalar(1.0f).view_as(u8); });
  refuses<OverflowError>("overflow",
                         "view_as: the last axis of shape [0, 4611686018427387904] would be beyond "
                         "int64",
                         [] {
                           iota<float>({0, std::int64_t{1} << 62}).view_as(u8);
                         });
  CHECK_THROWS_AS(static_cast<void>(Tensor().view_as(u8)), EmptyError);
}

TEST_CASE("the name of an element type is read back") {
  for (const DType dtype : all_types()) CHECK(parse_dtype(dtype.name()) == dtype);
  CHECK(parse_dtype("struct of 4294967295 bytes") == opaque(4294967295u));
  for (const char* const wrong : {"", "f33", "struct of 0 bytes", "struct of 4294967296 bytes",
                                  "struct of -1 bytes", "struct of 07 bytes", "struct of bytes"})
    CHECK_FALSE(parse_dtype(wrong));
}
