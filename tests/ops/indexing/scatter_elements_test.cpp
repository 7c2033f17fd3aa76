// SPDX-License-Identifier: Apache-2.0
// scatter_elements: an index for every update.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("scatter_elements: replaces along an axis for every place anew, the last update stays") {
  const Tensor x = array({{1, 2, 3}, {4, 5, 6}});
  expect<int>(x.scatter_elements(array({{0, 0}, {2, -2}}), array({{10, 20}, {30, 40}}), 1), {2, 3},
              {20, 2, 3, 4, 40, 30});
  expect<int>(x.scatter_elements(array({{1, 0}, {1, 1}}), array({{10, 20}, {30, 40}}), 0), {2, 3},
              {1, 20, 3, 30, 40, 6});
}

TEST_CASE("scatter_elements: lines longer than a core's cache, fewer updates than lines") {
  const Tensor x = iota<float>({2, 70000});
  const Tensor y =
      x.scatter_elements(array<int>({{69999, 0, -1}}), array<float>({{-1, -2, -3}}), 1);
  std::vector<float> expected(x.span<float>().begin(), x.span<float>().end());
  expected[69999] = -3;
  expected[0] = -2;
  expect<float>(y, {2, 70000}, expected);
}

TEST_CASE("scatter_elements: updates may be fewer beside the axis, and more along it") {
  expect<int>(iota<int>({2, 3}).scatter_elements(array({{2}}), array({{9}}), 1), {2, 3},
              {0, 1, 9, 3, 4, 5});
  expect<int>(iota<int>(2).scatter_elements(array({0, 0, 1, 0}), array({5, 6, 7, 8}), 0), {2},
              {8, 7});
}

TEST_CASE("scatter_elements: extents of 0 write nothing") {
  const Tensor x = iota<int>({2, 3}).roll(1, 0);
  expect<int>(x.scatter_elements(full({2, 0}, 0), full({2, 0}, 5), 1), {2, 3}, {3, 4, 5, 0, 1, 2});
  expect<int>(x.scatter_elements(full({0, 9}, 9), full({0, 9}, 5), 1), {2, 3}, {3, 4, 5, 0, 1, 2});
  expect<int>(full({0, 3}, 1).scatter_elements(full({0, 2}, 0), full({0, 2}, 5), 1), {0, 3}, {});
}

TEST_CASE_TEMPLATE("scatter_elements: indices may be of any integer type", T, std::int8_t,
                   std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                   std::uint32_t, std::uint64_t) {
  const Tensor indices = array<T>({{2, 0}}), updates = array({{10, 20}});
  expect<int>(iota<int>({1, 3}).scatter_elements(indices, updates, 1), {1, 3}, {20, 1, 10});
  expect<int>(iota<int>({1, 3}).scatter_elements(indices.flip(), updates, -1), {1, 3}, {10, 1, 20});
}

TEST_CASE("scatter_elements: updates and indices that are data itself read its old values") {
  const Tensor x = array<std::int64_t>({2, 0, 1}).roll(0, 0).eval();
  expect<std::int64_t>(x.scatter_elements(x, x, 0), {3}, {0, 1, 2});
  expect<std::int64_t>(x.scatter_elements(x.flip(), x, 0), {3}, {0, 2, 1});
  expect<std::int64_t>(x, {3}, {2, 0, 1});
}

TEST_CASE("scatter_elements: of a large tensor, the last update stays on any number of threads") {
  const Tensor data = full({512, 2048}, 0), places = full({512, 3000}, 7);
  const Tensor updates = iota<int>({512, 3000});
  const Tensor result = data.scatter_elements(places, updates, 1).eval({.threads = 2});
  for (std::int64_t row = 0; row < 512; ++row)
    CHECK(result.data<int>()[row * 2048 + 7] == row * 3000 + 2999);
}

TEST_CASE("scatter_elements: updates are read where they lie, and data is moved into the result") {
  const Tensor x = iota<int>({6, 8}).eval(), y = iota<int>({8, 6}).eval();
  std::vector<std::int64_t> values;
  for (std::int64_t k = 0; k < 24; ++k) values.push_back((k * 5) % 6);
  const Tensor index = from_vector(values).reshape({4, 6}).eval();
  const auto check = [&](const Tensor& data, const Tensor& updates, const std::string& told) {
    for (const std::int64_t axis : {0, 1}) {
      const Tensor made = data.scatter_elements(index, updates, axis);
      const std::string text = explain(made);
      CAPTURE(text);
      CHECK(text.find("1 pass") != std::string::npos);
      CHECK(text.find("0 temporaries") != std::string::npos);
      CHECK(text.find(told) != std::string::npos);
      expect_same(made, data.stored().scatter_elements(index, updates.stored(), axis));
    }
  };
  const Tensor plain = y.slice({0}, {4});
  check(x, plain, "result [6, 8], computed from 2 stored operands\n");
  check(x, y.transpose().slice({0, 1}, {4, 7}),
        "result [6, 8], computed from source 1, source 0 by strides [1, 6]\n");
  check(x, y.slice({0}, {8}, {2}, {0}).flip(),
        "result [6, 8], computed from source 1, source 0 by strides [-12, -1]\n");
  check(y.transpose(), plain, "result [6, 8], 1 box, then computed from source 0\n");
  check(x.roll(1, 0).flip(1), y.transpose().slice({0, 1}, {4, 7}),
        "result [6, 8], 2 boxes, then computed from source 0 by strides "
        "[1, 6]\n");
  check(x.slice({2}, {3}).broadcast_to({6, 8}), plain, "1 box, then computed");
  // Also where both are made of the same, and where data is wide.
  check(x.roll({1, 1}, {0, 1}), x.slice({0, 0}, {4, 6}).flip(1),
        "4 boxes, then computed from source 0 by strides [8, -1]");
}

TEST_CASE("scatter_elements: updates that lie a page apart") {
  const Tensor y = iota<int>({100, 1024}).eval();
  std::vector<std::int64_t> places;
  for (int k = 0; k < 37 * 90; ++k) places.push_back(k * 31 % 95);
  const Tensor index = from_vector(places).reshape({37, 90}).eval();
  const Tensor updates = y.transpose().slice({0, 0}, {37, 90}), data = full({50, 95}, -1).eval();
  for (const Tensor& made : {data.scatter_elements(index, updates, 1),
                             data.flip(0).scatter_elements(index, updates.flip(), 1)}) {
    CHECK(explain(made).find("1 pass") != std::string::npos);
    expect_same(made, made.stored());
  }
}

TEST_CASE("scatter_elements: data that is computed is stored, and what is moved is on threads") {
  const Tensor x = iota<int>({1024, 1024}).eval();
  const Tensor index = iota<int>(1024).flip().reshape({1, 1024}).broadcast_to({1024, 1024}).eval();
  const Tensor updates = x.transpose();
  const Tensor made = x.roll(3, 0).scatter_elements(index, updates, 1);
  CHECK(reference_value(made.eval()) == reference_value(updates.flip(1).eval()));
  const Tensor chosen = where(full({1024, 1024}, true).tril().eval(), x, x.flip());
  const Tensor over =
      chosen.transpose().scatter_elements(index.slice({0}, {7}), x.slice({0}, {7}), 0);
  CHECK(reference_value(over.eval()) ==
        reference_value(chosen.eval()
                            .transpose()
                            .scatter_elements(index.slice({0}, {7}), x.slice({0}, {7}), 0)
                            .eval()));
}

TEST_CASE("scatter_elements: an index out of range is refused as soon as it is known") {
  const Tensor x = iota<int>({2, 3}), updates = full({2, 1}, 9);
  const auto message = [](const std::string& index) {
    return "scatter_elements: index " + index + " at [1, 0] is out of range, expected -3 to 2";
  };
  for (const std::int64_t bad : {std::int64_t{3}, std::int64_t{-4}, lowest, highest})
    refuses<IndexError>("bad_index", message(std::to_string(bad)), [&] {
      x.scatter_elements(array<std::int64_t>({{0}, {bad}}), updates, 1);
    });
  const Tensor lazy = x.scatter_elements(array({{3}, {0}}).flip(0), updates, 1);
  std::vector<int> out(6, 7);
  for (int again = 0; again < 2; ++again) {
    refuses<IndexError>("bad_index", message("3"), [&] { lazy.eval(); });
    refuses<IndexError>("bad_index", message("3"), [&] { eval_into(lazy, out.data(), 24); });
  }
  CHECK_FALSE(lazy.is_stored());
  CHECK(out == std::vector<int>(6, 7));
}

TEST_CASE("scatter_elements: types, ranks, axes and shapes that do not fit are refused") {
  const Tensor x = iota<int>({2, 3}), one = array({{7}});
  refuses<DtypeError>("dtype_mismatch",
                      "scatter_elements: indices is f32, expected an integer type",
                      [&] { x.scatter_elements(array({0.5f}), array({0.5f}), 7); });
  refuses<DtypeError>("dtype_mismatch", "scatter_elements: updates are f32, expected i32 as data",
                      [&] { x.scatter_elements(array({7}), array({0.5f}), 7); });
  refuses<ParameterError>("bad_rank",
                          "scatter_elements: indices have rank 1 and data has rank 2, expected the "
                          "same of at least 1",
                          [&] { x.scatter_elements(array({7}), one, 7); });
  refuses<ParameterError>("bad_rank",
                          "scatter_elements: indices have rank 0 and data has rank 0, expected the "
                          "same of at least 1",
                          [&] { scalar(1).scatter_elements(scalar(0), scalar(0), 0); });
  refuses<ParameterError>("length_mismatch", "scatter_elements: axis has 2 entries, expected one",
                          [&] {
                            x.scatter_elements(one, one, {0, 1});
                          });
  refuses<AxisError>("bad_axis",
                     "scatter_elements: axis 2 is out of range for rank 2 (shape [2, 3])", [&] {
                       x.scatter_elements(one, full({2, 2}, 1), 2);
                     });
  refuses<ShapeError>("shape_mismatch",
                      "scatter_elements: updates have shape [1, 2], expected [1, 1] as indices",
                      [&] {
                        x.scatter_elements(one, full({1, 2}, 1), 1);
                      });
  refuses<ShapeError>("shape_mismatch",
                      "scatter_elements: indices have shape [3, 1], expected at most [2, 3] but on "
                      "axis 1",
                      [&] {
                        x.scatter_elements(full({3, 1}, 9), full({3, 1}, 9), 1);
                      });
}

TEST_CASE("scatter_elements: moves the bytes of any element, and rank 16") {
  moves_any_element({3, 2}, [](const Tensor& x) {
    return x.scatter_elements(array({{2, 0}, {0, -1}}), x.slice({1}, {3}), 0);
  });
  const Tensor x = rank_16();
  expect_same(x.scatter_elements(full(x.shape(), 1).slice({0}, {1}), x.slice({0}, {1}), 0),
              x.take({0, 0}, 0));
}

TEST_CASE("scatter_elements: what is known of open shapes") {
  const Tensor any = placeholder(f32, PartialShape::any());
  const Tensor indices = placeholder(i64, PartialShape::any());
  const auto shape_of = [](const Tensor& y) { return to_string(y.partial_shape()); };
  CHECK(shape_of(placeholder(f32, {"n", 4}).scatter_elements(indices, any, 1)) == "[n, 4]");
  CHECK(shape_of(any.scatter_elements(indices, placeholder(f32, {"n", 4}), 1)) == "[?, ?]");
  CHECK(shape_of(any.scatter_elements(indices, any, 1)) == "[...]");
}

namespace weft::testing {

void draw_scatter_elements(Drawing& drawing) {
  Random& random = drawing.random();
  List shape = drawing.shape();
  if (shape.empty()) return;
  const std::size_t axis = drawing.random_axis();
  const std::int64_t extent = shape[axis];
  if (extent == 0) return;
  // The reference looks at all updates of a line for each element.
  shape[axis] = random.in(0, std::min<std::int64_t>(extent + 1, 200));
  for (std::size_t k = 0; k < shape.size(); ++k)
    if (k != axis && random.one_in(4)) shape[k] = random.in(0, shape[k]);
  std::int64_t count = 1;
  for (const std::int64_t e : shape) count *= e;
  List indices;
  for (std::int64_t k = 0; k < count; ++k) indices.push_back(random.in(-extent, extent - 1));
  const std::size_t x = drawing.x(), index = drawing.index(shape, indices);
  const std::size_t updates = drawing.value_like(shape);
  drawing.add("scatter_elements", {x, index, updates},
              {List{drawing.with_sign(axis, shape.size())}}, {drawing.reduction()});
}

}  // namespace weft::testing
