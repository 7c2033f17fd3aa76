// SPDX-License-Identifier: Apache-2.0
// weft_count NAME N: does NAME (W13, W13.p, W13.run, W7.in, W7.in.p, plan.64; six, six.built,
// six.p) once, and N times more within weft_counted, for instruction counters; on one thread, so
// that it takes as many each time.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <tbb/global_control.h>

#include <weft/graph/plan/plan.h>

#include "workload.h"

using namespace weft;
using namespace weft::bench;

extern "C" {
/// Instruction counters know it by its name.
[[gnu::noinline]] void weft_counted(const std::function<void()>& call, int times) {
  for (int i = 0; i < times; ++i) call();
}
}

namespace {

/// Counted after a first call: what is found out once a process, and allocated once, is not in it.
void count(const std::function<void()>& call, int times) {
  call();
  weft_counted(call, times);
}

/// Six elementwise ops on [2, 3, 4]: built and evaluated, built, or kept.
void count_six(const std::string& name, int times) {
  const Tensor x = iota<float>({2, 3, 4}).eval(), y = (x + 1).eval(), z = iota<float>({4}).eval();
  const auto six = [&] { return (((x + y) * z + y) * x + z) * y; };
  const Tensor kept = six();
  std::vector<std::byte> out(static_cast<std::size_t>(kept.bytes()));
  const auto call = [&] {
    if (name == "six.p") eval_into(kept, out.data(), kept.bytes());
    else if (name == "six") eval_into(six(), out.data(), kept.bytes());
    else static_cast<void>(six());
  };
  count(call, times);
}

void count_workload(const std::string& name, int times) {
  const Workload workload = bench::workload(name == "plan.64" ? "W10.64" : name);
  Inputs in = workload.inputs();
  const bool is_handed_on = workload.manner == Manner::handed_on;
  if (workload.ours || is_handed_on) in[0] = in[0].eval();
  if (workload.ours) {
    std::vector<std::byte> out(is_handed_on ? 0
                                            : static_cast<std::size_t>(workload.build(in).bytes()));
    return count(workload.ours(in, out.data()), times);
  }
  if (is_handed_on) return count([&] { in[0] = workload.build(in).eval(); }, times);
  const Tensor built = workload.build(in);
  std::vector<std::byte> out(name == "W13.p" ? static_cast<std::size_t>(built.bytes()) : 0);
  const auto call = [&] {
    if (name == "plan.64") make_plan(built.node_ptr());
    else if (name == "W13.p") eval_into(built, out.data(), built.bytes());
    else workload.build(in).eval();
  };
  count(call, times);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) throw std::invalid_argument("usage: weft_count NAME N");
  const std::string name = argv[1];
  const int times = std::atoi(argv[2]);
  const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  if (name.starts_with("six")) count_six(name, times);
  else count_workload(name, times);
} catch (const std::exception& error) {
  std::fprintf(stderr, "weft_count: %s\n", error.what());
  return 2;
}
