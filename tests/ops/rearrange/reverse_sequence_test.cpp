// SPDX-License-Identifier: Apache-2.0
// reverse_sequence: beginnings reversed.
#include "ops/expect.h"

#include <weft/graph/plan/plan.h>
#include <weft/testing/check.h>

using namespace weft;
using namespace weft::testing;

TEST_CASE("reverse_sequence: reverses the beginning of every sequence") {
  const Tensor x = iota<int>({3, 4});
  expect<int>(x.reverse_sequence({0, 3, 4}), {3, 4}, {0, 1, 2, 3, 6, 5, 4, 7, 11, 10, 9, 8});
  expect<int>(x.reverse_sequence({1, 2, 3, 2}, 1, 0), {3, 4},
              {0, 5, 10, 7, 4, 1, 6, 3, 8, 9, 2, 11});
}

TEST_CASE("reverse_sequence: lengths of 0 and 1 keep a sequence, extents of 0 have none") {
  const Tensor x = iota<int>({2, 3});
  expect<int>(x.reverse_sequence({0, 1}), {2, 3}, {0, 1, 2, 3, 4, 5});
  expect<int>(full({0, 3}, 1).reverse_sequence(Ints()), {0, 3}, {});
  expect<int>(full({2, 0}, 1).reverse_sequence({0, 0}), {2, 0}, {});
}

TEST_CASE("reverse_sequence: axes apart, in any order, from the end") {
  const Tensor x = iota<int>({2, 2, 3});
  expect<int>(x.reverse_sequence({3, 2}, 0, -1), {2, 2, 3}, {2, 1, 0, 5, 4, 3, 7, 6, 8, 10, 9, 11});
  expect<int>(x.reverse_sequence({2, 0, 1}, -1, 0), {2, 2, 3},
              {6, 1, 2, 9, 4, 5, 0, 7, 8, 3, 10, 11});
}

TEST_CASE_TEMPLATE("reverse_sequence: lengths may be of any integer type", T, std::int8_t,
                   std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                   std::uint32_t, std::uint64_t) {
  const Tensor x = iota<int>({2, 3}), lengths = array<T>({3, 2});
  expect<int>(x.reverse_sequence(lengths), {2, 3}, {2, 1, 0, 4, 3, 5});
  expect<int>(x.reverse_sequence(lengths.flip()), {2, 3}, {1, 0, 2, 5, 4, 3});
  expect<int>(x.reverse_sequence(std::vector<T>{3, 2}), {2, 3}, {2, 1, 0, 4, 3, 5});
}

TEST_CASE("reverse_sequence: is its own gradient") {
  const Tensor x = iota<int>({3, 4}), lengths = array({1, 4, 3}).roll(1, 0);
  expect_same(x.reverse_sequence(lengths).reverse_sequence(lengths), x);
}

TEST_CASE("reverse_sequence: of a huge tensor only what is asked for is read") {
  const std::int64_t million = 1 << 20;
  const Tensor x = iota<int>(million).broadcast_to({million, million});
  const Tensor y = x.reverse_sequence(iota<int>(million), -2, -1);
  expect<int>(y.slice({4, 0}, {6, 3}), {2, 3}, {3, 2, 1, 4, 3, 2});
}

TEST_CASE("reverse_sequence: a length out of range is refused as soon as it is known") {
  const Tensor x = iota<int>({2, 3});
  const auto message = [](const std::string& length) {
    return "reverse_sequence: length " + length + " at [1] is out of range, expected 0 to 3";
  };
  for (const std::int64_t bad : {std::int64_t{4}, std::int64_t{-1}, lowest, highest})
    refuses<IndexError>("bad_index", message(std::to_string(bad)), [&] {
      x.reverse_sequence({std::int64_t{0}, bad});
    });
  refuses<IndexError>("bad_index", message("18446744073709551615"), [&] {
    x.reverse_sequence(u64s({0, 18446744073709551615u}));
  });
  const Tensor lazy = x.reverse_sequence(array({4, 0}).flip());
  for (int again = 0; again < 2; ++again)
    refuses<IndexError>("bad_index", message("4"), [&] { lazy.eval(); });
  CHECK_FALSE(lazy.is_stored());
}

TEST_CASE("reverse_sequence: types, ranks, axes and lengths that do not fit are refused") {
  const Tensor x = iota<int>({2, 3});
  refuses<DtypeError>("dtype_mismatch",
                      "reverse_sequence: lengths is f32, expected an integer type",
                      [&] { x.reverse_sequence(scalar(0.5f), 7, 7); });
  refuses<ParameterError>("bad_rank", "reverse_sequence: lengths have rank 0, expected 1",
                          [&] { x.reverse_sequence(7, 7, 7); });
  refuses<ParameterError>("bad_rank", "reverse_sequence: lengths have rank 2, expected 1",
                          [&] { x.reverse_sequence(array({{7}})); });
  refuses<DtypeError>("dtype_mismatch",
                      "reverse_sequence: seq_axis is f32, expected an integer type",
                      [&] { x.reverse_sequence({7}, 7, array({1.5f})); });
  refuses<ParameterError>("length_mismatch",
                          "reverse_sequence: batch_axis has 2 entries, expected one", [&] {
                            x.reverse_sequence({7}, {0, 7});
                          });
  refuses<AxisError>("bad_axis",
                     "reverse_sequence: axis -3 is out of range for rank 2 (shape [2, 3])",
                     [&] { x.reverse_sequence({7}, -3, -3); });
  refuses<AxisError>("bad_axis", "reverse_sequence: axis 1 is out of range for rank 1 (shape [3])",
                     [] {
                       iota<int>(3).reverse_sequence({7, 7, 7});
                     });
  refuses<AxisError>("duplicate_axes", "reverse_sequence: axis 1 is both batch_axis and seq_axis",
                     [&] { x.reverse_sequence({7}, 1, -1); });
  refuses<ShapeError>("shape_mismatch",
                      "reverse_sequence: there are 3 lengths, expected 2, one for each position of "
                      "axis 0 (shape [2, 3])",
                      [&] {
                        x.reverse_sequence({7, 7, 7});
                      });
}

TEST_CASE("reverse_sequence: moves the bytes of any element, and rank 16") {
  moves_any_element({3, 4}, [](const Tensor& x) { return x.reverse_sequence({4, 0, 3}); });
  expect_same(rank_16().reverse_sequence({2, 2}, 0, 2), rank_16().flip(2));
}

TEST_CASE("reverse_sequence: what is known of open shapes") {
  const auto shape_of = [](const Tensor& y) { return to_string(y.partial_shape()); };
  CHECK(shape_of(placeholder(f32, {"n", 4}).reverse_sequence(placeholder(i64, {-1}))) == "[n, 4]");
  CHECK(shape_of(iota<int>({3, 4}).reverse_sequence(placeholder(i64, {3}))) == "[3, 4]");
  CHECK(shape_of(placeholder(f32, PartialShape::any()).reverse_sequence({1})) == "[...]");
}

namespace weft::testing {

void draw_reverse_sequence(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  if (shape.size() < 2) return;
  const std::size_t batch = drawing.random_axis();
  const std::size_t seq = (batch + 1 + random.below(shape.size() - 1)) % shape.size();
  List lengths;
  for (std::int64_t b = 0; b < shape[batch]; ++b) lengths.push_back(random.in(0, shape[seq]));
  const std::size_t x = drawing.x(), index = drawing.index({shape[batch]}, lengths);
  drawing.add(
      "reverse_sequence", {x, index},
      {List{drawing.with_sign(batch, shape.size())}, List{drawing.with_sign(seq, shape.size())}});
}

}  // namespace weft::testing

namespace {

Tensor many_sequences(const Tensor& x) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t k = 0; k < x.shape()[0]; ++k) lengths.push_back(k * 7 % (x.shape()[1] + 1));
  return x.reverse_sequence(lengths, 0, 1);
}

}  // namespace

TEST_CASE("reverse_sequence: many sequences are computed in one pass, whatever reads them") {
  const Tensor x = iota<int>({3000, 5, 2});
  const Plan whole = make_plan(many_sequences(x).node_ptr());
  CHECK(whole.passes.size() == 1);
  CHECK(whole.passes[0].computation);
  const Plan turned = make_plan(many_sequences(x).transpose().node_ptr());
  CHECK(turned.passes.size() == 2);
  CHECK(turned.passes[0].computation);
  CHECK(!make_plan(many_sequences(iota<int>({500, 5})).node_ptr()).passes[0].computation);
  CHECK(disagreement(many_sequences(x)) == "");
  CHECK(disagreement(many_sequences(x).flip(0).slice({7}, {2900})) == "");
  CHECK(disagreement(many_sequences(x.flip(1)).transpose()) == "");
}

TEST_CASE(
    "reverse_sequence: of many sequences a part is read in boxes, and so is what cannot be "
    "stored") {
  const Tensor rows = iota<int>(5).broadcast_to({3000, 5});
  const Plan part = make_plan(many_sequences(rows).slice({100, 0}, {200, 5}).node_ptr());
  CHECK(part.passes.size() == 1);
  CHECK(!part.passes[0].computation);
  const Plan whole = make_plan(many_sequences(rows).node_ptr(), {.stored_bytes = 3000 * 5 * 4 - 1});
  CHECK(whole.passes.size() == 1);
  CHECK(!whole.passes[0].computation);
}

TEST_CASE("reverse_sequence: many sequences may still be reversed in place") {
  Tensor x = iota<int>({3000, 5}).roll(0, 0).eval();
  const Tensor expected = many_sequences(iota<int>({3000, 5})).eval();
  x = many_sequences(std::move(x));
  x.eval({.in_place = true});
  expect_same(x, expected);
}
