// SPDX-License-Identifier: Apache-2.0
// zeros, ones and their kin.
#include <array>
#include <complex>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("fills: zeros and ones are f32 unless told") {
  expect<float>(zeros({2, 2}), {2, 2}, {0, 0, 0, 0});
  expect<float>(ones(3), {3}, {1, 1, 1});
  expect<std::int64_t>(zeros({2}, i64), {2}, {0, 0});
  expect<double>(ones<double>({2}), {2}, {1, 1});
  expect<bool>(ones<bool>({2}), {2}, {true, true});
  expect<float16_t>(ones({1}, f16), {1}, {float16_t(1)});
  expect<std::complex<float>>(ones({1}, c64), {1}, {{1, 0}});
  expect<float>(zeros({}), {}, {0});
  CHECK(zeros({std::int64_t{1} << 40, 1024}, u8).bytes() == std::int64_t{1} << 50);
}

TEST_CASE("fills: every type has zeros, structs have no ones") {
  for (const DType dtype : all_types()) {
    const Tensor x = zeros({2}, dtype);
    CHECK(x.dtype() == dtype);
    CHECK(reference_value(x) ==
          std::vector<std::byte>(static_cast<std::size_t>(2 * dtype.size()), std::byte{0}));
    if (dtype.kind() != DType::Kind::opaque) CHECK(ones({2}, dtype).dtype() == dtype);
  }
  refuses<DtypeError>("dtype_mismatch", "full: the value 1 is no element of type struct of 3 bytes",
                      [] { (void)ones({2}, opaque(3)); });
  refuses<ShapeError>("shape_mismatch", "full: extent -1 in shape [-1], expected 0 or more",
                      [] { (void)zeros({-1}); });
}

TEST_CASE("fills: the like of a tensor has its shape and type, and leaves it unevaluated") {
  const Tensor x = iota<std::int16_t>({2, 3}).transpose();
  expect<std::int16_t>(zeros_like(x), {3, 2}, {0, 0, 0, 0, 0, 0});
  expect<std::int16_t>(ones_like(x), {3, 2}, {1, 1, 1, 1, 1, 1});
  expect<std::int16_t>(full_like(x, -5), {3, 2}, {-5, -5, -5, -5, -5, -5});
  expect<float>(full_like(x, 0.5, f32).slice(0, 1), {1, 2}, {0.5f, 0.5f});
  CHECK(zeros_like(x, f64).dtype() == f64);
  CHECK(ones_like(x, bool_).dtype() == bool_);
  CHECK_FALSE(x.is_stored());
  refuses<DtypeError>("dtype_mismatch", "full: the value 40000 is no element of type i16",
                      [&] { (void)full_like(x, 40000); });
  CHECK(zeros_like(placeholder(f32, {2, 3})).has_shape({2, 3}));
  CHECK_THROWS_AS((void)zeros_like(placeholder(f32, {-1})), OpenError);
}

TEST_CASE("fills: eye has ones on a diagonal, as numpy.eye") {
  expect<float>(eye(2), {2, 2}, {1, 0, 0, 1});
  expect<int>(eye<int>(2, 3), {2, 3}, {1, 0, 0, 0, 1, 0});
  expect<int>(eye<int>(2, 3, 1), {2, 3}, {0, 1, 0, 0, 0, 1});
  expect<int>(eye<int>(3, 2, -1), {3, 2}, {0, 0, 1, 0, 0, 1});
  expect<bool>(eye(2, none, 5, bool_), {2, 2}, {false, false, false, false});
  expect<float>(eye(0), {0, 0}, {});
  expect<int>(eye<int>(1, 1, lowest), {1, 1}, {0});
  expect<int>(eye<int>(1, 1, highest), {1, 1}, {0});
  for (const std::int64_t rows : {0, 1, 2, 3, 7})
    for (const std::int64_t columns : {0, 1, 2, 5, 7})
      for (std::int64_t k = -8; k <= 8; ++k) {
        std::vector<int> values;
        for (std::int64_t i = 0; i < rows; ++i)
          for (std::int64_t j = 0; j < columns; ++j) values.push_back(j - i == k);
        expect<int>(eye<int>(rows, columns, k), {rows, columns}, values);
      }
  CHECK(eye(std::int64_t{1} << 30)[12345][range(12344, 12347)].to_vector<float>() ==
        std::vector<float>{0, 1, 0});
  CHECK_THROWS_AS((void)eye({2, 3}), ParameterError);
  CHECK_THROWS_AS((void)eye(-1), ShapeError);
}
