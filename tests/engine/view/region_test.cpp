// SPDX-License-Identifier: Apache-2.0
// eval_region: a window of a result, and no more.
#include <chrono>

#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("eval_region: has the elements of the slice and leaves the tensor lazy") {
  const Tensor x = iota<int>({6, 8});
  const Tensor y = x.roll({1, 2}, {0, 1}).transpose().tile({2, 3});
  const Tensor window = eval_region(y, {3, 5}, {9, 4});
  CHECK(window.is_stored());
  CHECK_FALSE(y.is_stored());
  expect_same(window, y.slice({3, 5}, {12, 9}));
  expect<int>(eval_region(x, {5, 7}, {1, 1}), {1, 1}, {47});
  expect<int>(eval_region(x, {6, 0}, {0, 8}), {0, 8}, {});
  expect<int>(eval_region(scalar(3).reshape({}), Ints(), Ints()), {}, {3});
}

TEST_CASE("eval_region: reads a picture that no memory holds") {
  const std::int64_t n = 1000000;
  const Tensor picture =
      iota<int>({1000, 1000}).tile({1000, 1000}).roll({123457, -765432}, {0, 1}).transpose();
  Random random(5);
  for (int i = 0; i < 50; ++i) {
    const std::int64_t row = random.in(0, n - 100), column = random.in(0, n - 100);
    const Tensor window = eval_region(picture, {row, column}, {100, 100}, {.memory_limit = 40000});
    for (const std::int64_t k : {0, 99, 5050, 9900, 9999}) {
      // transposed, then rolled back
      const std::int64_t y = (column + k % 100 - 123457 + n) % n, x = (row + k / 100 + 765432) % n;
      CHECK(window.data<int>()[k] == (y % 1000) * 1000 + x % 1000);
    }
  }
}

TEST_CASE("eval_region: stores no more on the way than the window needs") {
  // The reshape of a roll cuts across it, so that what is below is stored: the part that is asked.
  const Tensor x = full<int>({1 << 20, 1000}, 7).tile({1, 4}).roll(3, 1);
  const Tensor y = x.reshape({1000, 1 << 20, 4}).transpose({0, 2, 1});
  const Tensor window = eval_region(y, {500, 1, 1000}, {1, 2, 64}, {.memory_limit = 1 << 20});
  CHECK(window.data<int>()[127] == 7);
}

TEST_CASE("eval_region: refuses a window that is not inside") {
  const Tensor x = iota<int>({3, 4});
  refuses<ParameterError>("length_mismatch",
                          "eval_region: start has 1 entries, expected 2, one for each axis of "
                          "shape [3, 4]",
                          [&] {
                            eval_region(x, {0}, {1, 1});
                          });
  refuses<ParameterError>("bad_rank", "eval_region: shape has rank 0, expected a list (rank 1)",
                          [&] {
                            eval_region(x, {0, 0}, 1);
                          });
  refuses<ShapeError>("shape_mismatch",
                      "eval_region: a window of 3 from 2 on axis 1 is not inside shape [3, 4]",
                      [&] {
                        eval_region(x, {0, 2}, {1, 3});
                      });
  refuses<ShapeError>("shape_mismatch",
                      "eval_region: a window of 1 from -1 on axis 0 is not inside shape [3, 4]",
                      [&] {
                        eval_region(x, {-1, 2}, {1, 1});
                      });
  CHECK_THROWS_AS(eval_region(x, {lowest, 0}, {highest, 1}), ShapeError);
  CHECK_THROWS_AS(eval_region(x, {highest, 0}, {highest, 1}), ShapeError);
}
