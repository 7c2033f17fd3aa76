// SPDX-License-Identifier: Apache-2.0
// Adding up what kernels say of one run.
#include <weft/engine/run/traffic.h>

#include <algorithm>

namespace weft {
namespace {

void add(const Traffic& more, Traffic& to) {
  to.read += more.read;
  to.written += more.written;
}

template <class Visit>
void for_each_step(const ExecutablePass& pass, const Visit& visit) {
  for_each_step(pass.steps, visit);
  if (pass.moved) for_each_step(pass.moved->steps, visit);
}

std::int64_t runs_of(const Bound& bound) {
  std::int64_t runs = 1;
  for (const NestLoop& loop : bound.around) runs *= loop.extent;
  return runs;
}

}  // namespace

std::vector<KernelCount> kernel_counts_of(const Executable& executable) {
  std::vector<KernelCount> counts;
  const auto count = [&](const Step& step) {
    auto same = std::find_if(counts.begin(), counts.end(), [&](const KernelCount& each) {
      return each.name == step.bound.name();
    });
    if (same == counts.end()) same = counts.insert(same, {step.bound.name()});
    same->calls += runs_of(step.bound);
    add(step.bound.traffic(), same->traffic);
  };
  for (const ExecutablePass& pass : executable.passes())
    if (pass.is_needed) for_each_step(pass, count);
  std::sort(counts.begin(), counts.end(),
            [](const KernelCount& a, const KernelCount& b) { return a.name < b.name; });
  return counts;
}

Traffic traffic_of(const Executable& executable, std::size_t p) {
  const Plan& plan = executable.plan;
  Traffic all;
  for_each_step(executable.passes()[p], [&](const Step& step) { add(step.bound.traffic(), all); });
  if (!plan.passes[p].computation) return all;
  for (const std::size_t operand : plan.passes[p].operands)
    all.read += plan.sources[operand].bytes();
  all.written += executable.passes()[p].bytes;
  return all;
}

Traffic traffic_of(const Executable& executable) {
  Traffic all;
  for (std::size_t p = 0; p < executable.passes().size(); ++p) add(traffic_of(executable, p), all);
  return all;
}

}  // namespace weft
