// SPDX-License-Identifier: Apache-2.0
// rearrange: axes split, permuted and merged by name.
#include "ops/expect.h"

#include <fmt/format.h>

#include <weft/graph/plan/plan.h>

#include "ops/drawn_pattern.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Of iota(from): each element of the result by the index in `from` that it should be of.
template <class Source>
void expect_from(const Tensor& got, const Shape& from, const Shape& shape, Source&& source,
                 Where at = Where::current()) {
  std::vector<int> values;
  for (std::int64_t k = 0; k < element_count(shape); ++k)
    values.push_back(static_cast<int>(linear_index(source(unravel_index(k, shape)), from)));
  expect<int>(got, shape, values, at);
}

}  // namespace

TEST_CASE("rearrange: permutes axes") {
  const Tensor x = iota<int>({2, 3, 4});
  expect_from(x.rearrange("h w c -> c h w"), {2, 3, 4}, {4, 2, 3}, [](const Index& i) {
    return Index{i[1], i[2], i[0]};
  });
  expect<int>(iota<int>({2, 3}).rearrange("a b->b a"), {3, 2}, {0, 3, 1, 4, 2, 5});
}

TEST_CASE("rearrange: merges axes, the last fastest") {
  const Shape from{2, 3, 4, 5};
  const Tensor x = iota<int>(from);
  expect_from(x.rearrange("b h w c -> (b h) w c"), from, {6, 4, 5}, [](const Index& i) {
    return Index{i[0] / 3, i[0] % 3, i[1], i[2]};
  });
  expect_from(x.rearrange("b h w c -> h (b w) c"), from, {3, 8, 5}, [](const Index& i) {
    return Index{i[1] / 4, i[0], i[1] % 4, i[2]};
  });
  expect_from(x.rearrange("b h w c -> b (c h w)"), from, {2, 60}, [](const Index& i) {
    return Index{i[0], i[1] / 4 % 3, i[1] % 4, i[1] / 12};
  });
}

TEST_CASE("rearrange: splits axes, with one extent inferred in each") {
  const Shape from{2, 4, 6, 3};
  const Tensor x = iota<int>(from);
  const AxisSizes halves{{"h1", 2}, {"w1", 2}};
  expect_from(x.rearrange("b (h1 h) (w1 w) c -> (b h1 w1) h w c", halves), from, {8, 2, 3, 3},
              [](const Index& i) {
                return Index{i[0] / 4, i[0] / 2 % 2 * 2 + i[1], i[0] % 2 * 3 + i[2], i[3]};
              });
  expect_from(x.rearrange("b (h h1) (w w1) c -> b h w (c h1 w1)", halves), from, {2, 2, 3, 12},
              [](const Index& i) {
                return Index{i[0], i[1] * 2 + i[3] / 2 % 2, i[2] * 2 + i[3] % 2, i[3] / 4};
              });
  expect_from(iota<int>(24).rearrange("(a b c) -> c (b a)", {{"c", 2}, {"a", 4}}), {24}, {2, 12},
              [](const Index& i) { return Index{i[1] % 4 * 6 + i[1] / 4 * 2 + i[0]}; });
}

TEST_CASE("rearrange: an ellipsis stands for axes without names") {
  const Shape from{2, 3, 4};
  const Tensor x = iota<int>(from);
  expect_from(x.rearrange("b ... -> b (...)"), from, {2, 12}, [](const Index& i) {
    return Index{i[0], i[1] / 4, i[1] % 4};
  });
  expect_from(x.rearrange("... h w -> ... w h"), from, {2, 4, 3}, [](const Index& i) {
    return Index{i[0], i[2], i[1]};
  });
  expect_from(x.rearrange("b ... -> ... b"), from, {3, 4, 2}, [](const Index& i) {
    return Index{i[2], i[0], i[1]};
  });
  expect_from(x.rearrange("... (h p) -> (p ...) h", {{"p", 2}}), from, {12, 2}, [](const Index& i) {
    return Index{i[0] / 3 % 2, i[0] % 3, i[1] * 2 + i[0] / 6};
  });
  expect_from(x.rearrange("a b c ... -> (... a) c b"), from, {2, 4, 3}, [](const Index& i) {
    return Index{i[0], i[2], i[1]};
  });
  expect<int>(x.rearrange("a b c ... -> a b c (...)"), {2, 3, 4, 1}, reference_values<int>(x));
  expect<int>(x.rearrange("... -> (...)"), {24}, reference_values<int>(x));
}

TEST_CASE("rearrange: 1 and () are axes of extent 1") {
  const Tensor x = iota<int>({2, 1, 3, 1});
  expect<int>(x.rearrange("a 1 b () -> b a"), {3, 2}, {0, 3, 1, 4, 2, 5});
  expect<int>(x.rearrange("a 1 b 1 -> () a (1) (b 1)1"), {1, 2, 1, 3, 1}, {0, 1, 2, 3, 4, 5});
  expect<int>(iota<int>({2, 3}).rearrange("(1 a) (b 1 1) -> 1 1 (b)(a)"), {1, 1, 3, 2},
              {0, 3, 1, 4, 2, 5});
  expect<int>(iota<int>(2).rearrange("a -> (a 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1)"), {2}, {0, 1});
}

TEST_CASE("rearrange: names are of letters, digits and underscores") {
  const Tensor x = iota<int>({2, 3});
  expect<int>(x.rearrange("Image_1 h2o->h2o Image_1"), {3, 2}, {0, 3, 1, 4, 2, 5});
  expect<int>(x.rearrange("a A -> A a"), {3, 2}, {0, 3, 1, 4, 2, 5});
}

TEST_CASE("rearrange: without axes, and without anything to do") {
  expect<int>(scalar(5).rearrange("->"), {}, {5});
  expect<int>(scalar(5).rearrange("... -> 1 ..."), {1}, {5});
  const Tensor x = iota<int>({2, 3});
  CHECK(x.rearrange("a b -> a b").node_ptr().get() == x.node_ptr().get());
  CHECK(x.rearrange("a (b 1) -> (a) b", {{"b", 3}}).node_ptr().get() == x.node_ptr().get());
  CHECK(x.rearrange("... -> ...").node_ptr().get() == x.node_ptr().get());
}

TEST_CASE("rearrange: extents of 0 are inferred, and lie beside any size") {
  const Tensor x = iota<int>({0, 6});
  expect<int>(x.rearrange("(h p) w -> p (h w)", {{"p", 4}}), {4, 0}, {});
  expect<int>(x.rearrange("h (w q) -> w h q", {{"q", 3}}), {2, 0, 3}, {});
  expect<int>(x.rearrange("(h p q) w -> h p q w", {{"p", highest}, {"h", 1}}), {1, highest, 0, 6},
              {});
}

TEST_CASE("rearrange: sizes may be of any integer type, also a tensor") {
  const Tensor x = iota<int>({2, 6});
  const std::vector<int> expected{0, 6, 3, 9, 1, 7, 4, 10, 2, 8, 5, 11};
  const std::string pattern = "a (b c) -> c b a";
  expect<int>(x.rearrange(pattern, {{"b", 2}}), {3, 2, 2}, expected);
  expect<int>(x.rearrange(pattern, {{"c", std::uint8_t{3}}, {"a", 2L}}), {3, 2, 2}, expected);
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64}) {
    expect<int>(x.rearrange(pattern, AxisSizes("c", ints_of(dtype, 0, {3}))), {3, 2, 2}, expected);
    expect<int>(x.rearrange(pattern, AxisSizes(" a  c ", ints_of(dtype, 1, {2, 3}))), {3, 2, 2},
                expected);
  }
  expect<int>(x.rearrange(pattern, {"b c", array({2, 3})}), {3, 2, 2}, expected);
}

TEST_CASE("rearrange: window partition is the reshape, transpose and reshape that it spells") {
  const Tensor x = iota<float>({2, 8, 12, 3});
  const Tensor chain =
      x.reshape({2, 2, 4, 3, 4, 3}).transpose({0, 1, 3, 2, 4, 5}).reshape({12, 16, 3});
  const Tensor windows = rearrange(x, "b (h p) (w q) c -> (b h w) (p q) c", {{"p", 4}, {"q", 4}});
  CHECK(graph_text(windows) == graph_text(chain));
  CHECK(explain(windows) == explain(chain));
  expect_same(windows, chain);
  const Tensor back =
      windows.rearrange("(b h w) (p q) c -> b (h p) (w q) c", {{"b", 2}, {"h", 2}, {"p", 4}});
  expect_same(back, x);
  CHECK(shape_of(rearrange(x, "b (h p) (w q) c -> b h w (p q c)", {{"p", 4}, {"q", 4}})) ==
        "[2, 2, 3, 48]");
}

TEST_CASE("rearrange: depth to space is the reshape, transpose and reshape that it spells") {
  const Shape from{2, 3, 5, 16};
  const Tensor x = iota<int>(from);
  const Tensor chain =
      x.reshape({2, 3, 5, 2, 2, 4}).transpose({0, 1, 3, 2, 4, 5}).reshape({2, 6, 10, 4});
  const Tensor image = rearrange(x, "b h w (p q c) -> b (h p) (w q) c", {{"p", 2}, {"q", 2}});
  CHECK(explain(image) == explain(chain));
  const Plan plan = make_plan(image.node_ptr());
  CHECK(plan.passes.size() == 1);
  CHECK(plan.passes[0].copies.size() == 1);
  expect_from(image, from, {2, 6, 10, 4}, [](const Index& i) {
    return Index{i[0], i[1] / 2, i[2] / 2, i[1] % 2 * 8 + i[2] % 2 * 4 + i[3]};
  });
}

TEST_CASE("rearrange: steps that do nothing are left out") {
  const Tensor x = iota<int>({2, 3, 4});
  CHECK(graph_text(x.rearrange("a b c -> c a b")) == graph_text(x.transpose({2, 0, 1})));
  CHECK(graph_text(x.rearrange("a b c -> a (b c)")) == graph_text(x.reshape({2, 12})));
  CHECK(graph_text(x.rearrange("a b (c d) -> a b c d", {{"d", 2}})) ==
        graph_text(x.reshape({2, 3, 2, 2})));
}

TEST_CASE("rearrange: axes on one side only, and numbers, are refused") {
  const Tensor x = iota<int>({2, 3});
  const auto is_refused = [&](const std::string& pattern, const std::string& message,
                              const AxisSizes& sizes = {}) {
    refuses<ParameterError>("bad_pattern", message, [&] { x.rearrange(pattern, sizes); });
  };
  is_refused("h w -> h", "rearrange: axis w is only on the left\n  h w -> h\n    ^");
  is_refused("h w -> w c h", "rearrange: axis c is only on the right\n  h w -> w c h\n           ^",
             {{"c", 2}});
  is_refused("h ... -> h",
             "rearrange: the ellipsis is only on the left\n"
             "  h ... -> h\n"
             "    ^");
  is_refused("h w -> h (w ...)",
             "rearrange: the ellipsis is only on the right\n"
             "  h w -> h (w ...)\n"
             "              ^");
  is_refused("h w -> h w 2",
             "rearrange: number 2 is not allowed, only 1 is\n"
             "  h w -> h w 2\n"
             "             ^");
  is_refused("2 w -> w 2", "rearrange: number 2 is not allowed, only 1 is\n  2 w -> w 2\n  ^");
  is_refused("h (w 0) -> h w",
             "rearrange: number 0 is not allowed, only 1 is\n"
             "  h (w 0) -> h w\n"
             "       ^");
}

TEST_CASE("rearrange: sizes that are missing, or not of the pattern, are refused") {
  const Tensor x = iota<int>({2, 3, 24, 5});
  const auto is_refused = [&](const std::string& pattern, const AxisSizes& sizes,
                              const std::string& message) {
    refuses<ParameterError>("bad_pattern", message, [&] { x.rearrange(pattern, sizes); });
  };
  is_refused("a b (h p q) c -> a b h p q c", {{"h", 2}},
             "rearrange: no size is known for axis p, nor for q beside it\n"
             "  a b (h p q) c -> a b h p q c\n"
             "         ^");
  is_refused("a b (h p q) c -> a b h p q c", {},
             "rearrange: no size is known for axis h, nor for p, q beside it\n"
             "  a b (h p q) c -> a b h p q c\n"
             "       ^");
  is_refused("a b c d -> d c b a", {{"e", 2}},
             "rearrange: a size is given for axis e, which is not in the pattern\n"
             "  a b c d -> d c b a");
  is_refused("a b ... 1 -> 1 ... b a", {{"...", 2}},
             "rearrange: a size is given for axis ..., which is not in the pattern\n"
             "  a b ... 1 -> 1 ... b a");
  is_refused("a b c d -> d c b a", {{"b", 3}, {"b", 3}},
             "rearrange: the size of axis b is given twice\n"
             "  a b c d -> d c b a\n"
             "    ^");
  is_refused("a b c d -> d c b a", {{"a", 2}, {"b", 0}},
             "rearrange: size 0 of axis b, expected 1 or more\n"
             "  a b c d -> d c b a\n"
             "    ^");
  is_refused("a b c d -> d c b a", {{"d", lowest}},
             "rearrange: size -9223372036854775808 of axis d, expected 1 or more\n"
             "  a b c d -> d c b a\n"
             "        ^");
}

TEST_CASE("rearrange: sizes of another type, rank or number are refused") {
  const Tensor x = iota<int>({2, 6});
  const std::string lines = "\n  a (b c) -> a b c";
  const auto call = [&](const std::string& names, const Ints& sizes) {
    return [=] { x.rearrange("a (b c) -> a b c", AxisSizes(names, sizes)); };
  };
  refuses<DtypeError>("dtype_mismatch", "rearrange: sizes is f32, expected an integer type",
                      call("b", ints_of(f32, 2, {2})));
  refuses<ParameterError>("bad_rank", "rearrange: sizes has rank 2, expected a scalar or a list",
                          call("b", array({{2}})));
  refuses<ParameterError>("bad_rank", "rearrange: sizes is none, expected a scalar or a list",
                          call("b", none));
  refuses<ParameterError>(
      "length_mismatch", "rearrange: sizes has 1 entries, expected one for each name (a b)" + lines,
      call("a b", {2}));
  refuses<ParameterError>("length_mismatch",
                          "rearrange: sizes has 2 entries, expected one for each name ()" + lines,
                          call("", {2, 3}));
}

TEST_CASE("rearrange: a rank that does not fit is refused") {
  const Tensor x = iota<int>({2, 3, 4});
  refuses<ParameterError>("bad_rank",
                          "rearrange: x has rank 3, expected 4 (shape [2, 3, 4])\n"
                          "  a b c (d e) -> a b c d e\n"
                          "        ^",
                          [&] { x.rearrange("a b c (d e) -> a b c d e"); });
  refuses<ParameterError>("bad_rank",
                          "rearrange: x has rank 3, expected 2 (shape [2, 3, 4])\n"
                          "  a b -> b a\n"
                          "      ^",
                          [&] { x.rearrange("a b -> b a"); });
  refuses<ParameterError>("bad_rank",
                          "rearrange: x has rank 3, expected at least 4 (shape [2, 3, 4])\n"
                          "  a ... b c d -> a b c d ...\n"
                          "            ^",
                          [&] { x.rearrange("a ... b c d -> a b c d ..."); });
  refuses<ParameterError>("bad_rank",
                          "rearrange: x has rank 0, expected 1 (shape [])\n"
                          "  a -> a\n"
                          "  ^",
                          [&] { scalar(1).rearrange("a -> a"); });
}

TEST_CASE("rearrange: rank 16 is made and taken, rank 17 refused") {
  const std::string sixteen = "a b c d e f g h i j k l m n o p";
  expect<int>(rank_16().rearrange(sixteen + " -> (" + sixteen + ")"), {256},
              reference_values<int>(iota<int>(256)));
  expect_same(rank_16().rearrange("a ... -> ... a"),
              rank_16().transpose({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0}));
  refuses<ParameterError>("bad_rank",
                          "rearrange: more than 16 axes on the left\n"
                          "  a b c d e f g h i j k l m n o p q -> q\n"
                          "                                  ^",
                          [&] { rank_16().rearrange(sixteen + " q -> q"); });
  refuses<ParameterError>("bad_rank",
                          "rearrange: more than 16 axes on the right\n"
                          "  a -> a 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"
                          "                                       ^",
                          [&] { scalar(1).rearrange("a -> a 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"); });
  refuses<ParameterError>("bad_rank",
                          "rearrange: 17 axes on the left, at most 16 are allowed\n"
                          "  (a b) ... -> (a b) ...\n"
                          "        ^",
                          [&] { rank_16().rearrange("(a b) ... -> (a b) ..."); });
  refuses<ParameterError>("bad_rank",
                          "rearrange: 17 axes on the right, at most 16 are allowed\n"
                          "  ... -> ... 1\n"
                          "         ^",
                          [&] { rank_16().rearrange("... -> ... 1"); });
}

TEST_CASE("rearrange: extents that the sizes do not make are refused") {
  const Tensor x = iota<int>({2, 10, 3});
  const auto is_refused = [&](const std::string& pattern, const AxisSizes& sizes,
                              const std::string& message) {
    refuses<ShapeError>("shape_mismatch", message, [&] { x.rearrange(pattern, sizes); });
  };
  is_refused("a (h p) b -> a h p b", {{"p", 4}},
             "rearrange: extent 10 of axis 1 is not divisible by p = 4 (shape [2, 10, 3])\n"
             "  a (h p) b -> a h p b\n"
             "    ^");
  is_refused("a (p h q) b -> a h p q b", {{"p", 4}, {"q", 3}},
             "rearrange: extent 10 of axis 1 is not divisible by p * q = 12 (shape [2, 10, 3])\n"
             "  a (p h q) b -> a h p q b\n"
             "    ^");
  is_refused("a (h p) b -> a h p b", {{"p", 4}, {"h", 3}},
             "rearrange: axis 1 has extent 10, expected h * p = 12 (shape [2, 10, 3])\n"
             "  a (h p) b -> a h p b\n"
             "    ^");
  is_refused("a b c -> c b a", {{"c", 4}},
             "rearrange: axis 2 has extent 3, expected c = 4 (shape [2, 10, 3])\n"
             "  a b c -> c b a\n"
             "      ^");
  is_refused("1 b c -> c b", {},
             "rearrange: axis 0 has extent 2, expected 1 (shape [2, 10, 3])\n"
             "  1 b c -> c b\n"
             "  ^");
  is_refused("... () -> ...", {},
             "rearrange: axis 2 has extent 3, expected 1 (shape [2, 10, 3])\n"
             "  ... () -> ...\n"
             "      ^");
  refuses<ShapeError>("shape_mismatch",
                      "rearrange: axis 0 has extent 0, expected a * b = 6 (shape [0])\n"
                      "  (a b) -> b a\n"
                      "  ^",
                      [] {
                        iota<int>(0).rearrange("(a b) -> b a", {{"a", 2}, {"b", 3}});
                      });
}

TEST_CASE("rearrange: products beyond int64 are refused") {
  const Tensor x = iota<int>({0, 6});
  const auto is_refused = [&](const std::string& pattern, const AxisSizes& sizes,
                              const std::string& message) {
    refuses<OverflowError>("overflow", message, [&] { x.rearrange(pattern, sizes); });
  };
  is_refused("(h p q) w -> h p q w", {{"p", highest}, {"q", 2}},
             "rearrange: p * q is beyond int64\n"
             "  (h p q) w -> h p q w\n"
             "  ^");
  is_refused("(h p) w -> h (w p)", {{"p", highest}},
             "rearrange: w * p is beyond int64\n"
             "  (h p) w -> h (w p)\n"
             "               ^");
  is_refused("(h p) ... -> h (... p)", {{"p", highest}},
             "rearrange: 6 * p is beyond int64\n"
             "  (h p) ... -> h (... p)\n"
             "                 ^");
  refuses<OverflowError>("overflow",
                         "rearrange: size 9223372036854775808 of axis p is beyond int64\n"
                         "  (h p) w -> h p w\n"
                         "     ^",
                         [&] {
                           x.rearrange("(h p) w -> h p w", {{"p", 9223372036854775808u}});
                         });
}

TEST_CASE("rearrange: of several mistakes the first is told") {
  const Tensor x = iota<int>({2, 10});
  const auto category = [&](const std::string& pattern, const AxisSizes& sizes) {
    try {
      x.rearrange(pattern, sizes);
    } catch (const Error& error) {
      return std::string(error.category());
    }
    return std::string();
  };
  const Ints floats = ints_of(f32, 1, {0});
  CHECK(category("a (b c) -> a b (c", AxisSizes("a", floats)) == "bad_pattern");
  CHECK(category("a (b c) d -> a b c d", AxisSizes("z", floats)) == "bad_rank");
  CHECK(category("a (b c) -> a b c", AxisSizes("z", floats)) == "dtype_mismatch");
  CHECK(category("a (b c) -> a b c", AxisSizes("z", {0, 0})) == "length_mismatch");
  CHECK(category("(a b) c -> a b c", {{"a", 3}, {"c", 0}}) == "bad_pattern");
  CHECK(category("(a b) c -> a b c", {{"a", 3}, {"c", 9223372036854775808u}}) == "overflow");
}

TEST_CASE("rearrange: a refused call leaves its operand as it was") {
  const Tensor lazy = iota<int>(3).roll(1, 0);
  CHECK_THROWS_AS(lazy.rearrange("(a b) -> a b", {{"b", 2}}), ShapeError);
  CHECK_FALSE(lazy.is_stored());
  expect<int>(lazy, {3}, {2, 0, 1});
}

TEST_CASE("rearrange: moves the bytes of any element, and leaves its operand") {
  moves_any_element({4, 6}, [](const Tensor& x) {
    return x.rearrange("(a b) (c d) -> (a c) (d b)", {{"a", 2}, {"d", 3}});
  });
}

TEST_CASE("rearrange: what is known of an open tensor is kept, divided and multiplied") {
  const AxisSizes by_56{{"p", 56}, {"q", 56}};
  const Tensor images = open({"batch", 224, 224, 3});
  CHECK(shape_of(images.rearrange("b h w c -> c b w h")) == "[3, batch, 224, 224]");
  CHECK(shape_of(images.rearrange("b (h p) (w q) c -> b h w (p q c)", by_56)) ==
        "[batch, 4, 4, 9408]");
  CHECK(shape_of(images.rearrange("b (h p) (w q) c -> (b h w) (p q) c", by_56)) == "[?, 3136, 3]");
  CHECK(shape_of(open({Dim(1, 8), 4, 5}).rearrange("b h w -> (b h) w 1")) == "[4..32, 5, 1]");
  CHECK(shape_of(open({"n", 4}).rearrange("(a 1) b -> (1 a) b 1")) == "[n, 4, 1]");
  CHECK(shape_of(open({Dim(5, 10), 4}).rearrange("(h p) w -> h p w", {{"p", 4}})) == "[2, 4, 4]");
  CHECK(shape_of(open({Dim(5, 30), 4}).rearrange("(h p) w -> h p w", {{"p", 4}})) ==
        "[2..7, 4, 4]");
  CHECK(shape_of(open({"n", 4}).rearrange("a b -> b a", {{"a", 7}})) == "[4, n=7]");
  CHECK(shape_of(open({"n", 0}).rearrange("a b -> (a b)")) == "[0]");
  CHECK(shape_of(open({"n", "m"}).rearrange("b ... -> ... b")) == "[m, n]");
}

TEST_CASE("rearrange: the rank follows from the pattern, but for an ellipsis") {
  const Tensor x = open(PartialShape::any());
  CHECK(shape_of(x.rearrange("(h p) w -> w h p", {{"p", 4}})) == "[?, ?, 4]");
  CHECK(shape_of(x.rearrange("a ... -> ... a")) == "[...]");
  CHECK(shape_of(x.rearrange("a ... -> (...) a")) == "[?, ?]");
  CHECK(shape_of(x.rearrange("a ... (b c) 1 -> (a ... b) c", {{"c", 3}})) == "[?, 3]");
  const std::string sixteen = "a b c d e f g h i j k l m n o p";
  CHECK(shape_of(x.rearrange("(" + sixteen + ") ... -> (" + sixteen + ") ...",
                             AxisSizes(sixteen, std::vector<int>(16, 2)))) == "[...]");
  CHECK(shape_of(x.rearrange("(" + sixteen + ") ... -> (" + sixteen + " ...)",
                             AxisSizes(sixteen, std::vector<int>(16, 2)))) == "[65536]");
}

TEST_CASE("rearrange: sizes that are not known are 1 or more") {
  const Tensor size = integers({1});
  CHECK(shape_of(iota<int>({3, 8}).rearrange("n (h p) -> n h p", {"p", size})) == "[3, 1..8, 1..]");
  CHECK(shape_of(open({"n", 8}).rearrange("n h -> h n", {"n h", integers({2})})) == "[8, n=1..]");
  CHECK(shape_of(open({"n", 8}).rearrange("n h -> h n", {"n", integers(PartialShape::any())})) ==
        "[8, n=1..]");
}

TEST_CASE("rearrange: what is certain is refused before the program runs") {
  refuses<ParameterError>("bad_rank",
                          "rearrange: x has rank 2, expected 3 (shape [n, 5])\n"
                          "  a b c -> c b a\n"
                          "      ^",
                          [] {
                            open({"n", 5}).rearrange("a b c -> c b a");
                          });
  refuses<ParameterError>("bad_pattern",
                          "rearrange: axis b is only on the left\n"
                          "  a b -> a\n"
                          "    ^",
                          [] { open(PartialShape::any()).rearrange("a b -> a"); });
  refuses<ShapeError>("shape_mismatch",
                      "rearrange: extent 10 of axis 1 is not divisible by p = 4 (shape [n, 10])\n"
                      "  n (h p) -> n h p\n"
                      "    ^",
                      [] {
                        open({"n", 10}).rearrange("n (h p) -> n h p", {{"p", 4}});
                      });
  refuses<ParameterError>("bad_pattern",
                          "rearrange: no size is known for axis h, nor for p beside it\n"
                          "  n (h p) -> n h p\n"
                          "     ^",
                          [] {
                            open({"n", 10}).rearrange("n (h p) -> n h p", {"n", integers({1})});
                          });
  refuses<ParameterError>("length_mismatch",
                          "rearrange: sizes has 2 entries, expected one for each name (n)\n"
                          "  n h -> h n",
                          [] {
                            open(PartialShape::any()).rearrange("n h -> h n", {"n", integers({2})});
                          });
}

TEST_CASE("rearrange: a program takes any batch, and sizes that are a tensor") {
  const std::string pattern = "b (h p) (w q) c -> (b h w) (p q) c";
  const Program windows({placeholder(f32, {"batch", 224, 224, 3})}, [&](const Tensor& x) {
    return x.rearrange(pattern, {{"p", 56}, {"q", 112}});
  });
  const Program any_windows({placeholder(f32, {"batch", 224, 224, 3}), placeholder(i64, {2})},
                            [&](const Tensor& x, const Tensor& sizes) {
                              return x.rearrange(pattern, {"p q", sizes});
                            });
  for (const int batch : {1, 3}) {
    const Tensor x = iota<float>({batch, 224, 224, 3});
    const Tensor chain = x.reshape({batch, 4, 56, 2, 112, 3})
                             .transpose({0, 1, 3, 2, 4, 5})
                             .reshape({batch * 8, 56 * 112, 3});
    expect_same(windows(x)[0], chain);
    expect_same(any_windows(x, array<std::int64_t>({56, 112}))[0], chain);
  }
  refuses<ShapeError>("shape_mismatch",
                      "%2 rearrange: extent 224 of axis 2 is not divisible by q = 100 "
                      "(shape [1, 224, 224, 3])\n"
                      "  b (h p) (w q) c -> (b h w) (p q) c\n"
                      "          ^",
                      [&] {
                        any_windows(iota<float>({1, 224, 224, 3}), array<std::int64_t>({56, 100}));
                      });
}

namespace weft::testing {

void draw_rearrange(Drawing& drawing) {
  const DrawnPattern pattern(drawing, false);
  drawing.add("rearrange", {drawing.x()}, {pattern.sizes()}, {pattern.text(), pattern.names()});
}

}  // namespace weft::testing
