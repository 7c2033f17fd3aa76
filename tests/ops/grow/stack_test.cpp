// SPDX-License-Identifier: Apache-2.0
// stack: tensors along a new axis.
#include <algorithm>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("stack: joins tensors along a new axis") {
  const Tensor x = array({1, 2}), y = array({3, 4});
  expect<int>(stack({x, y}), {2, 2}, {1, 2, 3, 4});
  expect<int>(stack({x, y}, -1), {2, 2}, {1, 3, 2, 4});
  expect<int>(stack({scalar(1), scalar(2)}), {2}, {1, 2});
}

TEST_CASE("stack: the new axis may stand anywhere") {
  const Tensor x = iota<int>({2, 2}), y = x.flip();
  expect<int>(stack({x, y}, 0), {2, 2, 2}, {0, 1, 2, 3, 3, 2, 1, 0});
  expect<int>(stack({x, y}, 1), {2, 2, 2}, {0, 1, 3, 2, 2, 3, 1, 0});
  expect<int>(stack({x, y}, 2), {2, 2, 2}, {0, 3, 1, 2, 2, 1, 3, 0});
  expect_same(stack({x, y}, -3), stack({x, y}, 0));
  expect_same(stack({x, y}, -1), stack({x, y}, 2));
}

TEST_CASE("stack: one tensor, scalars, and extents of 0") {
  expect<int>(stack({iota<int>(3)}, 1), {3, 1}, {0, 1, 2});
  expect<int>(stack({scalar(7)}, -1), {1}, {7});
  expect<int>(stack({full({0, 2}, 1), full({0, 2}, 1)}, 1), {0, 2, 2}, {});
}

TEST_CASE("stack: what unstack parted is the tensor itself") {
  const Tensor x = iota<int>({3, 2, 2});
  for (const int axis : {0, 1, 2}) expect_same(stack(x.unstack(axis), axis), x);
}

TEST_CASE("stack: the axis may be of any integer type, also a tensor") {
  const Tensor x = iota<int>(2);
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    for (const int rank : {0, 1})
      expect<int>(stack({x, x}, ints_of(dtype, rank, {1})), {2, 2}, {0, 0, 1, 1});
  expect<int>(stack({x, x}, scalar<std::int8_t>(-1)), {2, 2}, {0, 0, 1, 1});
}

TEST_CASE("stack: types, ranks, axes and shapes that do not fit are refused") {
  const Tensor x = iota<int>({2, 3});
  refuses<ParameterError>("length_mismatch", "stack: there are no tensors, expected 1 or more",
                          [] { stack({}, array({1.5f})); });
  refuses<DtypeError>("dtype_mismatch", "stack: tensor 1 is f32, expected i32 as the first", [&] {
    stack({x, scalar(1.5f)}, array({1.5f}));
  });
  refuses<DtypeError>("dtype_mismatch", "stack: axis is f32, expected an integer type", [&] {
    stack({x, scalar(1)}, array({{1.5f}}));
  });
  refuses<ParameterError>("bad_rank", "stack: axis is none, expected a scalar or a list", [&] {
    stack({x, scalar(1)}, none);
  });
  refuses<ParameterError>("length_mismatch", "stack: axis has 2 entries, expected one", [&] {
    stack({x, scalar(1)}, {7, 7});
  });
  refuses<AxisError>("bad_axis",
                     "stack: axis 3 is out of range for rank 3 (shape [2, 3] with 1 more)", [&] {
                       stack({x, scalar(1)}, 3);
                     });
  refuses<AxisError>("bad_axis", "stack: axis -2 is out of range for rank 1 (shape [] with 1 more)",
                     [] { stack({scalar(1)}, -2); });
  CHECK_THROWS_AS(stack({x}, lowest), AxisError);
  CHECK_THROWS_AS(stack({x}, u64s({18446744073709551615u})), AxisError);
  for (const Shape& shape : {Shape{2, 1}, Shape{2}, Shape{2, 3, 1}})
    refuses<ShapeError>(
        "shape_mismatch",
        "stack: tensor 1 has shape " + to_string(shape) + ", expected [2, 3] as the first", [&] {
          stack({x, full(shape, 1)});
        });
  refuses<ParameterError>("bad_rank", "stack: the result would have rank 17, at most 16 is allowed",
                          [] { stack({rank_16()}); });
  refuses<OverflowError>(
      "overflow",
      "stack: a tensor of shape [2, 1152921504606846975] and type i32 would have "
      "more than 2^62 bytes",
      [] {
        stack({full({highest / 8}, 1), full({highest / 8}, 1)});
      });
}

TEST_CASE("stack: moves the bytes of any element, and to rank 16") {
  moves_any_element({3, 5}, [](const Tensor& x) { return stack({x.flip(), x, x}, 1); });
  const Tensor x = rank_16();
  expect_same(stack({x.select(0, 0), x.select(0, 1)}), x);
}

TEST_CASE("stack: what is known of open shapes") {
  const auto open = [](PartialShape shape) { return placeholder(f32, std::move(shape)); };
  const auto shape_of = [](const Tensors& tensors, const Ints& axis = 0) {
    return to_string(stack(tensors, axis).partial_shape());
  };
  const Tensor any = open(PartialShape::any());
  CHECK(shape_of({open({"b", -1}), open({-1, 5})}, -1) == "[b, 5, 2]");
  CHECK(shape_of({any, open({"b", 4}), any}, 1) == "[b, 3, 4]");
  CHECK(shape_of({open({"b", 4})}, placeholder(i64, {})) == "[?, ?, ?]");
  CHECK(shape_of({any, any}) == "[...]");
  refuses<ShapeError>("shape_mismatch",
                      "stack: tensor 1 has shape [3, 7..], expected [b, 1..6] as the first", [&] {
                        shape_of({open({"b", Dim(1, 6)}), open({3, Dim(7, Dim::unbounded)})});
                      });
  refuses<ParameterError>("length_mismatch", "stack: axis has 0 entries, expected one", [&] {
    shape_of({any, open({2, 4})}, Ints());
  });
}

namespace weft::testing {

void draw_stack(Drawing& drawing) {
  Random& random = drawing.random();
  const List shape = drawing.shape();
  if (shape.size() >= Drawing::most_axes) return;
  std::vector<std::size_t> tensors{drawing.x()};
  const std::int64_t more = random.in(0, std::min<std::int64_t>(drawing.room(), 3));
  for (std::int64_t k = 0; k < more; ++k) tensors.push_back(drawing.value_like(shape));
  random.shuffle(tensors);
  drawing.add("stack", tensors,
              {List{drawing.with_sign(random.below(shape.size() + 1), shape.size() + 1)}});
}

}  // namespace weft::testing
