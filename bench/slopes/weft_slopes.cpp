// SPDX-License-Identifier: Apache-2.0
// weft_slopes [--coarse] [ID...]: how time grows with size, over a factor of 16. Prints the points
// and the slope of log time on log size; fails where one is above 1.2, or a point too short to be
// measured. Coarse, for machines that do other work too: where one is above 1.5 and so is the
// middle of its four doublings, which no neighbour and no border of a cache moves much; a square
// has 2.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <weft/graph/plan/plan.h>
#include <weft/weft.h>

namespace weft::bench {
namespace {

constexpr double steepest = 1.2, coarsely_steepest = 1.5;
constexpr double shortest = 1e-3;  // seconds
constexpr int points = 5;          // each twice the size of the one before
constexpr int rounds = 3, more_rounds = 12;

struct Slope {
  std::string id, what;
  std::int64_t first;  ///< the smallest size
  /// Sets up what is not measured; what it returns is.
  std::function<std::function<void()>(std::int64_t n)> prepare;
};

/// Planned so often, for it does not depend on the size.
constexpr int plans = 4000;

Tensor flat_chain(std::int64_t n, const std::function<Tensor(const Tensor&)>& link) {
  Tensor x = iota<std::int64_t>({4});
  for (std::int64_t i = 0; i < n; ++i) x = link(x);
  return x;
}

std::vector<std::int64_t> lengths(std::int64_t n, std::int64_t most) {
  std::vector<std::int64_t> list;
  for (std::int64_t i = 0; i < n; ++i) list.push_back(i * 7919 % (most + 1));
  return list;
}

const std::vector<Slope>& slopes() {
  static const std::vector<Slope> list{
      {"tril.plan", "planning tril of n rows of a node that cannot be stored", 4000,
       [](std::int64_t n) {
         const Tensor rows = iota<std::uint8_t>({n});
         return [rows, n] {
           PlanLimits limits;
           limits.stored_bytes = n * n - 1;
           make_plan(rows.broadcast_to({n, n}).roll(1, 1).tril().node_ptr(), limits);
         };
       }},
      {"triu.tril.plan", "planning a band of n rows that cannot be stored on the way", 1500,
       [](std::int64_t n) {
         const Tensor rows = iota<std::uint8_t>({n});
         return [rows, n] {
           PlanLimits limits;
           limits.stored_bytes = n * n - 1;
           make_plan(rows.broadcast_to({n, n}).tril().triu(-9).node_ptr(), limits);
         };
       }},
      {"diagonal.plan", "planning the diagonal of [n, n], 4000 times", 256,
       [](std::int64_t n) {
         const Tensor x = full<std::uint8_t>({n, n}, 1).eval();
         return [x] {
           for (int i = 0; i < plans; ++i) make_plan(x.diagonal().node_ptr());
         };
       }},
      {"diagonal.batch", "the diagonals of [n, 2, 2] of u8", 8388608,
       [](std::int64_t n) {
         const Tensor x = full<std::uint8_t>({n, 2, 2}, 1).eval();
         return [x] { x.diagonal(0, 1, 2).eval(); };
       }},
      {"roots", "eval of n rows, flipped, of one source", 1250,
       [](std::int64_t n) {
         const Tensor x = iota<float>({n, 8}).eval();
         return [x, n] {
           std::vector<Tensor> roots;
           for (std::int64_t i = 0; i < n; ++i) roots.push_back(x.select(0, i).flip());
           eval(roots);
         };
       }},
      {"roots.chain", "eval of all links of a chain of n", 2000,
       [](std::int64_t n) {
         return [n] {
           std::vector<Tensor> roots;
           flat_chain(n, [&](const Tensor& x) { return roots.emplace_back(x.roll(1, 0)); });
           eval(roots);
         };
       }},
      {"parts", "eval of n parts of a computed tensor", 1250,
       [](std::int64_t n) {
         const Tensor holds = full<bool>({n, 8}, 1).eval(), x = iota<float>({n, 8}).eval();
         return [=] { eval(where(holds, x, x).flip(1).split(n, 0)); };
       }},
      {"where.chain", "n computations, each of the one before", 1500,
       [](std::int64_t n) {
         const Tensor holds = full<bool>({4}, 1).eval(), other = iota<std::int64_t>({4}).eval();
         return
             [=] { flat_chain(n, [&](const Tensor& x) { return where(holds, x, other); }).eval(); };
       }},
      {"take.chain", "n takes, each by what was taken before, flipped", 250,
       [](std::int64_t n) {
         return [n] { flat_chain(n, [](const Tensor& x) { return x.take(x.flip(), 0); }).eval(); };
       }},
      {"reverse_sequence", "n sequences of 8 f32", 131072,
       [](std::int64_t n) {
         const Tensor x = iota<float>({n, 8}).eval();
         const Tensor ends = from_vector(lengths(n, 8), {n});
         return [=] { x.reverse_sequence(ends, 0, 1).eval(); };
       }},
  };
  return list;
}

/// Of the process: what others do on the machine at the time does not count.
double cpu_seconds_of(const std::function<void()>& work) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  const double start = now();
  work();
  return now() - start;
}

/// Least squares.
double slope_of(const std::vector<double>& x, const std::vector<double>& y) {
  const double count = static_cast<double>(x.size());
  double x_mean = 0, y_mean = 0, xy = 0, xx = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x_mean += x[i] / count;
    y_mean += y[i] / count;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - x_mean) * (y[i] - y_mean);
    xx += (x[i] - x_mean) * (x[i] - x_mean);
  }
  return xy / xx;
}

class Measured {
 public:
  explicit Measured(const Slope& slope) {
    for (int k = 0; k < points; ++k) {
      const std::int64_t n = slope.first << k;
      sizes_.push_back(std::log2(static_cast<double>(n)));
      work_.push_back(slope.prepare(n));
      seconds_.push_back(cpu_seconds_of(work_.back()));
    }
  }

  /// The shortest of several: what others take from the machine only adds.
  void run(int times) {
    for (int i = 0; i < times; ++i)
      for (std::size_t k = 0; k < work_.size(); ++k)
        seconds_[k] = std::min(seconds_[k], cpu_seconds_of(work_[k]));
  }

  double slope() const { return slope_of(sizes_, logs()); }
  /// From one size to the next: the mean of the middle two.
  double middle_doubling() const {
    const std::vector<double> of = logs();
    std::vector<double> doublings;
    for (std::size_t k = 1; k < of.size(); ++k) doublings.push_back(of[k] - of[k - 1]);
    std::sort(doublings.begin(), doublings.end());
    return (doublings[1] + doublings[2]) / 2;
  }
  bool is_too_short() const {
    return *std::min_element(seconds_.begin(), seconds_.end()) < shortest;
  }
  const std::vector<double>& seconds() const { return seconds_; }

 private:
  std::vector<double> logs() const {
    std::vector<double> logs;
    for (const double seconds : seconds_) logs.push_back(std::log2(seconds));
    return logs;
  }

  std::vector<std::function<void()>> work_;
  std::vector<double> sizes_, seconds_;
};

/// Whether it is as flat as it must be.
bool measure(const Slope& slope, bool is_coarse) {
  Measured measured(slope);
  measured.run(rounds);
  if (measured.slope() > steepest) measured.run(more_rounds);
  const bool is_steep =
      is_coarse ? std::min(measured.slope(), measured.middle_doubling()) > coarsely_steepest
                : measured.slope() > steepest;
  const bool is_too_short = !is_coarse && measured.is_too_short();
  fmt::print("{:<17} {:>7}", slope.id, slope.first);
  for (const double seconds : measured.seconds()) fmt::print(" {:8.2f}", seconds * 1e3);
  fmt::print("  {:5.2f}  {}{}\n", measured.slope(), slope.what,
             is_steep       ? "  TOO STEEP"
             : is_too_short ? "  TOO SHORT"
                            : "");
  std::fflush(stdout);
  return !is_steep && !is_too_short;
}

int main(int argc, char** argv) {
  std::vector<std::string> asked(argv + 1, argv + argc);
  const bool is_coarse = std::erase(asked, "--coarse") > 0;
  fmt::print("{:<17} {:>7} {:>8} {:>8} {:>8} {:>8} {:>8}  slope  (ms of the processor)\n", "id",
             "n", "n", "2n", "4n", "8n", "16n");
  bool is_flat = true;
  for (const Slope& slope : slopes())
    if (asked.empty() || std::find(asked.begin(), asked.end(), slope.id) != asked.end())
      is_flat &= measure(slope, is_coarse);
  return is_flat ? 0 : 1;
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) { return weft::bench::main(argc, argv); }
