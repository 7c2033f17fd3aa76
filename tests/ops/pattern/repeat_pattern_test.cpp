// SPDX-License-Identifier: Apache-2.0
// repeat by a pattern: new axes on its right side.
#include "ops/expect.h"

#include "ops/drawn_pattern.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Elements of the result, by a function of their index.
template <class Value>
void expect_values(const Tensor& got, const Shape& shape, Value&& value,
                   Where at = Where::current()) {
  std::vector<int> values;
  for (std::int64_t k = 0; k < element_count(shape); ++k)
    values.push_back(static_cast<int>(value(unravel_index(k, shape))));
  expect<int>(got, shape, values, at);
}

}  // namespace

TEST_CASE("repeat: along new axes") {
  const Tensor x = iota<int>({2, 3});
  expect_values(x.repeat("h w -> h w c", {{"c", 3}}), {2, 3, 3},
                [](const Index& i) { return i[0] * 3 + i[1]; });
  expect_values(x.repeat("h w -> h 2 w"), {2, 2, 3},
                [](const Index& i) { return i[0] * 3 + i[2]; });
  expect_values(x.repeat("h w -> c w 2 h 2", {{"c", 2}}), {2, 3, 2, 2, 2},
                [](const Index& i) { return i[3] * 3 + i[1]; });
  expect<int>(scalar(7).repeat("-> 3"), {3}, {7, 7, 7});
}

TEST_CASE("repeat: of elements and of the whole") {
  const Tensor x = iota<int>({2, 3});
  expect<int>(repeat(x, "h w -> h (w r)", {{"r", 2}}), {2, 6},
              {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5});
  expect<int>(repeat(x, "h w -> h (r w)", {{"r", 2}}), {2, 6},
              {0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5});
  expect_same(repeat(x, "h w -> (h2 h) (w3 w)", {{"h2", 2}, {"w3", 3}}), x.tile({2, 3}));
  expect_values(x.repeat("h w -> (h h2) (w w2)", {{"h2", 2}, {"w2", 2}}), {4, 6},
                [](const Index& i) { return i[0] / 2 * 3 + i[1] / 2; });
  expect_values(x.repeat("h w -> (2 h 3) w"), {12, 3},
                [](const Index& i) { return i[0] / 3 % 2 * 3 + i[1]; });
}

TEST_CASE("repeat: while axes are split, permuted and merged") {
  const Tensor x = iota<int>({4, 6});
  expect_values(x.repeat("(h p) w -> (w 2) p h", {{"p", 2}}), {12, 2, 2},
                [](const Index& i) { return (i[2] * 2 + i[1]) * 6 + i[0] / 2; });
  expect_values(x.repeat("h ... -> r (... h)", {{"r", 2}}), {2, 24},
                [](const Index& i) { return i[1] % 4 * 6 + i[1] / 4; });
  expect_values(x.repeat("... -> 2 ..."), {2, 4, 6},
                [](const Index& i) { return i[1] * 6 + i[2]; });
  expect_same(x.repeat("(h p) w -> w h p", {{"p", 2}}),
              x.rearrange("(h p) w -> w h p", {{"p", 2}}));
}

TEST_CASE("repeat: once is to add an axis, and nothing new is nothing to do") {
  const Tensor x = iota<int>({2, 3});
  expect<int>(x.repeat("h w -> h r w 1", {{"r", 1}}), {2, 1, 3, 1}, {0, 1, 2, 3, 4, 5});
  CHECK(graph_text(x.repeat("h w -> h r w", {{"r", 1}})) == graph_text(x.expand_dims({1})));
  CHECK(x.repeat("h w -> h w").node_ptr().get() == x.node_ptr().get());
  CHECK(x.repeat("h w -> h (w r)", {{"r", 1}}).shape() == x.shape());
}

TEST_CASE("repeat: is what it spells") {
  const Tensor x = iota<int>({20, 30});
  CHECK(explain(x.repeat("h w -> h (w r)", {{"r", 4}})) ==
        explain(x.expand_dims(2).broadcast_to({20, 30, 4}).reshape({20, 120})));
  CHECK(graph_text(x.repeat("h w -> r w h", {{"r", 4}})) ==
        graph_text(x.transpose({1, 0}).expand_dims({0}).broadcast_to({4, 30, 20})));
}

TEST_CASE("repeat: extents of 0 stay") {
  expect<int>(iota<int>({0, 3}).repeat("h w -> (h r) w", {{"r", 4}}), {0, 3}, {});
  expect<int>(iota<int>({0, 3}).repeat("(h p) w -> p h (w 2)", {{"p", 4}}), {4, 0, 6}, {});
}

TEST_CASE("repeat: sizes may be of any integer type, also a tensor") {
  const Tensor x = iota<int>(2);
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    for (const int rank : {0, 1})
      expect<int>(x.repeat("h -> r h", AxisSizes("r", ints_of(dtype, rank, {2}))), {2, 2},
                  {0, 1, 0, 1});
  expect<int>(x.repeat("h -> r h", {"r", scalar<std::int16_t>(2)}), {2, 2}, {0, 1, 0, 1});
}

TEST_CASE("repeat: axes that go, and new ones without a size, are refused") {
  const Tensor x = iota<int>({2, 3});
  const auto is_refused = [&](const std::string& pattern, const std::string& message,
                              const AxisSizes& sizes = {}) {
    refuses<ParameterError>("bad_pattern", message, [&] { x.repeat(pattern, sizes); });
  };
  is_refused("h w -> h r", "repeat: axis w is only on the left\n  h w -> h r\n    ^", {{"r", 2}});
  is_refused("h w -> h (w r)",
             "repeat: no size is given for the new axis r\n"
             "  h w -> h (w r)\n"
             "              ^");
  is_refused("h w -> h w ...",
             "repeat: the ellipsis is only on the right\n"
             "  h w -> h w ...\n"
             "             ^");
  is_refused("h 3 -> h", "repeat: number 3 is not allowed, only 1 is\n  h 3 -> h\n    ^");
  is_refused("h w -> h w 0",
             "repeat: a new axis has extent 0, expected 1 or more\n"
             "  h w -> h w 0\n"
             "             ^");
  is_refused("h w -> h w r",
             "repeat: size 0 of axis r, expected 1 or more\n"
             "  h w -> h w r\n"
             "             ^",
             {{"r", 0}});
  is_refused("h w -> h w 2",
             "repeat: a size is given for axis 2, which is not in the pattern\n"
             "  h w -> h w 2",
             {{"2", 2}});
  is_refused("h (p w) -> h p w 2",
             "repeat: no size is known for axis p, nor for w beside it\n"
             "  h (p w) -> h p w 2\n"
             "     ^");
}

TEST_CASE("repeat: shapes and ranks that do not fit are refused") {
  const Tensor x = iota<int>({2, 3});
  refuses<ShapeError>("shape_mismatch",
                      "repeat: extent 3 of axis 1 is not divisible by p = 2 (shape [2, 3])\n"
                      "  h (w p) -> h p w 2\n"
                      "    ^",
                      [&] {
                        x.repeat("h (w p) -> h p w 2", {{"p", 2}});
                      });
  refuses<ParameterError>("bad_rank",
                          "repeat: x has rank 2, expected 1 (shape [2, 3])\n"
                          "  h -> h 2\n"
                          "    ^",
                          [&] { x.repeat("h -> h 2"); });
  refuses<ParameterError>("bad_rank",
                          "repeat: 17 axes on the right, at most 16 are allowed\n"
                          "  ... -> ... r\n"
                          "         ^",
                          [&] {
                            rank_16().repeat("... -> ... r", {{"r", 2}});
                          });
  refuses<ParameterError>("bad_rank",
                          "repeat: 17 axes on the right, at most 16 are allowed\n"
                          "  ... a -> (2 ... a)\n"
                          "              ^",
                          [] { rank_16().repeat("... a -> (2 ... a)"); });
}

TEST_CASE("repeat: what is beyond int64 or the address space is refused") {
  const Tensor x = iota<int>({2, 0});
  refuses<OverflowError>("overflow",
                         "repeat: h * r is beyond int64\n"
                         "  h w -> (h r) w\n"
                         "         ^",
                         [&] {
                           x.repeat("h w -> (h r) w", {{"r", highest}});
                         });
  refuses<OverflowError>("overflow",
                         "repeat: 9223372036854775808 is beyond int64\n"
                         "  h w -> h w 9223372036854775808\n"
                         "             ^",
                         [&] { x.repeat("h w -> h w 9223372036854775808"); });
  refuses<OverflowError>("overflow",
                         "repeat: a tensor of shape [2, 9223372036854775807] and type i32 would "
                         "have more than 2^62 bytes",
                         [&] { iota<int>(2).repeat("h -> h 9223372036854775807"); });
}

TEST_CASE("repeat: moves the bytes of any element, and leaves its operand") {
  moves_any_element({4, 6}, [](const Tensor& x) {
    return x.repeat("(a b) c -> (c 2) (b r a)", {{"a", 2}, {"r", 3}});
  });
}

TEST_CASE("repeat: what is known of open tensors and sizes") {
  const Tensor x = open({"n", Dim(1, 4), 5});
  CHECK(shape_of(x.repeat("n h w -> n 2 w h")) == "[n, 2, 5, 1..4]");
  CHECK(shape_of(x.repeat("n h w -> n (h r) (r2 w)", {{"r", 3}, {"r2", 2}})) == "[n, 3..12, 10]");
  CHECK(shape_of(x.repeat("n h w -> n h r w", {"r", integers({1})})) == "[n, 1..4, 1.., 5]");
  CHECK(shape_of(x.repeat("n h w -> n (h w r)", {"r", integers({1})})) == "[n, 5..]");
  CHECK(shape_of(open(PartialShape::any()).repeat("a ... -> r (a ...)", {{"r", 2}})) == "[2, ?]");
  CHECK(shape_of(open(PartialShape::any()).repeat("a ... -> 2 a ...")) == "[...]");
  CHECK(shape_of(iota<int>({2, 3}).repeat("a b -> (a b r)", {"r", integers({1})})) == "[6..]");
  refuses<ParameterError>("bad_pattern",
                          "repeat: no size is given for the new axis r\n"
                          "  ... -> ... r\n"
                          "             ^",
                          [] { open(PartialShape::any()).repeat("... -> ... r"); });
  refuses<OverflowError>("overflow",
                         "repeat: a tensor of shape [9223372036854775807, 1] and type f32 would "
                         "have more than 2^62 bytes",
                         [] { open({Dim(1, 4)}).repeat("h -> 9223372036854775807 h"); });
}

TEST_CASE("repeat: a program takes any batch, and sizes that are a tensor") {
  const Program upsample({placeholder(i32, {"batch", 4, 6}), placeholder(i64, {2})},
                         [](const Tensor& x, const Tensor& sizes) {
                           return x.repeat("b h w -> b (h p) (w q)", {"p q", sizes});
                         });
  for (const int batch : {1, 3}) {
    const Tensor x = iota<int>({batch, 4, 6});
    expect_values(upsample(x, array<std::int64_t>({2, 3}))[0], {batch, 8, 18},
                  [](const Index& i) { return i[0] * 24 + i[1] / 2 * 6 + i[2] / 3; });
  }
  refuses<ParameterError>("bad_pattern",
                          "%2 repeat_pattern: repeat: size -1 of axis q, expected 1 or more\n"
                          "  b h w -> b (h p) (w q)\n"
                          "                      ^",
                          [&] {
                            upsample(iota<int>({1, 4, 6}), array<std::int64_t>({2, -1}));
                          });
}

namespace weft::testing {

void draw_repeat_pattern(Drawing& drawing) {
  const DrawnPattern pattern(drawing, true);
  drawing.add("repeat_pattern", {drawing.x()}, {pattern.sizes()},
              {pattern.text(), pattern.names()});
}

}  // namespace weft::testing
