// SPDX-License-Identifier: Apache-2.0
// Ordering tasks.
#include <weft/engine/run/task_order.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace weft {
namespace {

/// Where the steps of a task start to read, each by as much as it reads: as a part of what was
/// made.
struct Place {
  double weighted = 0, bytes = 0;

  void add(const Step& step, const Plan& plan) {
    const auto read =
        static_cast<double>(step.bound.traffic().read) / static_cast<double>(step.bound.sources);
    step.for_each_source([&](std::size_t s, std::int64_t start) {
      if (s == Step::own_output) return;
      const PlanSource& source = plan.sources[s];
      if (source.pass == PlanSource::stored) return;
      weighted += read * static_cast<double>(start) / static_cast<double>(source.bytes());
      bytes += read;
    });
  }
  double mean() const { return bytes > 0 ? weighted / bytes : 0; }
};

/// How far apart the halves of tasks read: 1 where each reads a half, 0 where both read all.
double distance_of_halves(const std::vector<double>& places,
                          const std::vector<std::size_t>& order) {
  const std::size_t half = order.size() / 2;
  double first = 0, second = 0;
  for (std::size_t k = 0; k < order.size(); ++k) (k < half ? first : second) += places[order[k]];
  const double distance =
      second / static_cast<double>(order.size() - half) - first / static_cast<double>(half);
  return std::clamp(2 * distance, 0.0, 1.0);
}

}  // namespace

double order_tasks(PassSteps& steps, const Plan& plan) {
  // Stretches that are put together aside are told by their number, and taken one by one.
  if (steps.ends.size() < 2 || steps.manner == PassSteps::Manner::aside) return 0;
  std::vector<double> places(steps.ends.size());
  double bytes = 0;
  for (std::size_t t = 0; t < places.size(); ++t) {
    Place place;
    for_each_step_of_task(steps, static_cast<std::int64_t>(t),
                          [&](const Step& step) { place.add(step, plan); });
    places[t] = place.mean();
    bytes += place.bytes;
  }
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
  const double strange = bytes / 2 * (1 - distance_of_halves(places, order));
  if (std::is_sorted(order.begin(), order.end())) return strange;
  std::vector<Step> ordered;
  std::vector<std::size_t> ends;
  ordered.reserve(steps.steps.size());
  for (const std::size_t t : order) {
    for (std::size_t k = t == 0 ? 0 : steps.ends[t - 1]; k < steps.ends[t]; ++k)
      ordered.push_back(std::move(steps.steps[k]));
    ends.push_back(ordered.size());
  }
  steps.steps = std::move(ordered);
  steps.ends = std::move(ends);
  return strange;
}

}  // namespace weft
