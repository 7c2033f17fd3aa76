// SPDX-License-Identifier: Apache-2.0
// Making tensors from literals, vectors, pointers and numbers.
#include <doctest/doctest.h>

#include <complex>
#include <cstring>
#include <limits>
#include <vector>

#include <weft/weft.h>

using namespace weft;

TEST_CASE("nested braces make tensors of rank 1 to 3") {
  const Tensor one = array({1, 2, 3});
  CHECK(one.shape() == Shape{3});
  CHECK(one.dtype() == i32);
  const Tensor two = array({{1.5, 2.5}, {3.5, 4.5}, {5.5, 6.5}});
  CHECK(two.shape() == Shape{3, 2});
  CHECK(two.data<double>()[4] == 5.5);
  const Tensor three = array({{{true, false}}, {{false, true}}});
  CHECK(three.shape() == Shape{2, 1, 2});
  CHECK(three.dtype() == bool_);
  CHECK(three.data<bool>()[3]);
}

TEST_CASE("rows of different lengths are refused") {
  CHECK_THROWS_WITH_AS(array({{1, 2}, {3}}),
                       "array: rows differ in length, expected all of one length", ShapeError);
}

TEST_CASE("a vector is copied, or taken over when it is given up") {
  std::vector<float> values{1, 2, 3, 4, 5, 6};
  const Tensor copied = from_vector(values, {2, 3});
  CHECK(copied.data<float>() != values.data());
  const float* elements = values.data();
  const Tensor taken = from_vector(std::move(values), {3, 2});
  CHECK(taken.data<float>() == elements);
  CHECK_THROWS_WITH_AS(from_vector(std::vector<int>{1, 2}, {3}),
                       "from_vector: shape [3] has 3 elements, 2 were given", ShapeError);
}

TEST_CASE("copies are independent, borrowed memory is not") {
  int memory[] = {1, 2, 3};
  const Tensor copy = copy_from(memory, {3});
  const Tensor view = borrow(memory, {3});
  memory[0] = 9;
  CHECK(copy.data<int>()[0] == 1);
  CHECK(view.data<int>()[0] == 9);
}

TEST_CASE("iota counts in row-major order in any element type") {
  const Tensor x = iota<std::uint8_t>({2, 200}, 250);
  CHECK(x.data<std::uint8_t>()[5] == 255);
  CHECK(x.data<std::uint8_t>()[6] == 0);
  const Tensor negative = iota<double>({3}, -1);
  CHECK(negative.data<double>()[0] == -1.0);
}

TEST_CASE("full costs one element, whatever its shape") {
  const Tensor x = full({1000000, 1000000, 1000}, 1.5f);
  CHECK(x.slice({5, 6, 7}, {6, 7, 8}).item<float>() == 1.5f);
}

TEST_CASE("any trivially copyable struct is an element") {
  struct Pixel {
    std::uint8_t r, g, b;
  };
  const Tensor x = from_vector(std::vector<Pixel>{{1, 2, 3}, {4, 5, 6}}, {2});
  CHECK(x.dtype().name() == "struct of 3 bytes");
  CHECK(x.flip().slice({0}, {1}).item<Pixel>().g == 5);
  CHECK_THROWS_AS(x.data<int>(), DtypeError);
}

TEST_CASE("impossible shapes are refused before anything is allocated") {
  const int memory[] = {1};
  CHECK_THROWS_AS(copy_from(memory, {-1}), ShapeError);
  CHECK_THROWS_AS(copy_from(memory, {std::int64_t{1} << 40, std::int64_t{1} << 40}), OverflowError);
  CHECK_THROWS_AS(copy_from(memory, std::vector<int>(17, 1)), ParameterError);
  CHECK_THROWS_AS(iota<int>({std::int64_t{1} << 50}), MemoryError);
}

TEST_CASE("null pointers are refused where there are elements") {
  const float* nothing = nullptr;
  CHECK_THROWS_WITH_AS(borrow(nothing, {4}), "borrow: the pointer is null, expected 16 bytes",
                       ParameterError);
  CHECK_THROWS_WITH_AS(copy_from(nothing, {4}), "copy_from: the pointer is null, expected 16 bytes",
                       ParameterError);
  CHECK(borrow(nothing, {0}).size() == 0);
}

TEST_CASE("an element has at least a byte, and the alignment it asks for") {
  CHECK_THROWS_AS(opaque(0), DtypeError);
  struct alignas(64) Wide {
    float lanes[16];
  };
  const Tensor wide = full({3}, Wide{}).slice({0}, {1});
  CHECK(reinterpret_cast<std::uintptr_t>(wide.data<Wide>()) % 64 == 0);
  static_assert(!Element<const char*> && !Element<char[4]> && !Element<std::nullptr_t>);
}

TEST_CASE("a borrowed parameter may lie at any address") {
  alignas(8) unsigned char bytes[12] = {0, 0, 0, 0, 1};
  std::int32_t one = 1;
  std::memcpy(bytes + 1, &one, 4);
  const Tensor shift = borrow(static_cast<const void*>(bytes + 1), i32, {1});
  CHECK(iota<int>({3}).roll(shift, 0).slice({0}, {1}).item<int>() == 2);
}

TEST_CASE("a vector without a shape is of rank 1") {
  std::vector<float> values{1, 2, 3};
  const Tensor copied = from_vector(values);
  CHECK(copied.has_shape({3}));
  CHECK(copied.data<float>() != values.data());
  const float* const elements = values.data();
  const Tensor taken = from_vector(std::move(values));
  CHECK(taken.data<float>() == elements);
  CHECK(from_vector(std::vector<int>{}).has_shape({0}));
}

TEST_CASE("arange counts as numpy.arange, in the type of its arguments or the one told") {
  CHECK(arange(5).to_vector<int>() == std::vector<int>{0, 1, 2, 3, 4});
  CHECK(arange(2, 8, 3).to_vector<int>() == std::vector<int>{2, 5});
  CHECK(arange(5, 0, -2).to_vector<int>() == std::vector<int>{5, 3, 1});
  CHECK(arange(0.0, 1.0, 0.25).to_vector<double>() == std::vector<double>{0, 0.25, 0.5, 0.75});
  CHECK(arange(0.f, 1.1f, 0.5f).to_vector<float>() == std::vector<float>{0, 0.5f, 1});
  CHECK(arange<float>(3).to_vector<float>() == std::vector<float>{0, 1, 2});
  CHECK(arange<std::uint8_t>(250, 256).to_vector<std::uint8_t>() ==
        std::vector<std::uint8_t>{250, 251, 252, 253, 254, 255});
  CHECK(arange<float16_t>(0, 2, 0.5).to_vector<float16_t>()[3] == 1.5f);
  CHECK(arange<std::complex<float>>(2).to_vector<std::complex<float>>()[1] ==
        std::complex<float>(1));
  CHECK(arange(std::int64_t{2}).dtype() == i64);
  CHECK(arange(std::uint8_t{1}, std::uint8_t{3}).dtype() == u8);
  CHECK(arange(3, 3).has_shape({0}));
  CHECK(arange(3, 1).has_shape({0}));
  CHECK(arange(0.0, -1.0).has_shape({0}));
  CHECK(arange(INT64_MIN, INT64_MAX, std::int64_t{1} << 62).to_vector<std::int64_t>() ==
        std::vector<std::int64_t>{INT64_MIN, INT64_MIN / 2, 0, INT64_MAX / 2 + 1});
}

TEST_CASE("arange refuses elements that do not fit, steps of 0 and ends that are not finite") {
  CHECK_THROWS_WITH_AS((void)arange<std::uint8_t>(0, 257),
                       "arange: the value 256 is no element of type u8", DtypeError);
  CHECK_THROWS_WITH_AS((void)arange<std::uint64_t>(-1, 3),
                       "arange: the value -1 is no element of type u64", DtypeError);
  CHECK_THROWS_WITH_AS((void)arange(UINT64_MAX),
                       "arange: the value 18446744073709551615 is no element of type i64",
                       DtypeError);
  CHECK(arange<std::uint8_t>(300, 200).has_shape({0}));  // no element, none that does not fit
  CHECK_THROWS_WITH_AS((void)arange(0, 3, 0), "arange: step is 0, expected any other",
                       ParameterError);
  CHECK_THROWS_AS((void)arange(0.0, 1.0, 0.0), ParameterError);
  CHECK_THROWS_AS((void)arange(0.0, std::numeric_limits<double>::infinity()), ParameterError);
  CHECK_THROWS_AS((void)arange(0.0, std::numeric_limits<double>::quiet_NaN()), ParameterError);
  CHECK_THROWS_AS((void)arange(0.0, 1e300), OverflowError);
  CHECK_THROWS_AS((void)arange(INT64_MIN, INT64_MAX), OverflowError);
  CHECK_THROWS_AS((void)arange(std::int64_t{1} << 50), MemoryError);
}
