// SPDX-License-Identifier: Apache-2.0
// matmul.
#include <cstring>

#include <weft/engine/kernels/instruction_set.h>

#include "ops/expect.h"
#include "ops/product/matrices.h"
#include "support/values.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Bytes of a value that is made on so many threads.
std::vector<std::byte> bytes_with(const Tensor& x, int threads) {
  std::vector<std::byte> out(static_cast<std::size_t>(x.bytes()));
  EvalOptions options;
  options.threads = threads;
  eval_into(x, out.data(), static_cast<std::int64_t>(out.size()), options);
  return out;
}

template <class T>
void check_drawn(std::uint64_t seed, std::int64_t most) {
  CAPTURE(seed);
  Random random(seed);
  const auto extent = [&] { return random.one_in(3) ? 1 : random.in(1, most); };
  const std::int64_t batch = random.one_in(2) ? 1 : random.in(1, 5);
  const std::int64_t rows = extent(), inner = extent(), columns = extent();
  const bool has_batch = batch > 1 || random.one_in(2);
  const auto shape = [&](std::int64_t a, std::int64_t b) {
    return has_batch ? Shape{batch, a, b} : Shape{a, b};
  };
  const Tensor x = somehow_lying<T>(random, shape(rows, inner));
  const Tensor y = somehow_lying<T>(random, shape(inner, columns));
  const Tensor made = matmul(x, y);
  CHECK(made.dtype() == dtype_of<T>);
  CHECK(made.shape() == shape(rows, columns));
  check_matrices<T>(made, x, y, batch, rows, inner, columns);
}

TEST_CASE("matmul: of every type, of operands that lie in any way") {
  for_each_type<IntegerTypes>([]<class T>(T) {
    for (std::uint64_t seed = 100; seed < 130; ++seed) check_drawn<T>(seed, 40);
  });
  for_each_type<FloatTypes>([]<class T>(T) {
    for (std::uint64_t seed = 200; seed < 260; ++seed) check_drawn<T>(seed, 70);
  });
}

TEST_CASE("matmul: of matrices that are cut into tiles and slabs") {
  for_each_type<std::tuple<float, double, std::int32_t, std::int64_t>>([]<class T>(T) {
    for (std::uint64_t seed = 300; seed < 303; ++seed) check_drawn<T>(seed, 600);
  });
  Random random(310);
  for (const auto& [rows, inner, columns] :
       std::vector<std::array<std::int64_t, 3>>{{1, 3000, 700},
                                                {900, 2500, 1},
                                                {3, 100000, 2},
                                                {1000, 2, 1000},
                                                {257, 193, 481},
                                                {1, 1, 1},
                                                {2, 1, 2},
                                                {1, 5000, 1}}) {
    CAPTURE(rows);
    const Tensor x = random_values<float>(random, {rows, inner}),
                 y = random_values<float>(random, {inner, columns});
    check_matrices<float>(matmul(x, y), x, y, 1, rows, inner, columns);
    check_matrices<float>(matmul(x, y.transpose().eval().transpose()), x, y, 1, rows, inner,
                          columns);
    check_matrices<float>(matmul(x.transpose().eval().transpose(), y), x, y, 1, rows, inner,
                          columns);
  }
}

TEST_CASE("matmul: vectors are a row on the left, a column on the right") {
  Random random(400);
  const Tensor x = random_values<float>(random, {7}), y = random_values<float>(random, {7, 5}),
               z = random_values<float>(random, {2, 3, 7});
  CHECK(matmul(x, y).shape() == Shape{5});
  check_matrices<float>(matmul(x, y), x, y, 1, 1, 7, 5);
  CHECK(matmul(z, x).shape() == Shape{2, 3});
  check_matrices<float>(matmul(z, x), z, x, 1, 6, 7, 1);
  CHECK(matmul(x, x).shape() == Shape{});
  check_matrices<float>(matmul(x, x), x, x, 1, 1, 7, 1);
  const Tensor many = random_values<float>(random, {2, 7, 5});
  CHECK(x.matmul(many).shape() == Shape{2, 5});
  check_matrices<float>(x.matmul(many), x.broadcast_to({2, 7}), many, 2, 1, 7, 5);
}

TEST_CASE("matmul: the other axes are broadcast") {
  Random random(500);
  const Tensor x = random_values<double>(random, {2, 1, 4, 3}),
               y = random_values<double>(random, {5, 3, 6});
  const Tensor made = matmul(x, y);
  CHECK(made.shape() == Shape{2, 5, 4, 6});
  check_matrices<double>(made, x.broadcast_to({2, 5, 4, 3}), y.broadcast_to({2, 5, 3, 6}), 10, 4, 3,
                         6);
  const Tensor one = random_values<double>(random, {3, 6});
  check_matrices<double>(matmul(x, one), x, one.broadcast_to({2, 3, 6}), 2, 4, 3, 6);
}

TEST_CASE("matmul: of nothing") {
  CHECK(values_of(matmul(full<int>({2, 0}, 1), full<int>({0, 3}, 1))) ==
        std::vector<int>{0, 0, 0, 0, 0, 0});
  CHECK(matmul(full<float>({0, 4}, 1), full<float>({4, 3}, 1)).shape() == Shape{0, 3});
  CHECK(matmul(full<float>({0, 2, 4}, 1), full<float>({4, 3}, 1)).eval().shape() == Shape{0, 2, 3});
}

TEST_CASE("matmul: types that meet") {
  CHECK(matmul(full<std::int8_t>({2, 2}, 1), full<std::uint8_t>({2, 2}, 1)).dtype() == i16);
  CHECK(matmul(full<float>({2, 2}, 1), full<double>({2, 2}, 1)).dtype() == f64);
}

TEST_CASE("matmul: refuses with what is wrong") {
  const Tensor x = full<float>({3, 4}, 1);
  refuses<ShapeError>("shape_mismatch", "matmul: 4 columns meet 5 rows ([3, 4] and [5, 6])", [&] {
    return matmul(x, full<float>({5, 6}, 1));
  });
  refuses<ShapeError>("shape_mismatch", "matmul: 4 elements meet 5 elements ([4] and [5])",
                      [&] { return matmul(full<float>({4}, 1), full<float>({5}, 1)); });
  refuses<ShapeError>("shape_mismatch", "matmul: shapes [2], [3] do not broadcast to one", [&] {
    return matmul(full<float>({2, 3, 4}, 1), full<float>({3, 4, 3}, 1));
  });
  refuses<ParameterError>(
      "bad_rank", "matmul: y has rank 0, expected at least 1: multiply() takes single elements",
      [&] { return matmul(x, full<float>(Shape{}, 1)); });
  refuses<DtypeError>("dtype_mismatch",
                      "matmul: bool, expected an integer or a floating-point type: cast it "
                      "(x.astype(u8))",
                      [&] {
                        return matmul(full<bool>({2, 2}, true), x);
                      });
  refuses<DtypeError>("dtype_mismatch",
                      "matmul: i32 and f32, expected one kind: cast one of them (x.astype(f32))",
                      [&] {
                        return matmul(full<int>({4, 2}, 1), x);
                      });
}

TEST_CASE("matmul: the same bits for any number of threads") {
  Random random(600);
  for (const auto& [shape, other] :
       std::vector<std::pair<Shape, Shape>>{{{700, 900}, {900, 500}},
                                            {{40, 60, 50}, {40, 50, 70}},
                                            {{3000, 2000}, {2000}},
                                            {{5, 200000}, {200000, 3}},
                                            {{3, 300, 300}, {3, 300, 300}},
                                            {{2000}, {2000, 3000}}}) {
    const Tensor x = random_values<float>(random, shape), y = random_values<float>(random, other);
    const auto made = [&](int threads) { return bytes_with(matmul(x, y), threads); };
    const std::vector<std::byte> one = made(1);
    for (const int threads : {2, 3, 8, 16}) CHECK(made(threads) == one);
  }
}

TEST_CASE("matmul: on each instruction set") {
  on_every_target([] {
    for (std::uint64_t seed = 700; seed < 715; ++seed) {
      check_drawn<float>(seed, 200);
      check_drawn<double>(seed, 200);
      check_drawn<std::int32_t>(seed, 200);
      check_drawn<std::int64_t>(seed, 60);
    }
  });
}

TEST_CASE("matmul: what surrounds it fuses") {
  Random random(800);
  const Tensor x = random_values<float>(random, {30, 40}),
               y = random_values<float>(random, {20, 40});
  const Tensor made = matmul(x.roll(3, 0) * 2, y.transpose()).flip(0) + 1;
  const Tensor left = (x.roll(3, 0) * 2).eval();
  check_matrices<float>((made - 1).eval().flip(0), left, y.transpose(), 1, 30, 40, 20);
}

}  // namespace
