// SPDX-License-Identifier: Apache-2.0
// weft_count NAME N: does NAME (W13, W13.p, W13.run, W7.in, W7.in.p, plan.64; six, six.built,
// six.p) N times and nothing else, for instruction counters.
#include <cstdio>
#include <cstdlib>
#include <string>

#include <weft/graph/plan/plan.h>

#include "workload.h"

using namespace weft;
using namespace weft::bench;

namespace {

/// Six elementwise ops on [2, 3, 4]: planned anew, built, or kept.
void repeat_six(const std::string& name, int times) {
  const Tensor x = iota<float>({2, 3, 4}).eval(), y = (x + 1).eval(), z = iota<float>({4}).eval();
  const auto six = [&] { return (((x + y) * z + y) * x + z) * y; };
  const Tensor kept = six();
  std::vector<std::byte> out(static_cast<std::size_t>(kept.bytes()));
  for (int i = 0; i < times; ++i) {
    if (name == "six.p") eval_into(kept, out.data(), kept.bytes());
    else if (name == "six") eval_into(six(), out.data(), kept.bytes());
    else static_cast<void>(six());
  }
}

void repeat(const std::string& name, int times) {
  const Workload workload = bench::workload(name == "plan.64" ? "W10.64" : name);
  Inputs in = workload.inputs();
  if (workload.ours) {
    const bool is_handed_on = workload.manner == Manner::handed_on;
    std::vector<std::byte> out(is_handed_on ? 0
                                            : static_cast<std::size_t>(workload.build(in).bytes()));
    in[0] = in[0].eval();
    const std::function<void()> ours = workload.ours(in, out.data());
    for (int i = 0; i < times; ++i) ours();
    return;
  }
  if (workload.manner == Manner::handed_on) {
    in[0] = in[0].eval();
    for (int i = 0; i < times; ++i) in[0] = workload.build(in).eval();
    return;
  }
  const Tensor built = workload.build(in);
  std::vector<std::byte> out(name == "W13.p" ? static_cast<std::size_t>(built.bytes()) : 0);
  for (int i = 0; i < times; ++i) {
    if (name == "plan.64") make_plan(built.node_ptr());
    else if (name == "W13.p") eval_into(built, out.data(), built.bytes());
    else workload.build(in).eval();
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) throw std::invalid_argument("usage: weft_count NAME N");
  const std::string name = argv[1];
  const int times = std::atoi(argv[2]);
  if (name.starts_with("six")) repeat_six(name, times);
  else repeat(name, times);
} catch (const std::exception& error) {
  std::fprintf(stderr, "weft_count: %s\n", error.what());
  return 2;
}
