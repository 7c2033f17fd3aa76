// SPDX-License-Identifier: Apache-2.0
// fftshift: the zero frequency in the middle.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("fftshift: the examples of NumPy") {
  const Tensor frequencies = array<double>({0, 1, 2, 3, 4, -5, -4, -3, -2, -1});
  expect<double>(frequencies.fftshift(), {10}, {-5, -4, -3, -2, -1, 0, 1, 2, 3, 4});
  const Tensor x = array<double>({{0, 1, 2}, {3, 4, -4}, {-3, -2, -1}});
  expect<double>(x.fftshift({1}), {3, 3}, {2, 0, 1, -4, 3, 4, -1, -3, -2});
  expect<double>(x.fftshift(), {3, 3}, {-1, -3, -2, 2, 0, 1, -4, 3, 4});
}

TEST_CASE("fftshift: an odd extent has one element more before the middle moves") {
  expect<int>(iota<int>(5).fftshift(), {5}, {3, 4, 0, 1, 2});
  expect<int>(iota<int>(4).fftshift(0), {4}, {2, 3, 0, 1});
}

TEST_CASE("fftshift: an axis named twice turns twice, no axes turn nothing") {
  expect<int>(iota<int>(5).fftshift({0, -1}), {5}, {1, 2, 3, 4, 0});
  expect<int>(iota<int>(5).fftshift({}), {5}, {0, 1, 2, 3, 4});
}

TEST_CASE("fftshift: extents of 0 and 1, and scalars, have nothing to turn") {
  expect<int>(iota<int>({2, 0}).fftshift(), {2, 0}, {});
  expect<int>(iota<int>({1, 3}).fftshift(0), {1, 3}, {0, 1, 2});
  expect<int>(scalar(5).fftshift(), {}, {5});
  expect<int>(scalar(5).fftshift({}), {}, {5});
}

TEST_CASE("fftshift: axes may be of any integer type, also a tensor") {
  for (const DType dtype : {i8, i16, i32, i64, u8, u16, u32, u64})
    for (const int rank : {0, 1})
      expect<int>(iota<int>({2, 2}).fftshift(ints_of(dtype, rank, {1})), {2, 2}, {1, 0, 3, 2});
  expect<int>(iota<int>({2, 2}).fftshift(scalar<std::int8_t>(-1)), {2, 2}, {1, 0, 3, 2});
}

TEST_CASE("fftshift: of several mistakes the first is told") {
  refuses<DtypeError>("dtype_mismatch", "fftshift: axes is f32, expected an integer type",
                      [] { iota<int>(3).fftshift(ints_of(f32, 2, {7})); });
  refuses<ParameterError>("bad_rank", "fftshift: axes has rank 2, expected a scalar or a list",
                          [] { iota<int>(3).fftshift(array({{7}})); });
  refuses<AxisError>("bad_axis", "fftshift: axis 2 is out of range for rank 2 (shape [2, 3])", [] {
    iota<int>({2, 3}).fftshift({0, 2});
  });
  refuses<AxisError>("bad_axis", "fftshift: axis 0 is out of range for rank 0 (shape [])",
                     [] { scalar(1).fftshift(0); });
  CHECK_THROWS_AS(iota<int>(3).fftshift(lowest), AxisError);
  CHECK_THROWS_AS(iota<int>(3).fftshift(u64s({18446744073709551615u})), AxisError);
}

TEST_CASE("fftshift: moves the bytes of any element, and leaves its operand") {
  moves_any_element({3, 4}, [](const Tensor& x) { return x.fftshift(); });
}

TEST_CASE("fftshift: keeps what is known of the shape") {
  const Tensor x = placeholder(f32, {"n", Dim(1, 4), 5});
  CHECK(to_string(x.fftshift().partial_shape()) == "[n, 1..4, 5]");
  CHECK(to_string(x.fftshift(placeholder(i64, {2})).partial_shape()) == "[n, 1..4, 5]");
  CHECK(to_string(placeholder(f32, PartialShape::any()).fftshift().partial_shape()) == "[...]");
  CHECK_THROWS_AS(x.fftshift(3), AxisError);
}

namespace weft::testing {

void draw_fftshift(Drawing& drawing) {
  const bool is_whole = drawing.random().one_in(4);
  drawing.add("fftshift", {drawing.x()},
              {is_whole ? Numbers() : drawing.random_axes(drawing.rank())});
}

}  // namespace weft::testing
