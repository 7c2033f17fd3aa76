// SPDX-License-Identifier: Apache-2.0
// Elements of C++ types through all ops: half floats of Eigen, complex numbers, structs of odd
// sizes.
#include <weft/eigen.h>

#include <bit>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

namespace {

struct Rgb {
  std::uint8_t r, g, b;
};
struct Point {
  float x, y, z;
};
struct Sample {
  double time;
  std::int64_t id;
  std::uint32_t flags, channel;
};
static_assert(sizeof(Rgb) == 3 && sizeof(Point) == 12 && sizeof(Sample) == 24);

/// Every op once, each output element at another place than it came from.
Tensor all_ops(const Tensor& x) {
  return x.roll({1, -2}, {0, 1})
      .transpose()
      .slice_scatter(x.slice({0, 0}, {1, 2}).broadcast_to({2, 2}), {4, 0}, {0, 2}, {-2, 1})
      .tile({2, 1, 2})
      .flip({0, -1})
      .reshape({5, -1})
      .slice({4}, {-100}, {-1})
      .expand_dims(1)
      .squeeze(1);
}

/// The elements that `all_ops` makes of `values`, told by where those of an iota go.
template <class T>
void expect_through_all_ops(const std::vector<T>& values) {
  const Tensor x = from_vector(values, {3, 5}), positions = all_ops(iota({3, 5}));
  std::vector<T> expected;
  for (const std::int64_t k : reference_values<std::int64_t>(positions))
    expected.push_back(values[static_cast<std::size_t>(k)]);
  expect<T>(all_ops(x), positions.shape(), expected);
  expect<T>(x, {3, 5}, values);
}

template <class T, class Make>
std::vector<T> fifteen(Make&& make) {
  std::vector<T> values;
  for (int k = 0; k < 15; ++k) values.push_back(make(k));
  return values;
}

}  // namespace

TEST_CASE("elements: Eigen::half moves through all ops, NaN payloads and -0.0 intact") {
  std::vector<Eigen::half> values = fifteen<Eigen::half>([](int k) { return Eigen::half(k); });
  values[0] = Eigen::half_impl::raw_uint16_to_half(0x7d01);
  values[7] = Eigen::half_impl::raw_uint16_to_half(0x8000);
  expect_through_all_ops(values);
  CHECK(dtype_of<Eigen::half> == f16);
}

TEST_CASE("elements: Eigen::bfloat16 moves through all ops, NaN payloads and -0.0 intact") {
  std::vector<Eigen::bfloat16> values =
      fifteen<Eigen::bfloat16>([](int k) { return Eigen::bfloat16(static_cast<float>(k)); });
  values[0] = Eigen::bfloat16_impl::raw_uint16_to_bfloat16(0x7f81);
  values[7] = Eigen::bfloat16_impl::raw_uint16_to_bfloat16(0x8000);
  expect_through_all_ops(values);
  CHECK(dtype_of<Eigen::bfloat16> == bf16);
}

TEST_CASE("elements: f32 and f64 keep signalling NaNs, their payloads, and -0.0") {
  std::vector<float> singles = fifteen<float>([](int k) { return static_cast<float>(k); });
  singles[0] = std::bit_cast<float>(0x7f800123u);
  singles[7] = -0.0f;
  expect_through_all_ops(singles);
  std::vector<double> doubles = fifteen<double>([](int k) { return static_cast<double>(k); });
  doubles[0] = std::bit_cast<double>(0xfff0000000000123u);
  doubles[7] = -0.0;
  expect_through_all_ops(doubles);
}

TEST_CASE("elements: complex numbers move whole") {
  expect_through_all_ops(fifteen<std::complex<float>>(
      [](int k) { return std::complex<float>(static_cast<float>(k), -0.0f); }));
  expect_through_all_ops(
      fifteen<std::complex<double>>([](int k) { return std::complex<double>(-0.0, k); }));
}

TEST_CASE("elements: structs of 3, 12 and 24 bytes move whole") {
  CHECK(dtype_of<Rgb> == opaque(3));
  CHECK(dtype_of<Rgb>.name() == "struct of 3 bytes");
  expect_through_all_ops(fifteen<Rgb>([](int k) {
    const auto byte = static_cast<std::uint8_t>(k);
    return Rgb{byte, static_cast<std::uint8_t>(k + 100), static_cast<std::uint8_t>(255 - k)};
  }));
  expect_through_all_ops(fifteen<Point>([](int k) {
    return Point{static_cast<float>(k), -0.0f, std::bit_cast<float>(0x7f800123u)};
  }));
  expect_through_all_ops(fifteen<Sample>([](int k) {
    return Sample{std::bit_cast<double>(0x7ff0000000000123u), k, 7u, static_cast<unsigned>(-k)};
  }));
}

TEST_CASE("elements: structs of unlike sizes are unlike types") {
  const Tensor x = full<Rgb>({4}, {1, 2, 3});
  refuses<DtypeError>(
      "dtype_mismatch",
      "slice_scatter: updates are struct of 12 bytes, expected struct of 3 bytes as data", [&] {
        x.slice_scatter(full<Point>({1}, {1, 2, 3}), {0}, {1});
      });
}

TEST_CASE("elements: every type moves through all ops, byte for byte") {
  moves_any_element({3, 5}, all_ops);
}
