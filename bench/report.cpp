// SPDX-License-Identifier: Apache-2.0
// The table and the JSON.
#include "report.h"

#include <fmt/format.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include <weft/engine/memory/caches.h>

namespace weft::bench {
namespace {

nlohmann::json as_json(const Pairs::Summary& summary) {
  return {{"ratio", summary.ratio},
          {"ratio_min", summary.ratio_min},
          {"ratio_max", summary.ratio_max},
          {"ms", summary.work * 1e3},
          {"copy_ms", summary.copy * 1e3}};
}

nlohmann::json as_json(const Result& result) {
  nlohmann::json json = as_json(result.summary);
  json["id"] = result.id;
  json["what"] = result.what;
  json["baseline"] = result.baseline;
  json["bytes"] = result.bytes;
  json["peak_kib"] = static_cast<double>(result.peak_bytes) / 1024;
  json["digests"] = result.digests;
  for (const RivalResult& rival : result.rivals) {
    nlohmann::json other;
    if (rival.summary) other = as_json(*rival.summary);
    else other["wrong"] = true;
    other["name"] = rival.name;
    other["runs"] = rival.runs;
    json["rivals"].push_back(other);
  }
  return json;
}

/// "AMD EPYC (family 25, model 17)": models of one name differ.
std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  std::map<std::string, std::string> told;
  for (std::string line; std::getline(info, line) && !line.empty();) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos && colon + 2 < line.size())
      told.try_emplace(line.substr(0, line.find_last_not_of(" \t:", colon) + 1),
                       line.substr(colon + 2));
  }
  if (!told.contains("model name")) return "unknown";
  if (!told.contains("cpu family") || !told.contains("model")) return told["model name"];
  return fmt::format("{} (family {}, model {})", told["model name"], told["cpu family"],
                     told["model"]);
}

void print_row(const std::string& id, const Pairs::Summary& summary, const std::string& rest) {
  fmt::print("{:<10} {:>7.2f} {:>7.2f}-{:<7.2f} {:>11.4f} {:>11.4f} {}\n", id, summary.ratio,
             summary.ratio_min, summary.ratio_max, summary.work * 1e3, summary.copy * 1e3, rest);
}

}  // namespace

void print_table(const std::vector<Result>& results) {
  fmt::print("\n{:<10} {:>7} {:>15} {:>11} {:>11} {:>9}  {}\n", "id", "ratio", "spread", "ms",
             "copy ms", "peak KiB", "workload");
  for (const Result& result : results) {
    print_row(result.id, result.summary,
              fmt::format("{:>9}  {}", result.peak_bytes / 1024, result.what));
    for (const RivalResult& rival : result.rivals) {
      if (rival.summary) print_row("", *rival.summary, fmt::format("{:>9}  {}", "", rival.name));
      else fmt::print("{:<10} {:>7} {:>50}  {}\n", "", "wrong", "", rival.name);
    }
  }
  fmt::print(
      "\nratio: time over that of a two-thread memcpy of the output's bytes (W7.in, ring, G5, "
      "window: over "
      "the same by hand; einops: over the same spelled out), taken in turn; median and spread of "
      "the pairs; groups: geometric mean\n"
      "peak: resident memory above inputs and output during an evaluation\n");
}

void print_also(const std::vector<Figure>& also) {
  if (!also.empty()) fmt::print("\n");
  for (const Figure& figure : also)
    fmt::print("{:<15} {:>10.3f}  {}\n", figure.id, figure.value, figure.what);
}

bool write_json(const std::string& path, const std::vector<Result>& results,
                const std::vector<Figure>& also, const std::string& isa) {
  nlohmann::json list = nlohmann::json::array();
  for (const Result& result : results) list.push_back(as_json(result));
  nlohmann::json figures = nlohmann::json::array();
  for (const Figure& figure : also)
    figures.push_back({{"id", figure.id}, {"what", figure.what}, {"value", figure.value}});
  nlohmann::json versions;
  for (const auto& [name, version] : rival_versions()) versions[name] = version;
  nlohmann::json machine = {{"cpu", cpu_name()},
                            {"threads", std::thread::hardware_concurrency()},
                            {"last_cache_bytes", last_cache_bytes()},
                            {"compiler", __VERSION__}};
  if (!isa.empty()) machine["isa"] = isa;
  std::ofstream file(path);
  file << nlohmann::json{{"machine", machine},
                         {"versions", versions},
                         {"results", list},
                         {"also", figures}}
              .dump(1)
       << "\n";
  return static_cast<bool>(file);
}

}  // namespace weft::bench
