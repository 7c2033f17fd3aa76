// SPDX-License-Identifier: Apache-2.0
// ifftshift: the zero frequency back in front.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("ifftshift: undoes fftshift, also of odd extents") {
  expect<int>(iota<int>(5).ifftshift(), {5}, {2, 3, 4, 0, 1});
  expect<int>(iota<int>(4).ifftshift(0), {4}, {2, 3, 0, 1});
  for (const Shape& shape : {Shape{5}, Shape{3, 4}, Shape{2, 1, 7}})
    expect_same(iota<int>(shape).fftshift().ifftshift(), iota<int>(shape));
}

TEST_CASE("ifftshift: the example of NumPy") {
  const Tensor x = array<double>({{0, 1, 2}, {3, 4, -4}, {-3, -2, -1}});
  expect<double>(x.fftshift().eval().ifftshift(), {3, 3}, {0, 1, 2, 3, 4, -4, -3, -2, -1});
  expect<double>(x.ifftshift(1), {3, 3}, {1, 2, 0, 4, -4, 3, -2, -1, -3});
}

TEST_CASE("ifftshift: an axis named twice turns twice, no axes turn nothing") {
  expect<int>(iota<int>(5).ifftshift({0, -1}), {5}, {4, 0, 1, 2, 3});
  expect<int>(iota<int>(5).ifftshift({}), {5}, {0, 1, 2, 3, 4});
  expect<int>(iota<int>({2, 0}).ifftshift(), {2, 0}, {});
  expect<int>(scalar(5).ifftshift(), {}, {5});
}

TEST_CASE("ifftshift: of several mistakes the first is told") {
  refuses<DtypeError>("dtype_mismatch", "ifftshift: axes is bool, expected an integer type",
                      [] { iota<int>(3).ifftshift(ints_of(bool_, 2, {7})); });
  refuses<ParameterError>("bad_rank", "ifftshift: axes has rank 2, expected a scalar or a list",
                          [] { iota<int>(3).ifftshift(array({{7}})); });
  refuses<AxisError>("bad_axis", "ifftshift: axis -3 is out of range for rank 2 (shape [2, 3])",
                     [] {
                       iota<int>({2, 3}).ifftshift(-3);
                     });
  CHECK_THROWS_AS(iota<int>(3).ifftshift(u64s({18446744073709551615u})), AxisError);
}

TEST_CASE("ifftshift: moves the bytes of any element, and leaves its operand") {
  moves_any_element({3, 4}, [](const Tensor& x) { return x.ifftshift(); });
}

TEST_CASE("ifftshift: keeps what is known of the shape") {
  const Tensor x = placeholder(f32, {"n", Dim(1, 4), 5});
  CHECK(to_string(x.ifftshift({0, 1}).partial_shape()) == "[n, 1..4, 5]");
  CHECK(to_string(x.ifftshift(placeholder(i64, {2})).partial_shape()) == "[n, 1..4, 5]");
}

namespace weft::testing {

void draw_ifftshift(Drawing& drawing) {
  const bool is_whole = drawing.random().one_in(4);
  drawing.add("ifftshift", {drawing.x()},
              {is_whole ? Numbers() : drawing.random_axes(drawing.rank())});
}

}  // namespace weft::testing
