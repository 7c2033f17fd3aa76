// SPDX-License-Identifier: Apache-2.0
// Counting what kernels read and write.
#include <weft/engine/run/traffic.h>

namespace weft {
namespace {

Traffic traffic_of(const Copy& copy, const Lowered& lowered, std::int64_t element) {
  const std::int64_t bytes = copy.count() * element;
  if (lowered.name == "fill") return {bytes / lowered.tile.inner.extent, bytes};
  return {bytes, bytes};
}

}  // namespace

Traffic traffic_of(const Step& step, std::int64_t element) {
  if (step.lowered.weave || step.piece.is_group) {
    const std::int64_t bytes = step.piece.count() * element;
    return {bytes, bytes};
  }
  Traffic all = traffic_of(step.piece.copy, step.lowered.copy, element);
  if (step.lowered.beside) all += traffic_of(*step.piece.beside, *step.lowered.beside, element);
  return all;
}

Traffic traffic_of(const PassSteps& steps) {
  Traffic all;
  for_each_step(steps, [&](const Step& step) { all += traffic_of(step, steps.element); });
  return all;
}

Traffic traffic_of(const Executable& executable) {
  const Plan& plan = executable.plan;
  Traffic all;
  for (std::size_t p = 0; p < plan.passes.size(); ++p) {
    const ExecutablePass& pass = executable.passes()[p];
    if (plan.passes[p].computation) {
      all.written += pass.bytes;
      for (const std::size_t operand : plan.passes[p].operands)
        all.read += plan.sources[operand].bytes();
      continue;
    }
    all += traffic_of(pass.steps);
    if (pass.moved) all += traffic_of(pass.moved->steps);
  }
  return all;
}

}  // namespace weft
