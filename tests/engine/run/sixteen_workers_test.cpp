// SPDX-License-Identifier: Apache-2.0
// The same bits by one thread and by as many workers as are asked for, more than there are cores.
#include <doctest/doctest.h>

#include <cstring>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <vector>

#include <weft/weft.h>

#include "support/random.h"

using namespace weft;
using weft::testing::Random;

namespace {

Tensor some_floats(std::uint64_t seed, const Shape& shape) {
  Random random(seed);
  std::vector<float> values(static_cast<std::size_t>(element_count(shape)));
  for (float& value : values) value = static_cast<float>(random.in(-100000, 100000)) * 1e-4f;
  return from_vector(std::move(values), shape);
}

std::vector<std::byte> bytes_with(const Tensor& x, int threads) {
  std::vector<std::byte> out(static_cast<std::size_t>(x.bytes()));
  EvalOptions options;
  options.threads = threads;
  eval_into(x, out.data(), x.bytes(), options);
  return out;
}

}  // namespace

TEST_CASE("reductions, rows and products: the same bits on 1, 2, 3, 8 and 16 workers") {
  const tbb::global_control more(tbb::global_control::max_allowed_parallelism, 17);
  const Tensor x = some_floats(1, {700, 1500}), y = some_floats(2, {1500, 300}),
               line = some_floats(3, {3, 900'000}), scale = some_floats(4, {1500});
  const auto all = [&] {
    return std::vector<Tensor>{x.sum(0),
                               x.sum(1),
                               x.roll({3, 5}, {0, 1}).transpose().mean(0),
                               (x * x).sum(),
                               line.sum(1),
                               line.cumulative_sum(1),
                               x.softmax(-1),
                               x.softmax(0),
                               x.layer_norm(scale, scale),
                               matmul(x, y),
                               matmul(y.transpose(), x.transpose()),
                               matmul(scale, y),
                               matmul(x, scale)};
  };
  std::vector<std::vector<std::byte>> expected;
  for (const Tensor& each : all()) expected.push_back(bytes_with(each, 1));
  for (const int workers : {2, 3, 8, 16}) {
    CAPTURE(workers);
    tbb::task_arena arena(workers);
    for (int round = 0; round < 3; ++round) {
      const std::vector<Tensor> made = all();
      for (std::size_t k = 0; k < made.size(); ++k) {
        CAPTURE(k);
        const auto own = arena.execute([&] { return bytes_with(made[k], workers); });
        CHECK(own == expected[k]);
      }
    }
  }
}
