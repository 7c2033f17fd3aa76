// SPDX-License-Identifier: Apache-2.0
// Gradients where values are zero, constants of programs, complex numbers, and many small addends.
#include <cmath>
#include <doctest/doctest.h>
#include <vector>

#include <weft/weft.h>

using namespace weft;

namespace {

Tensor two_slices(const Tensor& x, const Tensor& u) {
  return x.slice_scatter(u, {0}, {1}) + x.slice_scatter(u, {2}, {3});
}

std::vector<float> floats(const Tensor& x) { return x.to_vector<float>(); }

}  // namespace

TEST_CASE(
    "gradients: a cotangent that is zero in the first run of a program may be any in the next") {
  const Program program(
      {placeholder(f32, {4}, "x"), placeholder(f32, {1}, "u"), placeholder(f32, {}, "b")},
      [](const Tensor& x, const Tensor& u, const Tensor& b) {
        return vjp(two_slices(x, u), x, b.broadcast_to({4}));
      });
  const Tensor x = iota<float>({4}), u = ones({1});
  CHECK(floats(program(x, u, scalar(0.f))[0]) == std::vector<float>{0, 0, 0, 0});
  CHECK(floats(program(x, u, scalar(5.f))[0]) == std::vector<float>{5, 10, 5, 10});
}

TEST_CASE("gradients: by a cotangent that is made of zeros") {
  const Tensor x = iota<float>({4}), u = ones({1}), c = zeros({4});
  const Tensor twice = vjp(vjp(two_slices(x, u), x, c), c, ones({4}));
  CHECK(floats(twice) == std::vector<float>{1, 2, 1, 2});
  const Tensor b = zeros({1}).add(0.f).eval();
  const Tensor by_b = vjp(vjp(two_slices(x, u), x, b.broadcast_to({4})), b, ones({4}));
  CHECK(floats(by_b) == std::vector<float>{6});
}

TEST_CASE("gradients: in programs, through rows that are taken by any index") {
  const auto taken = [](const auto& index) {
    return Program({placeholder(f32, {-1}, "x")},
                   [&](const Tensor& x) { return grad(x.take(index, 0).square().sum(), x); });
  };
  CHECK(floats(taken(Ints({0, 2}))(iota<float>({3}, 1.f))[0]) == std::vector<float>{2, 0, 6});
  const Program given({placeholder(f32, {-1}, "x"), placeholder(i64, {-1}, "index")},
                      [](const Tensor& x, const Tensor& index) {
                        return grad(x.take(index + 0, 0).square().sum(), x);
                      });
  const Program plain({placeholder(f32, {-1}, "x"), placeholder(i32, {-1, -1}, "index")},
                      [](const Tensor& x, const Tensor& index) {
                        return grad(x.take(index, 0).square().sum(), x);
                      });
  const Program tuples({placeholder(f32, {3}, "x"), placeholder(i32, {-1, 1}, "index")},
                       [](const Tensor& x, const Tensor& index) {
                         return grad(gather_nd(x, index).square().sum(), x);
                       });
  const Tensor x = iota<float>({3}, 1.f);
  CHECK(floats(given(x, array<std::int64_t>({0, 2}))[0]) == std::vector<float>{2, 0, 6});
  CHECK(floats(given(x, array<std::int64_t>({1, 1}))[0]) == std::vector<float>{0, 8, 0});
  for (const Program* program : {&plain, &tuples}) {
    CHECK(floats((*program)(x, array<std::int32_t>({{0}, {2}}))[0]) == std::vector<float>{2, 0, 6});
    CHECK(floats((*program)(x, array<std::int32_t>({{1}, {1}}))[0]) == std::vector<float>{0, 8, 0});
  }
}

TEST_CASE("gradients: in programs, with constants that are made of something") {
  const Program program({placeholder(f32, {3}, "x")}, [](const Tensor& x) {
    return grad((x * full({3}, 2.f) + ones({1}).expand_dims(0).reshape({1})).sum(), x);
  });
  CHECK(floats(program(iota<float>({3}))[0]) == std::vector<float>{2, 2, 2});
}

TEST_CASE("gradients: complex numbers and bytes seen as others are refused by name") {
  const Tensor x = iota<float>({4}, 1.f);
  const auto refuses = [&](const Tensor& y) {
    CHECK_THROWS_AS(static_cast<void>(grad(y.sum(), x)), ParameterError);
  };
  refuses(x.astype(c64).abs());
  const Tensor z = x.astype(c64);
  refuses((z * z).real());
  refuses(x.view_as(i32).view_as(f32));
  refuses(x.view_as(i32).roll(1, 0).view_as(f32));
  // Integers that are computed are constants.
  CHECK(floats(grad((x.astype(i32).astype(f32) * x).sum(), x)) == std::vector<float>{1, 2, 3, 4});
}

TEST_CASE("gradients: what stop_gradient made may have its value") {
  const Tensor w = iota<float>({3}, 1.f);
  const Tensor d = stop_gradient(w * 2.f);
  d.eval();
  CHECK(floats(grad((d * w).sum(), w)) == std::vector<float>{2, 4, 6});
}

TEST_CASE("gradients: many elements of bf16 and f16 are added up in f32") {
  const Tensor none = zeros({1000}, i64);
  const auto one = [](const Tensor& x) { return floats(x.astype(f32))[0]; };
  for (const DType type : {bf16, f16}) {
    const Tensor x = ones({1}, type);
    CHECK(one(grad(x.take(none, 0).astype(f32).sum(), x)) == 1000);
    CHECK(one(grad(x.gather_elements(none, 0).astype(f32).sum(), x)) == 1000);
    CHECK(one(grad(gather_nd(x, none.expand_dims(1)).astype(f32).sum(), x)) == 1000);
    const Tensor updates = zeros({1000}, type), data = zeros({1}, type);
    const Tensor share =
        grad(data.index_put(none, updates, 0, "maximum").astype(f32).sum(), updates);
    CHECK(floats(share.astype(f32).sum())[0] <= 1.01f);
  }
}

TEST_CASE("gradients: a NaN that no index touches is its own maximum") {
  const Tensor x = array<float>({std::nanf(""), 2});
  const Tensor y = x.index_put(array<std::int64_t>({1}), array<float>({3}), 0, "maximum");
  CHECK(floats(grad(y.sum(), x)) == std::vector<float>{1, 0});
}
