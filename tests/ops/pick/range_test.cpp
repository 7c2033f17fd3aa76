// SPDX-License-Identifier: Apache-2.0
// x[i] and x[range(a, b, step)], as NumPy's; and what of it must not compile.
#include <type_traits>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

namespace {

template <class X, class I>
concept Indexes = requires(const X& x, const I& i) {
  x[i];
};

// By an integer or a range alone: a bool, a character, a float, a list or a tensor is no index.
static_assert(Indexes<Tensor, int> && Indexes<Tensor, std::uint64_t> &&
              Indexes<Tensor, IndexRange>);
static_assert(!Indexes<Tensor, bool> && !Indexes<Tensor, char> && !Indexes<Tensor, double>);
static_assert(!Indexes<Tensor, std::vector<int>> && !Indexes<Tensor, Tensor>);
static_assert(!Indexes<Tensor, None> && !Indexes<Tensor, const char*>);

// x[0] = y would be lost: what x[0] gives cannot be assigned to, and nor can any temporary.
static_assert(!std::is_assignable_v<decltype(std::declval<Tensor&>()[0]), Tensor>);
static_assert(!std::is_assignable_v<decltype(std::declval<Tensor&>()[range(1)]), const Tensor&>);
static_assert(!std::is_assignable_v<Tensor, Tensor>);
// x[{0, 2, 4}] would be no list of places.
template <class X>
concept TakesBraces = requires(const X& x) {
  x[{0, 2, 4}];
};
static_assert(!TakesBraces<Tensor>);
static_assert(std::is_assignable_v<Tensor&, Tensor>);
static_assert(std::is_assignable_v<Tensor&, const Tensor&>);
static_assert(!std::is_convertible_v<bool, RangeEnd> && !std::is_convertible_v<double, RangeEnd>);

}  // namespace

TEST_CASE("range: an integer picks and drops axis 0, and chains") {
  const Tensor x = iota<int>({2, 3});
  expect<int>(x[1], {3}, {3, 4, 5});
  expect<int>(x[-1], {3}, {3, 4, 5});
  expect<int>(x[1][2], {}, {5});
  CHECK(x[std::uint8_t{1}][0].item<int>() == 3);
  refuses<IndexError>("bad_index", "select: index 2 is out of range for axis 0 of extent 2",
                      [&] { (void)x[2]; });
  refuses<IndexError>("bad_index",
                      "select: index 18446744073709551615 is out of range for axis 0 of extent 2",
                      [&] { (void)x[UINT64_MAX]; });
  CHECK_THROWS_AS((void)scalar(1)[0], AxisError);
}

TEST_CASE("range: a range is NumPy's slice of axis 0") {
  const Tensor x = iota<int>({6});
  expect<int>(x[range(1, 4)], {3}, {1, 2, 3});
  expect<int>(x[range(2)], {2}, {0, 1});
  expect<int>(x[range(1, 6, 2)], {3}, {1, 3, 5});
  expect<int>(x[range(-2, none)], {2}, {4, 5});
  expect<int>(x[range(none, -4)], {2}, {0, 1});
  expect<int>(x[range(none, none, -1)], {6}, {5, 4, 3, 2, 1, 0});
  expect<int>(x[range(4, 1, -2)], {2}, {4, 2});
  expect<int>(x[range(4, none, -2)], {3}, {4, 2, 0});
  expect<int>(x[range(none, 3, -1)], {2}, {5, 4});
  expect<int>(x[range(4, 100)], {2}, {4, 5});
  expect<int>(x[range(none)], {6}, {0, 1, 2, 3, 4, 5});
  expect<int>(x[range(3, 1)], {0}, {});
  expect<int>(iota<int>({3, 2})[range(1, 3)][1], {2}, {4, 5});
  expect<int>(x[range(std::uint64_t{1}, UINT64_MAX)], {5}, {1, 2, 3, 4, 5});
  refuses<ParameterError>("zero_step", "slice: step [0] has a 0, expected any other",
                          [&] { (void)x[range(0, 1, 0)]; });
  refuses<ParameterError>("bad_rank", "slice: x has rank 0, expected at least 1",
                          [] { (void)scalar(1)[range(1)]; });
}

TEST_CASE("range: open tensors are indexed as others") {
  CHECK(shape_of(open({"n", 4})[range(0, 2)][0]) == "[4]");
  CHECK(shape_of(open({8, 4})[range(none, none, 3)]) == "[3, 4]");
}

TEST_CASE("range: shapes are compared with lists, and elements come as vectors") {
  const Tensor x = iota<int>({2, 3});
  CHECK(x.has_shape({2, 3}));
  CHECK_FALSE(x.has_shape({3, 2}));
  CHECK_FALSE(x.has_shape({}));
  CHECK(scalar(1).has_shape({}));
  CHECK(x.shape() == Shape{2, 3});
  CHECK(x[1].to_vector<int>() == std::vector<int>{3, 4, 5});
  CHECK(array({true, false}).to_vector<bool>() == std::vector<bool>{true, false});
  CHECK(x[range(0)].to_vector<int>().empty());
  CHECK_THROWS_AS((void)x.to_vector<float>(), DtypeError);
}
