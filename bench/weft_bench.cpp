// SPDX-License-Identifier: Apache-2.0
// weft_bench: every workload checked, then timed against a copy; a table, and --json FILE.
// --rounds N pairs each (15). --rivals measures the other ways beside ours, --also planning, depth,
// threads and fresh memory, --threads two threads beside one on every workload instead.
// --random N [--seed S] measures N random chains instead, those from number S on; this and
// --threads keep each thread on a core of its own.
// --isa avx2 limits the kernels to an instruction set (avx3, avx2, baseline).
#include <algorithm>
#include <benchmark/benchmark.h>
#include <cctype>
#include <fmt/format.h>
#include <map>

#include <weft/engine/kernels/instruction_set.h>

#include "random/measure_chains.h"
#include "report.h"
#include "run.h"
#include "threads.h"

namespace weft::bench {
namespace {

/// Takes `flag` out of the arguments.
bool take_flag(int& argc, char** argv, const std::string& flag) {
  const int count = argc;
  argc = static_cast<int>(std::remove(argv, argv + argc, flag) - argv);
  return argc < count;
}

/// Takes "--name VALUE" or "--name=VALUE" out of the arguments.
std::string take_option(int& argc, char** argv, const std::string& name) {
  std::string value;
  int kept = 0;
  for (int i = 0; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == name && i + 1 < argc) value = argv[++i];
    else if (argument.rfind(name + "=", 0) == 0) value = argument.substr(name.size() + 1);
    else argv[kept++] = argv[i];
  }
  argc = kept;
  return value;
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Limits every kernel to one instruction set; false where this machine lacks it.
bool limit_isa(const std::string& name) {
  for (const InstructionSet set : instruction_sets)
    if (has(set) && lower_case(std::string(to_string(set))) == lower_case(name)) {
      use(set);
      return true;
    }
  return false;
}

void run(benchmark::State& state, const Workload& workload, bool with_rivals, int rounds,
         std::map<std::string, Result>& results) {
  try {
    Run run(workload, with_rivals);
    for (auto _ : state) state.SetIterationTime(run.round());
    run.measure_rivals(rounds);
    results[workload.id] = run.result();
    state.counters["ratio"] = results[workload.id].summary.ratio;
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

int main(int argc, char** argv) {
  const std::string json_path = take_option(argc, argv, "--json");
  const std::string isa = take_option(argc, argv, "--isa");
  const std::string asked_rounds = take_option(argc, argv, "--rounds");
  const int rounds = asked_rounds.empty() ? 15 : std::max(1, std::atoi(asked_rounds.c_str()));
  const bool asks_also = take_flag(argc, argv, "--also");
  const bool asks_threads = take_flag(argc, argv, "--threads");
  const bool asks_rivals = take_flag(argc, argv, "--rivals");
  const std::string random = take_option(argc, argv, "--random");
  const std::string seed = take_option(argc, argv, "--seed");
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  if (!isa.empty() && !limit_isa(isa)) {
    fmt::print(stderr, "weft_bench: this machine has no {}\n", isa);
    return 2;
  }
  if (asks_threads) return compare_threads(rounds) ? 0 : 1;
  if (!random.empty())
    return measure_chains(std::strtoull(random.c_str(), nullptr, 10),
                          seed.empty() ? 1 : std::strtoull(seed.c_str(), nullptr, 10), json_path)
               ? 0
               : 1;
  std::map<std::string, Result> by_id;
  std::size_t begun = 0;  // none where they are listed
  for (const Workload& workload : workloads())
    benchmark::RegisterBenchmark(workload.id.c_str(),
                                 [&](benchmark::State& state) {
                                   ++begun;
                                   run(state, workload, asks_rivals, rounds, by_id);
                                 })
        ->UseManualTime()
        ->Iterations(rounds)
        ->Unit(benchmark::kMillisecond);
  const std::size_t found = benchmark::RunSpecifiedBenchmarks();
  std::vector<Result> results;
  for (const Workload& workload : workloads())
    if (const auto own = by_id.find(workload.id); own != by_id.end())
      results.push_back(own->second);
  const std::vector<Result> told = grouped(results);
  if (!told.empty()) print_table(told);
  const std::vector<Figure> also = asks_also ? measure_also() : std::vector<Figure>();
  print_also(also);
  if (!json_path.empty() && !write_json(json_path, told, also, isa)) {
    fmt::print(stderr, "weft_bench: cannot write {}\n", json_path);
    return 1;
  }
  return results.size() == begun && (found > 0 || asks_also) ? 0 : 1;
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) { return weft::bench::main(argc, argv); }
