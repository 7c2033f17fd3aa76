// SPDX-License-Identifier: Apache-2.0
// concat: tensors one after another.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("concat: joins tensors along an axis") {
  const Tensor x = array({{1, 2}, {3, 4}});
  expect<int>(concat({x, array({{5, 6}})}), {3, 2}, {1, 2, 3, 4, 5, 6});
  expect<int>(concat({x, x, array({{5}, {6}})}, -1), {2, 5}, {1, 2, 1, 2, 5, 3, 4, 3, 4, 6});
  expect<int>(concat({x}), {2, 2}, {1, 2, 3, 4});
}

TEST_CASE("concat: one tensor, the same tensor, and extents of 0") {
  const Tensor x = iota<int>({2, 2}).roll(1, 0);
  expect<int>(concat({x}, -2), {2, 2}, {2, 3, 0, 1});
  expect<int>(concat({x, x}, 1), {2, 4}, {2, 3, 2, 3, 0, 1, 0, 1});
  expect<int>(concat({full({0, 2}, 9), x, full({0, 2}, 9)}), {2, 2}, {2, 3, 0, 1});
  expect<int>(concat({full({0}, 9), full({0}, 9)}), {0}, {});
  expect<int>(concat({full({2, 0}, 9), full({3, 0}, 9)}), {5, 0}, {});
}

TEST_CASE("concat: on every axis") {
  const Tensor x = iota<int>({2, 1, 2}), y = full({2, 1, 2}, 9);
  expect<int>(concat({x, y}, 0), {4, 1, 2}, {0, 1, 2, 3, 9, 9, 9, 9});
  expect<int>(concat({x, y}, 1), {2, 2, 2}, {0, 1, 9, 9, 2, 3, 9, 9});
  expect<int>(concat({x, y}, 2), {2, 1, 4}, {0, 1, 9, 9, 2, 3, 9, 9});
}

TEST_CASE("concat: what is split and joined again is the tensor itself") {
  const Tensor x = iota<int>({6, 4});
  expect_same(concat(x.split({1, 2, 3}, 0), 0), x);
  expect_same(concat({x.slice({3}, {6}), x.slice({0}, {3})}), x.roll(3, 0));
}

TEST_CASE("concat: many tensors, and huge ones of which a part is asked for") {
  Tensors many;
  std::vector<int> expected;
  for (int k = 0; k < 3000; ++k) {
    many.push_back(full({1}, k));
    expected.push_back(2999 - k);
  }
  expect<int>(concat(many).flip(), {3000}, expected);
  const std::int64_t million = 1 << 20;
  const Tensor huge = iota<int>(million).broadcast_to({million, million});
  expect<int>(concat({huge, huge}, 1).slice({7, million - 1}, {8, million + 1}), {1, 2},
              {1048575, 0});
}

TEST_CASE("concat: the axis may be of any integer type, also a tensor") {
  const Tensor x = iota<int>({1, 2});
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    for (const int rank : {0, 1})
      expect<int>(concat({x, x}, ints_of(dtype, rank, {1})), {1, 4}, {0, 1, 0, 1});
  expect<int>(concat({x, x}, scalar<std::int8_t>(-1)), {1, 4}, {0, 1, 0, 1});
}

TEST_CASE("concat: types, axes and shapes that do not fit are refused") {
  const Tensor x = iota<int>({2, 3});
  refuses<ParameterError>("length_mismatch", "concat: there are no tensors, expected 1 or more",
                          [] { concat({}, array({1.5f})); });
  refuses<DtypeError>("dtype_mismatch", "concat: tensor 2 is f32, expected i32 as the first", [&] {
    concat({x, x, scalar(1.5f)}, array({1.5f}));
  });
  refuses<DtypeError>("dtype_mismatch", "concat: axis is f32, expected an integer type", [&] {
    concat({x, scalar(1)}, array({{1.5f}}));
  });
  refuses<ParameterError>("bad_rank", "concat: axis has rank 2, expected a scalar or a list", [&] {
    concat({x, scalar(1)}, array({{7}}));
  });
  refuses<ParameterError>("length_mismatch", "concat: axis has 0 entries, expected one", [&] {
    concat({x, scalar(1)}, Ints());
  });
  refuses<AxisError>("bad_axis", "concat: axis 2 is out of range for rank 2 (shape [2, 3])", [&] {
    concat({x, scalar(1)}, 2);
  });
  refuses<AxisError>("bad_axis", "concat: axis 0 is out of range for rank 0 (shape [])",
                     [] { concat({scalar(1)}); });
  CHECK_THROWS_AS(concat({x}, lowest), AxisError);
  CHECK_THROWS_AS(concat({x}, u64s({18446744073709551615u})), AxisError);
  for (const Shape& shape : {Shape{1, 4}, Shape{3}, Shape{1, 3, 1}})
    refuses<ShapeError>(
        "shape_mismatch",
        "concat: tensor 1 has shape " + to_string(shape) + ", expected [2, 3] but on axis 0", [&] {
          concat({x, full(shape, 1)});
        });
}

TEST_CASE("concat: results that are too large are refused") {
  refuses<OverflowError>("overflow", "concat: axis 0 gets longer than int64 holds", [] {
    concat({full({highest, 0}, 1), full({1, 0}, 1)});
  });
  refuses<OverflowError>("overflow",
                         "concat: a tensor of shape [2305843009213693950] and type i32 would have "
                         "more than 2^62 bytes",
                         [] {
                           concat({full({highest / 8}, 1), full({highest / 8}, 1)});
                         });
}

TEST_CASE("concat: moves the bytes of any element, and rank 16") {
  moves_any_element({3, 5}, [](const Tensor& x) { return concat({x.flip(), x.slice({1}, {2})}); });
  const Tensor x = rank_16();
  expect_same(concat({x.slice({0}, {1}, none, {2}), x.slice({1}, {2}, none, {2})}, 2), x);
}

TEST_CASE("concat: what is known of open shapes") {
  const auto open = [](PartialShape shape) { return placeholder(f32, std::move(shape)); };
  const auto shape_of = [](const Tensors& tensors, const Ints& axis = 0) {
    return to_string(concat(tensors, axis).partial_shape());
  };
  const Tensor any = open(PartialShape::any());
  CHECK(shape_of({open({2, "n"}), open({3, "n"})}) == "[5, n]");
  CHECK(shape_of({open({2, "n"}), open({3, 4})}) == "[5, 4]");
  CHECK(shape_of({open({"b", 4})}) == "[b, 4]");
  CHECK(shape_of({open({Dim(1, 3), 4}), open({Dim(2, 5), 4})}) == "[3..8, 4]");
  CHECK(shape_of({open({"b", 4}), open({2, 4})}) == "[2.., 4]");
  CHECK(shape_of({any, open({2, 4})}, 1) == "[2, 4..]");
  CHECK(shape_of({open({2, 4}), any}, placeholder(i64, {})) == "[?, ?]");
  CHECK(shape_of({any, any}) == "[...]");
  refuses<ShapeError>("shape_mismatch",
                      "concat: tensor 1 has shape [3, 5, m], expected [b, 4, 6] but on axis 0",
                      [&] {
                        shape_of({open({"b", 4, 6}), open({3, 5, "m"})});
                      });
  refuses<ShapeError>("shape_mismatch",
                      "concat: tensor 2 has shape [3], expected [b, 4] but on axis 0", [&] {
                        shape_of({open({"b", 4}), any, open({3})});
                      });
  refuses<ParameterError>("length_mismatch", "concat: axis has 0 entries, expected one", [&] {
    shape_of({any, open({2, 4})}, Ints());
  });
}

namespace weft::testing {

void draw_concat(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  if (shape.empty()) return;
  const std::size_t axis = drawing.random_axis(), x = drawing.x();
  std::vector<std::size_t> tensors{x};
  const std::int64_t more = random.in(0, std::min<std::int64_t>(drawing.room(), 4));
  for (std::int64_t k = 0; k < more; ++k) {
    List own = shape;
    if (random.one_in(2)) own[axis] = random.in(0, shape[axis] + 1);
    tensors.push_back(random.one_in(4) ? x : drawing.value_like(own));
  }
  random.shuffle(tensors);
  drawing.add("concat", tensors, {List{drawing.with_sign(axis, shape.size())}});
}

}  // namespace weft::testing
