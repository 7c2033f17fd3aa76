// SPDX-License-Identifier: Apache-2.0
// The largest error of the functions of vectors in ulps, and their time, on each instruction set:
//   weft_accuracy [--all] [--count N] [--threads N] [--target NAME]... [FUNCTION]...
// --all takes every f32 argument of the functions of one operand, and no f64. Else N arguments are
// drawn, half uniform in their bits and half in their value. Exits with 1 where a promise is
// broken.
#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "quad.h"
#include "support/math_references.h"
#include "support/math_table.h"
#include "support/ulps.h"

using namespace weft::testing;

namespace {

constexpr std::size_t block = 1 << 14;

struct Options {
  bool all = false;
  std::uint64_t count = 1'000'000;
  unsigned threads = 2;
  std::vector<std::string> targets, functions;
};

template <class T>
struct Worst {
  double ulps = 0.5;  // no result is known to be nearer
  T x{}, y{};
};

template <class T>
using WideOf = std::conditional_t<std::is_same_v<T, float>, double, Quad>;

template <class T>
struct Case {
  const MathReference<WideOf<T>>* reference;
  std::vector<const MathFunction*> functions;  // one a target
  std::vector<Worst<T>> worst;
  std::mutex lock;

  /// Compares every target's results for these arguments.
  void judge(const std::vector<T>& x, const std::vector<T>& y) {
    std::vector<WideOf<T>> should(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) should[i] = reference->exact(x[i], y[i]);
    std::vector<T> got(x.size()), first;
    for (std::size_t t = 0; t < functions.size(); ++t) {
      functions[t]->template of<T>()(x.data(), y.data(), got.data(), x.size());
      if (t > 0 && std::memcmp(got.data(), first.data(), x.size() * sizeof(T)) == 0) {
        const std::scoped_lock hold(lock);
        if (worst[0].ulps > worst[t].ulps) worst[t] = worst[0];
        continue;
      }
      Worst<T> here;
      for (std::size_t i = 0; i < x.size(); ++i) {
        // Half an ulp at most, which need not be known better.
        const auto rounded = static_cast<T>(should[i]);
        if (std::memcmp(&got[i], &rounded, sizeof(T)) == 0) continue;
        if (reference->is_within_near_zero(got[i] - should[i])) continue;
        if (const double u = ulps(got[i], should[i]); u > here.ulps) here = {u, x[i], y[i]};
      }
      if (t == 0) first = got;
      const std::scoped_lock hold(lock);
      if (here.ulps > worst[t].ulps) worst[t] = here;
    }
  }
};

template <class T>
constexpr T special_values[] = {0,
                                1,
                                2,
                                3,
                                T(0.5),
                                T(1.5),
                                T(2.5),
                                10,
                                700,
                                T(1) / 3,
                                std::numeric_limits<T>::min(),
                                std::numeric_limits<T>::denorm_min(),
                                std::numeric_limits<T>::max(),
                                std::numeric_limits<T>::epsilon(),
                                1 + std::numeric_limits<T>::epsilon(),
                                1 - std::numeric_limits<T>::epsilon() / 2,
                                T(4503599627370497),
                                std::numeric_limits<T>::infinity(),
                                std::numeric_limits<T>::quiet_NaN()};

/// Every pair of special values, of both signs.
template <class T>
void judge_special(Case<T>& c) {
  std::vector<T> x, y;
  for (const T a : special_values<T>)
    for (const T b : special_values<T>)
      for (const int signs : {0, 1, 2, 3}) {
        x.push_back(signs & 1 ? -a : a);
        y.push_back(signs & 2 ? -b : b);
      }
  c.judge(x, y);
}

template <class T>
T drawn(std::mt19937_64& random, const Range& range, bool by_value) {
  if (by_value)
    return static_cast<T>(std::uniform_real_distribution<double>(range.low, range.high)(random));
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<T>(static_cast<Bits>(random()));
}

/// Runs blocks [0, count) on threads.
template <class F>
void on_threads(unsigned threads, std::uint64_t count, const F& f) {
  std::atomic<std::uint64_t> next = 0;
  std::vector<std::jthread> team;
  for (unsigned t = 0; t < threads; ++t)
    team.emplace_back([&] {
      for (std::uint64_t i; (i = next++) < count;) f(i);
    });
}

template <class T>
void judge_drawn(Case<T>& c, const Options& options) {
  on_threads(options.threads, (options.count + block - 1) / block, [&](std::uint64_t b) {
    std::mt19937_64 random(b);
    std::vector<T> x(block), y(block);
    for (std::size_t i = 0; i < block; ++i) {
      x[i] = drawn<T>(random, c.reference->template range<T>(), i % 2 == 0);
      y[i] = drawn<T>(random, c.reference->template range<T>(), i % 4 < 2);
    }
    c.judge(x, y);
  });
}

void judge_all(Case<float>& c, const Options& options) {
  on_threads(options.threads, (std::uint64_t{1} << 32) / block, [&](std::uint64_t b) {
    std::vector<float> x(block);
    for (std::size_t i = 0; i < block; ++i)
      x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(b * block + i));
    c.judge(x, x);
  });
}

/// Nanoseconds an element on one thread, of arguments uniform in value between -10 and 10 where
/// that is in the function's range; the least of some runs.
template <class T>
double nanoseconds(const MathFunction& f, const MathReference<WideOf<T>>& reference) {
  std::mt19937_64 random(1);
  constexpr std::size_t count = 4096;
  const Range all = reference.template range<T>(),
              range = {std::max(all.low, -10.0), std::min(all.high, 10.0)};
  std::vector<T> x(count), y(count), out(count);
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = drawn<T>(random, range, true);
    y[i] = drawn<T>(random, range, true);
  }
  double least = 1e9;
  for (int run = 0; run < 1000; ++run) {
    const auto start = std::chrono::steady_clock::now();
    f.template of<T>()(x.data(), y.data(), out.data(), count);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    least = std::min(least, took.count() / count);
  }
  return least;
}

template <class T>
bool report(std::string_view name, const std::vector<MathTarget>& targets, std::size_t index,
            const Options& options) {
  const auto& reference =
      *std::ranges::find(math_references<WideOf<T>>, name, &MathReference<WideOf<T>>::name);
  const double promised = reference.template promised<T>();
  Case<T> c;
  c.reference = &reference;
  for (const MathTarget& target : targets) c.functions.push_back(&target.functions[index]);
  c.worst.resize(targets.size());
  judge_special(c);
  if constexpr (std::is_same_v<T, float>) {
    if (options.all) judge_all(c, options);
    else judge_drawn(c, options);
  } else {
    judge_drawn(c, options);
  }
  bool holds = true;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    const Worst<T>& w = c.worst[t];
    const bool is_kept = w.ulps <= promised;
    holds &= is_kept;
    std::printf("%-10s %s %-7s %8.3f ulp at %-14.9g", reference.name.data(),
                sizeof(T) == 4 ? "f32" : "f64", targets[t].name.data(), w.ulps,
                static_cast<double>(w.x));
    if (c.functions[t]->operands == 2) std::printf(" %-14.9g", static_cast<double>(w.y));
    std::printf(" promised %.1f%s  %7.3f ns\n", promised, is_kept ? "" : " BROKEN",
                nanoseconds<T>(*c.functions[t], reference));
    std::fflush(stdout);
  }
  return holds;
}

Options options_of(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool has_value = i + 1 < argc;
    if (word == "--all") options.all = true;
    else if (word == "--count" && has_value) options.count = std::stoull(argv[++i]);
    else if (word == "--threads" && has_value)
      options.threads = static_cast<unsigned>(std::stoul(argv[++i]));
    else if (word == "--target" && has_value) options.targets.push_back(argv[++i]);
    else options.functions.push_back(word);
  }
  return options;
}

template <class Name>
bool is_asked(const std::vector<std::string>& asked, const Name& name) {
  return asked.empty() || std::find(asked.begin(), asked.end(), name) != asked.end();
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = options_of(argc, argv);
  std::vector<MathTarget> targets = math_targets();
  std::erase_if(targets, [&](const MathTarget& t) { return !is_asked(options.targets, t.name); });
  if (targets.empty()) return std::puts("no such target"), 2;
  bool holds = true;
  std::size_t found = 0;
  const auto functions = targets[0].functions;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const MathFunction& f = functions[i];
    if (!is_asked(options.functions, f.name)) continue;
    ++found;
    if (options.all && f.operands == 2) continue;
    holds &= report<float>(f.name, targets, i, options);
    if (!options.all) holds &= report<double>(f.name, targets, i, options);
  }
  if (found < options.functions.size()) return std::puts("no such function"), 2;
  return holds ? 0 : 1;
}
