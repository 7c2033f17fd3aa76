// SPDX-License-Identifier: Apache-2.0
// Turning passes round, and finding those of results.
#include <weft/graph/plan/run_order.h>

#include <algorithm>

namespace weft {

void Outputs::renumber(const std::vector<std::size_t>& number) {
  for (Output& output : all_) output.pass = number[output.pass];
}

void Outputs::reverse(Plan& plan) {
  const std::size_t last = plan.passes.size() - 1;
  std::reverse(plan.passes.begin(), plan.passes.end());
  for (PlanSource& source : plan.sources)
    if (source.pass != PlanSource::stored) source.pass = last - source.pass;
  for (Output& output : all_) output.pass = last - output.pass;
}

void Outputs::tell(const SmallVector<std::size_t, 2>& vertices, Plan& plan) {
  std::sort(all_.begin(), all_.end(),
            [](const Output& a, const Output& b) { return a.vertex < b.vertex; });
  for (const std::size_t vertex : vertices) {
    const auto made = std::lower_bound(
        all_.begin(), all_.end(), vertex,
        [](const Output& output, std::size_t other) { return output.vertex < other; });
    plan.outputs.push_back({made->pass});
  }
}

}  // namespace weft
