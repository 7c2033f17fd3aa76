// SPDX-License-Identifier: Apache-2.0
// Ints: what a caller may write where an op takes integers, and how it reads.
#include <doctest/doctest.h>

#include <string>
#include <type_traits>

#include <array>
#include <limits>
#include <span>
#include <vector>

#include <weft/weft.h>

using namespace weft;

namespace {

std::vector<std::int64_t> values_of(const Ints& ints) {
  std::vector<std::int64_t> values;
  for (std::size_t k = 0; k < ints.size(); ++k) values.push_back(ints[k]);
  return values;
}
using Values = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("ints: a braced list takes integers of any type, each of its own") {
  const std::size_t width = 4;
  const Ints mixed{width, 3, std::int8_t{-1}};
  CHECK(mixed.dtype() == i64);
  CHECK(mixed.text() == "[4, 3, -1]");
  const Ints large{std::size_t{18446744073709551615u}, 1};
  CHECK(large.dtype() == u64);
  CHECK(large.text() == "[18446744073709551615, 1]");
  static_assert(!std::is_constructible_v<Ints, const char(&)[3]>);
  static_assert(!std::is_constructible_v<Ints, std::string>);
}

TEST_CASE("one integer is a scalar of its own type") {
  const Ints three = 3;
  CHECK(three.rank() == 0);
  CHECK(three.dtype() == i32);
  CHECK(values_of(three) == Values{3});
  CHECK(Ints(std::int64_t{3}).dtype() == i64);
  CHECK(Ints(std::uint8_t{3}).dtype() == u8);
  CHECK(Ints(3ull).dtype() == u64);
  CHECK(Ints(true).dtype() == bool_);
}

TEST_CASE("a braced list is i64, of any length") {
  const Ints list = {1, -2, 3};
  CHECK(list.rank() == 1);
  CHECK(list.dtype() == i64);
  CHECK(values_of(list) == Values{1, -2, 3});
  CHECK(values_of(Ints{5}) == Values{5});
  CHECK(Ints{5}.rank() == 1);
  const Ints empty = {};
  CHECK(empty.rank() == 1);
  CHECK(empty.dtype() == i64);
  CHECK(empty.size() == 0);
  CHECK_FALSE(empty.is_none());
}

TEST_CASE_TEMPLATE("vectors, arrays and spans of each integer type keep type and values", T,
                   std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                   std::uint16_t, std::uint32_t, std::uint64_t) {
  using Limits = std::numeric_limits<T>;
  const std::vector<T> source{Limits::min(), 7, Limits::max()};
  const std::int64_t highest =
      sizeof(T) == 8 ? INT64_MAX : static_cast<std::int64_t>(Limits::max());
  const Values expected{static_cast<std::int64_t>(Limits::min()), 7, highest};
  const std::array<T, 3> copied{source[0], source[1], source[2]};
  for (const Ints& ints : {Ints(source), Ints(std::span<const T>(source)), Ints(copied),
                           Ints(from_vector(source, {3}))}) {
    CHECK(ints.rank() == 1);
    CHECK(ints.dtype() == dtype_of<T>);
    CHECK(values_of(ints) == expected);
  }
  CHECK(Ints(std::vector<T>{}).size() == 0);
  CHECK(values_of(Ints(Limits::max())) == Values{highest});
}

TEST_CASE("a shape is a list") {
  const Ints ints = Shape{2, 3};
  CHECK(ints.dtype() == i64);
  CHECK(values_of(ints) == Values{2, 3});
}

TEST_CASE("a list longer than any inline room keeps its values") {
  const std::vector<int> source(1000, 4);
  const Ints ints(source);
  CHECK(ints.size() == 1000);
  CHECK(ints[999] == 4);
}

TEST_CASE("a tensor gives its type, rank and values, and is evaluated for them") {
  const Tensor lazy = array<std::int16_t>({1, -2, 3}).flip();
  const Ints list = lazy;
  CHECK(lazy.is_stored());
  CHECK(list.rank() == 1);
  CHECK(list.dtype() == i16);
  CHECK(values_of(list) == Values{3, -2, 1});
  CHECK(Ints(scalar(7)).rank() == 0);
  CHECK(values_of(Ints(scalar(7))) == Values{7});
  CHECK(Ints(array({{1, 2}})).rank() == 2);
  CHECK(Ints(iota<int>({1, 1, 2})).rank() == 3);
  CHECK(Ints(iota<int>(0)).size() == 0);
}

TEST_CASE("a tensor of no integers keeps its type, for the op to refuse, and is not evaluated") {
  const Tensor floats = array({1.5, 2.5}).flip();
  const Ints ints = floats;
  CHECK(ints.dtype() == f64);
  CHECK(ints.rank() == 1);
  CHECK_FALSE(floats.is_stored());
  CHECK(Ints(scalar(true)).dtype() == bool_);
  CHECK_THROWS_WITH_AS(iota<int>(2).tile(ints), "tile: repeats is f64, expected an integer type",
                       DtypeError);
  CHECK_THROWS_AS(iota<int>(2).tile(array({true})), DtypeError);
}

TEST_CASE("none is not given, and no empty list") {
  const Ints ints = none;
  CHECK(ints.is_none());
  CHECK(ints.size() == 0);
  CHECK_FALSE(Ints().is_none());
  CHECK_FALSE(Ints(0).is_none());
}

TEST_CASE("a u64 above INT64_MAX is told as such, not as negative") {
  const std::vector<std::int64_t> bits{-1, 5, INT64_MIN, INT64_MAX};
  const Ints ints(u64, 1, bits);
  CHECK(values_of(ints) == Values{INT64_MAX, 5, INT64_MAX, INT64_MAX});
  CHECK(ints.exceeds_int64(0));
  CHECK_FALSE(ints.exceeds_int64(1));
  CHECK(ints.exceeds_int64(2));
  CHECK_FALSE(ints.exceeds_int64(3));
  CHECK_FALSE(Ints(-1).exceeds_int64(0));
  CHECK(ints.text() == "[18446744073709551615, 5, 9223372036854775808, 9223372036854775807]");
}

TEST_CASE("a parameter reads as it was written") {
  CHECK(Ints(-3).text() == "-3");
  CHECK(Ints{1, -2}.text() == "[1, -2]");
  CHECK(Ints{5}.text() == "[5]");
  CHECK(Ints().text() == "[]");
  CHECK(Ints(none).text() == "none");
}

namespace {

template <class T>
concept GivesInts = std::is_constructible_v<Ints, T>;

}  // namespace

TEST_CASE("what holds no integers is no parameter") {
  static_assert(GivesInts<int> && GivesInts<std::vector<std::uint8_t>> && GivesInts<Tensor>);
  static_assert(!GivesInts<double> && !GivesInts<float>);
  static_assert(!GivesInts<std::vector<float>> && !GivesInts<std::vector<bool>>);
  static_assert(!GivesInts<const char*>);
}
