// SPDX-License-Identifier: Apache-2.0
// astype: from each type to each.
#include "ops/elementwise/values.h"

using namespace weft;
using namespace weft::testing;

namespace {

template <class To, class From>
To converted(From x) {
  if constexpr (is_half<From>) return converted<To>(static_cast<float>(x));
  else if constexpr (std::is_same_v<To, bool>) return x != 0;
  else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    using Limits = std::numeric_limits<To>;
    if (x != x) return 0;
    const long double cut = std::trunc(static_cast<long double>(x));  // holds all integers
    if (cut > static_cast<long double>(Limits::max())) return Limits::max();
    if (cut < static_cast<long double>(Limits::min())) return Limits::min();
    return static_cast<To>(cut);
  } else if constexpr (is_half<To>) {
    return To(x);
  } else {
    return static_cast<To>(x);
  }
}

/// Numbers around those halfway between two of 8 digits, or of 11, of each magnitude.
template <class T>
std::vector<T> around_halfway() {
  std::vector<T> values;
  for (const int digits : {8, 11})
    for (int below = 2; below + digits < std::numeric_limits<T>::digits + 1; ++below)
      for (const std::uint64_t leading : {0u, 1u, 2u, (1u << (digits - 1)) - 1})
        for (const int step : {-1, 0, 1}) {
          const std::uint64_t number = (std::uint64_t{1} << (digits - 1) | leading) << below;
          const auto value = static_cast<T>(number + (std::uint64_t{1} << (below - 1)) +
                                            static_cast<std::uint64_t>(step));
          values.push_back(value);
          values.push_back(static_cast<T>(0 - value));
        }
  return values;
}

}  // namespace

TEST_CASE("astype: integers are rounded once to half precision, whatever digits they have") {
  using Integers = std::tuple<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
  for_each_type<Integers>([]<class T>(T) {
    const std::vector<T> values = around_halfway<T>();
    const Tensor x = copy_from(values.data(), dtype_of<T>, {std::ssize(values)});
    for_each_type<std::tuple<float16_t, bfloat16_t>>([&]<class To>(To) {
      std::vector<To> expected;
      for (const T value : values) expected.push_back(To(value));
      expect<To>(x.astype(dtype_of<To>), x.shape(), expected);
    });
  });
}

TEST_CASE("astype: from each type to each, fused with what moves") {
  using Tos = decltype(std::tuple_cat(RealTypes(), std::tuple<bool>()));
  for_each_type<RealTypes>([]<class T>(T) {
    for_each_type<Tos>([]<class To>(To) {
      std::vector<T> values = telling_values<T>();
      if constexpr (is_float<T>)
        for (const double x : {127.5, 128.0, 255.9, 256.0, 32767.9, 65535.5, 2147483647.0,
                               2147483648.0, 4294967296.0, 9.2e18, 9.3e18, 1.8e19, 1.9e19, 65519.9})
          for (const double sign : {1.0, -1.0})
            values.push_back(T(static_cast<Computed<T>>(sign * x)));
      check_of_one<T>([](const Tensor& x) { return x.astype(dtype_of<To>); }, converted<To, T>,
                      values);
    });
  });
}

TEST_CASE("astype: of bool, whose bytes are anything but 0 where they are true") {
  const std::uint8_t bytes[] = {0, 1, 2, 255};
  const Tensor x = copy_from(bytes, bool_, {4});
  expect<int>(x.astype(i32), {4}, {0, 1, 1, 1});
  expect<double>(x.astype(f64), {4}, {0.0, 1.0, 1.0, 1.0});
  expect<float16_t>(x.flip().astype(f16), {4},
                    {float16_t(1.0f), float16_t(1.0f), float16_t(1.0f), float16_t(0.0f)});
}

TEST_CASE("astype: to the type that it has it is the tensor itself") {
  const Tensor x = iota<float>(3);
  CHECK(&x.astype(f32).node() == &x.node());
}

namespace weft::testing {

void draw_astype(Drawing& drawing) {
  const DType type = drawing.dtype_of(drawing.x());
  if (!is_real(type)) return;
  const std::string_view other = any_of(
      drawing.random(),
      {"bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64"});
  const std::size_t cast = drawing.add("astype", {drawing.x()}, {}, {std::string(other)});
  drawing.add("astype", {cast}, {}, {type.name()});
}

}  // namespace weft::testing
