// SPDX-License-Identifier: Apache-2.0
// Measuring by pairs: machines drift, ratios taken side by side drift less.
#include "measure.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <string>
#include <tbb/parallel_for.h>

#include <weft/engine/memory/buffer.h>

namespace weft::bench {

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

namespace {

/// A line of /proc/self/status in bytes, -1 where there is none.
std::int64_t status_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind(name + ":", 0) == 0) return std::stoll(line.substr(name.size() + 1)) * 1024;
  return -1;
}

}  // namespace

std::int64_t peak_bytes_of(const std::function<void()>& work) {
  // Linux lowers the high-water mark to what is resident now.
  std::ofstream("/proc/self/clear_refs") << "5";
  const std::int64_t before = status_bytes("VmRSS");
  work();
  const std::int64_t peak = status_bytes("VmHWM");
  return before < 0 || peak < 0 ? -1 : std::max<std::int64_t>(0, peak - before);
}

CopyBaseline::CopyBaseline(std::int64_t bytes)
    : bytes_(bytes), from_(allocate(bytes)), to_(allocate(bytes)) {
  std::memset(from_.get(), 1, static_cast<std::size_t>(bytes));
  run();
}

void CopyBaseline::run() {
  const std::int64_t half = bytes_ / 2;
  tbb::parallel_for(0, 2, [&](int side) {
    const std::int64_t begin = side == 0 ? 0 : half;
    const std::int64_t end = side == 0 ? half : bytes_;
    std::memcpy(to_.get() + begin, from_.get() + begin, static_cast<std::size_t>(end - begin));
  });
}

Timed::Timed(std::function<void()> work) : work_(std::move(work)) {
  constexpr double seen = 200e-6;  // a sample's seconds at least: the clock and its call are 50 ns
  constexpr int most = 1000;
  work_();
  for (double seconds = sample(); calls_ < most && seconds * calls_ < seen; seconds = sample())
    calls_ = std::min(most, 2 * calls_);
}

double Timed::sample(int calls) const {
  return seconds_of([&] {
           for (int i = 0; i < calls; ++i) work_();
         }) /
         calls;
}

namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace

Pairs::Summary Pairs::summary() const {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < work.size(); ++i) ratios.push_back(work[i] / copy[i]);
  const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
  return {median(ratios), *low, *high, median(work), median(copy)};
}

std::uint32_t digest(const std::byte* bytes, std::int64_t count, std::uint32_t before) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> made{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      made[i] = i;
      for (int bit = 0; bit < 8; ++bit) made[i] = (made[i] >> 1) ^ (made[i] & 1 ? 0xEDB88320u : 0u);
    }
    return made;
  }();
  std::uint32_t rest = ~before;
  for (std::int64_t i = 0; i < count; ++i)
    rest = table[(rest ^ std::to_integer<std::uint32_t>(bytes[i])) & 0xFF] ^ (rest >> 8);
  return ~rest;
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

double mean_ratio(const std::vector<double>& ratios) {
  double logarithms = 0;
  for (const double ratio : ratios) logarithms += std::log(ratio);
  return std::exp(logarithms / static_cast<double>(ratios.size()));
}

}  // namespace weft::bench
