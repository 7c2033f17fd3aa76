// SPDX-License-Identifier: Apache-2.0
// What explain says of kernels, beside what they count. The fuzzer does the same for many more.
#include <doctest/doctest.h>

#include <weft/engine/kernels/counters.h>
#include <weft/engine/run/executable.h>
#include <weft/engine/run/traffic.h>
#include <weft/weft.h>

#include "support/counted.h"
#include "support/random_graph.h"

using namespace weft;
using weft::testing::disagreement_of_counts;

namespace {

Traffic traffic(const Tensor& tensor) {
  Executable executable(make_plan(tensor.node_ptr()));
  executable.make_ready({OutputTarget::no_base});
  return traffic_of(executable);
}

}  // namespace

TEST_CASE("a fill reads its unit, a copy as much as it writes, a pair both of its sources") {
  CHECK(traffic(full<int>({64, 64}, 3).stored()) == Traffic{4, 64 * 64 * 4});
  const Tensor x = iota<int>({1000});
  CHECK(traffic(x.roll(1, 0)) == Traffic{4000, 4000});
  CHECK(traffic(x.slice_scatter(full<int>({500}, 0).roll(1, 0), {1}, {1000}, {2})).written == 4000);
}

TEST_CASE("kernels read and write what is said of them, in every manner a pass is run") {
  for (const std::int64_t rows : {10, 1024, 10240}) {
    const Tensor x = iota<int>({rows, 256});
    CHECK(disagreement_of_counts(x.transpose()) == "");
    CHECK(disagreement_of_counts(x.roll({1, 2}, {0, 1}).flip()) == "");
    const Tensor updates = full<int>({rows / 2, 128}, 7);
    CHECK(disagreement_of_counts(
              x.slice_scatter(updates, {0, 0}, {rows, 256}, {2, 2}).roll(7, 1)) == "");
    CHECK(disagreement_of_counts(x.take(iota<std::int64_t>({rows}).flip(), 0)) == "");
  }
}

TEST_CASE("what rows that are computed as one repeat is read once") {
  const Tensor x = iota<int>({577, 2}).transpose().reshape({1154, 1}), few = iota<int>({2});
  CHECK(disagreement_of_counts(x - few) == "");
  CHECK(traffic(x - few).read == 577 * 2 * 4 + 2 * 4);
}

TEST_CASE("kernels read and write what is said of them, in random expressions") {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    CAPTURE(seed);
    CHECK(disagreement_of_counts(build(weft::testing::random_recipe(seed), false)) == "");
  }
}
