// SPDX-License-Identifier: Apache-2.0
// Evaluating with a kept plan on two threads and on one, in turn.
#include "threads.h"

#include <algorithm>
#include <fmt/format.h>

#include "measure.h"
#include "tasks.h"

namespace weft::bench {
namespace {

constexpr std::int64_t least_bytes = 64 * 1024;
constexpr double slower = 1.05;

class TwoBesideOne {
 public:
  explicit TwoBesideOne(const Workload& workload)
      : inputs_(workload.inputs()),
        bytes_(workload.build(inputs_).bytes()),
        out_(allocate(bytes_)),
        one_(timed(workload.build(inputs_), 1)),
        two_(timed(workload.build(inputs_), 2)) {}

  double ratio(int rounds) const {
    const int calls = std::max(one_.calls(), two_.calls());
    Pairs pairs;
    for (int k = 0; k < rounds; ++k) {
      pairs.copy.push_back(one_.sample(calls));
      pairs.work.push_back(two_.sample(calls));
    }
    return pairs.summary().ratio;
  }

 private:
  Timed timed(const Tensor& y, int threads) const {
    return Timed(
        [=, out = out_, bytes = bytes_] { eval_into(y, out.get(), bytes, {.threads = threads}); });
  }

  Inputs inputs_;
  const std::int64_t bytes_;
  const std::shared_ptr<std::byte> out_;
  const Timed one_, two_;
};

}  // namespace

bool compare_threads(int rounds) {
  std::vector<double> ratios;
  std::size_t found = 0;
  for (const Workload& workload : workloads()) {
    // Of those that are handed on one evaluation has what the one before gave up.
    if (workload.manner == Manner::handed_on) continue;
    Inputs inputs = workload.inputs();
    if (workload.build(inputs).bytes() < least_bytes) continue;
    const TwoBesideOne compared(workload);
    double ratio = compared.ratio(rounds);
    if (ratio > slower) ratio = compared.ratio(rounds);
    ratios.push_back(ratio);
    if (ratio <= slower) continue;
    ++found;
    fmt::print("{}: two threads take {:.2f} of one ({})\n", workload.id, ratio, workload.what);
  }
  fmt::print(
      "{} workloads from 64 KiB up, two threads over one: median {:.2f}, worst {:.2f}; above "
      "{} {}\n",
      ratios.size(), quantile(ratios, 0.5), quantile(ratios, 1), slower, found);
  return found == 0;
}

}  // namespace weft::bench
