// SPDX-License-Identifier: Apache-2.0
#include <weft/cli/command_bench.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include <weft/cli/pipeline_text.h>
#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/eval.h>
#include <weft/engine/run/workers.h>
#include <weft/engine/view/explain.h>

namespace weft {
namespace {

double milliseconds_of(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  work();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// A pipeline of one step each, of what the one before has made.
std::vector<std::string> steps_of(const std::string& pipeline) {
  const std::vector<PipelineCall> calls = parse_pipeline_text(pipeline);
  std::vector<std::string> steps;
  for (std::size_t k = 0; k < calls.size(); ++k) {
    const std::size_t end = k + 1 < calls.size() ? calls[k + 1].at : pipeline.size();
    std::string step = pipeline.substr(calls[k].at, end - calls[k].at);
    if (k + 1 < calls.size()) step.erase(step.rfind('|'));
    steps.push_back(std::move(step));
  }
  return steps;
}

void run_step_by_step(const std::vector<std::string>& steps, PipelineInputs inputs,
                      const EvalOptions& options) {
  for (const std::string& step : steps)
    inputs.insert_or_assign("_", parse_pipeline(step, inputs).eval(options));
}

struct Row {
  std::string name;
  std::function<void()> work;
  double first = 0;
  std::vector<double> times{};
};

double quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1) + 0.5)];
}

}  // namespace

std::string bench_text(const std::string& pipeline, const PipelineInputs& inputs, int rounds,
                       const EvalOptions& options, bool is_json, std::size_t* at) {
  const Tensor made = parse_pipeline(pipeline, inputs, at);
  const PlanSummary plan = plan_summary(made);
  const std::int64_t bytes = std::max({plan.read, plan.written, made.bytes()});
  const auto size = static_cast<std::size_t>(bytes);
  if (options.memory_limit != 0 && made.bytes() + 2 * bytes > options.memory_limit)
    throw MemoryError(fmt::format("bench: what is timed takes {} bytes, --memory allows {}",
                                  made.bytes() + 2 * bytes, options.memory_limit));
  const std::shared_ptr<std::byte> out = allocate(made.bytes()), from = allocate(bytes),
                                   to = allocate(bytes);
  std::memset(from.get(), 1, size);
  const std::vector<std::string> steps = steps_of(pipeline);
  std::vector<Row> rows;
  rows.push_back({"fused", [&] { eval_into(made, out.get(), made.bytes(), options); }});
  rows.push_back({"step by step", [&] { run_step_by_step(steps, inputs, options); }});
  rows.push_back(
      {"copy", [&] {
         run_parts(bytes, bytes, options.threads, [&](std::int64_t begin, std::int64_t end) {
           std::memcpy(to.get() + begin, from.get() + begin, static_cast<std::size_t>(end - begin));
         });
       }});
  for (Row& row : rows) row.first = milliseconds_of(row.work);
  for (int round = 0; round < rounds; ++round)
    for (Row& row : rows) row.times.push_back(milliseconds_of(row.work));

  std::string text =
      fmt::format("{} {}, {} bytes read, {} written, {} rounds\n{:<13}{:>12}{:>12}  {}\n",
                  made.dtype().name(), to_string(made.shape()), plan.read, plan.written, rounds, "",
                  "first, ms", "median, ms", "copies");
  nlohmann::ordered_json json{{"read", plan.read}, {"written", plan.written}, {"rounds", rounds}};
  for (const Row& row : rows) {
    std::vector<double> copies;
    for (std::size_t k = 0; k < row.times.size(); ++k)
      copies.push_back(row.times[k] / rows.back().times[k]);
    const double median = quantile(row.times, 0.5), ratio = quantile(copies, 0.5),
                 low = quantile(copies, 0.25), high = quantile(copies, 0.75);
    text += fmt::format("{:<13}{:>12.3f}{:>12.3f}  {:.2f} [{:.2f}, {:.2f}]\n", row.name, row.first,
                        median, ratio, low, high);
    json["rows"].push_back({{"name", row.name},
                            {"first_ms", row.first},
                            {"median_ms", median},
                            {"copies", ratio},
                            {"middle_half", {low, high}}});
  }
  return is_json ? json.dump(1) + "\n" : text;
}

}  // namespace weft
