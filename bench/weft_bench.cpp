// weft_bench: every workload checked, then timed against a copy; a table, and --json FILE. --also
// measures planning, depth, threads and fresh memory too.
#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "also.h"
#include "measure.h"
#include "support/reference.h"
#include "workloads.h"

namespace weft::bench {
namespace {

struct Result {
  std::string id, what;
  Pairs::Summary summary;
  std::int64_t peak_bytes;  // above inputs and output
};

/// Elements compared one by one; larger results at as many places spread over them.
constexpr std::int64_t compared_elements = std::int64_t{1} << 20;

/// The first place where the value differs from the reference, if any.
std::optional<std::int64_t> first_difference(const Tensor& tensor, const std::byte* value) {
  const std::int64_t size = tensor.dtype().size();
  const std::int64_t stride = std::max<std::int64_t>(1, tensor.size() / compared_elements);
  std::vector<std::byte> expected(static_cast<std::size_t>(size));
  for (std::int64_t i = 0; i < tensor.size() + stride - 1; i += stride) {
    const std::int64_t at = std::min(i, tensor.size() - 1);  // the last one too
    testing::reference_element(tensor, at, expected.data());
    if (std::memcmp(expected.data(), value + at * size, static_cast<std::size_t>(size)) != 0)
      return at;
  }
  return std::nullopt;
}

void run(benchmark::State& state, const Workload& workload,
         std::map<std::string, Result>& results) {
  const std::function<Tensor()> build = workload.prepare();
  const Tensor first = build();
  const std::int64_t bytes = first.bytes();
  const std::shared_ptr<std::byte> out = allocate(bytes);
  // A tiny workload is timed in batches that the clock can see.
  const int batch = bytes < 64 * 1024 ? 200 : workload.may_alias ? 20 : 1;
  const auto work = [&] {
    for (int i = 0; i < batch; ++i) {
      if (workload.may_alias) build().eval();
      else eval_into(build(), out.get(), bytes);
    }
  };
  if (workload.may_alias)
    std::memcpy(out.get(), build().eval().node().value().get(), static_cast<std::size_t>(bytes));
  else work();
  if (const auto place = first_difference(first, out.get())) {
    state.SkipWithError(fmt::format("{} is wrong at element {}", workload.id, *place).c_str());
    return;
  }
  const std::int64_t peak = peak_bytes_of(work);
  CopyBaseline copy(bytes);
  Pairs pairs;
  for (auto _ : state) {
    pairs.copy.push_back(copy.run());
    pairs.work.push_back(seconds_of(work) / batch);
    state.SetIterationTime(pairs.work.back());
  }
  const Pairs::Summary summary = pairs.summary();
  state.counters["ratio"] = summary.ratio;
  results[workload.id] = {workload.id, workload.what, summary, peak};
}

nlohmann::json as_json(const std::vector<Result>& results, const std::vector<Figure>& also) {
  nlohmann::json list = nlohmann::json::array();
  for (const Result& result : results)
    list.push_back({{"id", result.id},
                    {"ratio", result.summary.ratio},
                    {"ratio_min", result.summary.ratio_min},
                    {"ratio_max", result.summary.ratio_max},
                    {"ms", result.summary.work * 1e3},
                    {"copy_ms", result.summary.copy * 1e3},
                    {"peak_kib", static_cast<double>(result.peak_bytes) / 1024}});
  nlohmann::json figures = nlohmann::json::array();
  for (const Figure& figure : also)
    figures.push_back({{"id", figure.id}, {"what", figure.what}, {"value", figure.value}});
  std::string cpu = "unknown";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("model name", 0) == 0) {
      cpu = line.substr(line.find(':') + 2);
      break;
    }
  return {{"machine", {{"cpu", cpu}, {"threads", std::thread::hardware_concurrency()}}},
          {"results", list},
          {"also", figures}};
}

void print_table(const std::vector<Result>& results) {
  fmt::print("\n{:<8} {:>7} {:>15} {:>11} {:>11} {:>9}  {}\n", "id", "ratio", "spread", "ms",
             "copy ms", "peak KiB", "workload");
  for (const Result& result : results)
    fmt::print("{:<8} {:>7.2f} {:>7.2f}-{:<7.2f} {:>11.4f} {:>11.4f} {:>9}  {}\n", result.id,
               result.summary.ratio, result.summary.ratio_min, result.summary.ratio_max,
               result.summary.work * 1e3, result.summary.copy * 1e3, result.peak_bytes / 1024,
               result.what);
  fmt::print(
      "\nratio: time over that of a two-thread memcpy of the output's bytes, taken in turn; "
      "median and spread of the pairs\n"
      "peak: resident memory above inputs and output during an evaluation\n");
}

void print_also(const std::vector<Figure>& also) {
  if (!also.empty()) fmt::print("\n");
  for (const Figure& figure : also)
    fmt::print("{:<15} {:>10.3f}  {}\n", figure.id, figure.value, figure.what);
}

/// Takes `flag` out of the arguments.
bool take_flag(int& argc, char** argv, const std::string& flag) {
  const int count = argc;
  argc = static_cast<int>(std::remove(argv, argv + argc, flag) - argv);
  return argc < count;
}

/// Takes "--json FILE" or "--json=FILE" out of the arguments.
std::string take_json_path(int& argc, char** argv) {
  std::string path;
  int kept = 0;
  for (int i = 0; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--json" && i + 1 < argc) path = argv[++i];
    else if (argument.rfind("--json=", 0) == 0) path = argument.substr(7);
    else argv[kept++] = argv[i];
  }
  argc = kept;
  return path;
}

int main(int argc, char** argv) {
  const std::string json_path = take_json_path(argc, argv);
  const bool asks_also = take_flag(argc, argv, "--also");
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  std::map<std::string, Result> by_id;
  for (const Workload& workload : workloads())
    benchmark::RegisterBenchmark(workload.id.c_str(),
                                 [&](benchmark::State& state) { run(state, workload, by_id); })
        ->UseManualTime()
        ->Iterations(15)
        ->Unit(benchmark::kMillisecond);
  const std::size_t ran = benchmark::RunSpecifiedBenchmarks();
  std::vector<Result> results;
  for (const Workload& workload : workloads())
    if (const auto found = by_id.find(workload.id); found != by_id.end())
      results.push_back(found->second);
  print_table(results);
  const std::vector<Figure> also = asks_also ? measure_also() : std::vector<Figure>();
  print_also(also);
  if (!json_path.empty()) {
    std::ofstream file(json_path);
    file << as_json(results, also).dump(1) << "\n";
    if (!file) {
      fmt::print(stderr, "weft_bench: cannot write {}\n", json_path);
      return 1;
    }
  }
  return results.size() == ran && ran > 0 ? 0 : 1;
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) { return weft::bench::main(argc, argv); }
