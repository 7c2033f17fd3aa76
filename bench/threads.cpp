// SPDX-License-Identifier: Apache-2.0
// Evaluating with a kept plan on two threads and on one, in turn.
#include "threads.h"

#include <algorithm>
#include <fmt/format.h>

#include "measure.h"
#include "one_core_each.h"
#include "tasks.h"

namespace weft::bench {
namespace {

constexpr std::int64_t least_bytes = 64 * 1024;
constexpr double slower = 1.05;

double ratio(const Timed& work, const Timed& beside, int rounds) {
  const int calls = std::max(work.calls(), beside.calls());
  Pairs pairs;
  for (int k = 0; k < rounds; ++k) {
    pairs.copy.push_back(beside.sample(calls));
    pairs.work.push_back(work.sample(calls));
  }
  return pairs.summary().ratio;
}

}  // namespace

bool compare_threads(int rounds) {
  const OneCoreEach bound;
  std::vector<double> ratios;
  std::size_t found = 0;
  for (const Workload& workload : workloads()) {
    // Of those that are handed on one evaluation has what the one before gave up.
    if (workload.manner == Manner::handed_on) continue;
    Inputs inputs = workload.inputs();
    const Tensor y = workload.build(inputs);
    if (y.bytes() < least_bytes) continue;
    const std::shared_ptr<std::byte> out = allocate(y.bytes());
    const auto on = [&](int threads) {
      return Timed([y, threads, out] { eval_into(y, out.get(), y.bytes(), {.threads = threads}); });
    };
    const Timed one = on(1), two = on(2);
    double taken = ratio(two, one, rounds);
    if (taken > slower) taken = ratio(two, one, rounds);
    ratios.push_back(taken);
    if (taken <= slower) continue;
    ++found;
    fmt::print("{}: two threads take {:.2f} of one ({})\n", workload.id, taken, workload.what);
  }
  fmt::print(
      "{} workloads from 64 KiB up, two threads over one: median {:.2f}, worst {:.2f}; above "
      "{} {}\n",
      ratios.size(), quantile(ratios, 0.5), quantile(ratios, 1), slower, found);
  return found == 0;
}

}  // namespace weft::bench
