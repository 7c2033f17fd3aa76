// SPDX-License-Identifier: Apache-2.0
// weft_compute_random [COUNT [SEED]] [--all] [--verbose] [--itself]: random expressions of movement
// and arithmetic, evaluated as one, beside evaluating what moves operands first, then the
// arithmetic in one pass, then what moves its result; of tensors of 4 KiB to 8 MiB, all plans kept
// and memory used again, once the plans that are tried by running them were tried. What is told of
// each is the median of 15 ratios, taken in turn. One above 1.05 is built and measured once more,
// in other memory, and lost where it is above again. Prints those, or all, and where verbose what
// they are; fails where one is lost. With --itself moving first is beside moving first, built
// twice: what where values lie, and the machine, make of equal plans.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/executable.h>
#include <weft/weft.h>

#include "compute/random_expression.h"
#include "measure.h"
#include "one_core_each.h"
#include "support/computed_graph.h"

namespace weft::bench {
namespace {

constexpr std::size_t pairs = 15;
constexpr double allowed = 1.05;

struct Figure {
  double ratio, low, high;     ///< the median, and the middle half of the ratios
  double fused_us, staged_us;  ///< medians
};

class Case {
 public:
  Case(std::uint64_t seed, bool is_beside_itself)
      : seed_(seed),
        expression_(random_expression(seed)),
        same_(is_beside_itself ? random_expression(seed).stages : std::vector<Stage>()),
        out_{expression_.fused, expression_.stages.back().memory} {
    if (!same_.empty()) same_.back().memory = out_.memory;
  }

  /// Both ways, which must have the same bits.
  bool agrees() const {
    const Tensor& result = expression_.fused;
    const std::byte* const out = out_.memory.get();
    fused();
    const std::vector<std::byte> made(out, out + result.bytes());
    staged();
    return !testing::difference(borrow(made.data(), result.dtype(), result.shape()),
                                borrow(out, result.dtype(), result.shape()));
  }

  /// Evaluates both, in turn, until no other plan is tried, or for long.
  void settle() const {
    constexpr int most = 5'000;
    for (int k = 0; k < most && is_tried(); ++k) {
      fused();
      staged();
    }
  }

  Figure measure() const {
    const Timed one([this] { fused(); }), other([this] { staged(); });
    const int calls = std::max(one.calls(), other.calls());
    std::vector<double> ones, others, ratios;
    for (std::size_t k = 0; k < pairs; ++k) {
      ones.push_back(1e6 * one.sample(calls));
      others.push_back(1e6 * other.sample(calls));
      ratios.push_back(ones.back() / others.back());
    }
    return {quantile(ratios, 0.5), quantile(ratios, 0.25), quantile(ratios, 0.75),
            quantile(ones, 0.5), quantile(others, 0.5)};
  }

  void tell(const Figure& figure, const char* what) const {
    std::printf("%s: seed %llu, %s %s: %.2f [%.2f, %.2f], %.1f us, moving first %.1f us in %zu\n",
                what, static_cast<unsigned long long>(seed_),
                expression_.fused.dtype().name().c_str(),
                to_string(expression_.fused.shape()).c_str(), figure.ratio, figure.low, figure.high,
                figure.fused_us, figure.staged_us, expression_.stages.size());
  }
  void tell_all() const {
    std::printf("%s%s", graph_text(expression_.fused).c_str(), explain(expression_.fused).c_str());
    for (const Stage& stage : expression_.stages)
      std::printf("  beside %s", explain(stage.expression).c_str());
  }

 private:
  void fused() const {
    if (same_.empty()) return out_.run();
    for (const Stage& stage : same_) stage.run();
  }
  void staged() const {
    for (const Stage& stage : expression_.stages) stage.run();
  }

  bool is_tried() const {
    const Node& root = expression_.fused.node();
    std::unique_ptr<Executable> kept = take_executable(root);
    const bool is_tried = kept && kept->search && !kept->search->is_settled();
    if (kept) root.put_back(std::move(kept));
    return is_tried;
  }

  const std::uint64_t seed_;
  const RandomExpression expression_;
  std::vector<Stage> same_;
  const Stage out_;  ///< both ways make the result in the same memory
};

bool tell_wrong(const Case& each, std::uint64_t seed) {
  std::printf("seed %llu: another value\n", static_cast<unsigned long long>(seed));
  each.tell_all();
  return false;
}

struct Asked {
  std::size_t count = 500;
  std::uint64_t first = 1;
  bool tells_all = false, is_verbose = false, is_beside_itself = false;
};

bool run(const Asked& asked) {
  const OneCoreEach bound;
  std::vector<double> ratios;
  std::size_t lost = 0;
  for (std::uint64_t seed = asked.first; seed < asked.first + asked.count; ++seed) {
    const Case each(seed, asked.is_beside_itself);
    if (!each.agrees()) return tell_wrong(each, seed);
    each.settle();
    Figure figure = each.measure();
    if (!each.agrees()) return tell_wrong(each, seed);  // by the plan that was found meanwhile
    bool is_lost = figure.ratio > allowed;
    if (is_lost) {  // where it lies may decide, so once more in other memory
      each.tell(figure, "once");
      const Case again(seed, asked.is_beside_itself);
      again.settle();
      figure = again.measure();
      if (!again.agrees()) return tell_wrong(again, seed);
      is_lost = figure.ratio > allowed;
    }
    if (is_lost || asked.tells_all) {
      each.tell(figure, is_lost ? "lost" : "seen");
      if (asked.is_verbose) each.tell_all();
    }
    std::fflush(stdout);
    lost += is_lost;
    ratios.push_back(figure.ratio);
  }
  std::printf(
      "%zu expressions from seed %llu on: median %.2f, middle half [%.2f, %.2f], "
      "worst %.2f, best %.2f; %zu above %.2f\n",
      asked.count, static_cast<unsigned long long>(asked.first), quantile(ratios, 0.5),
      quantile(ratios, 0.25), quantile(ratios, 0.75), quantile(ratios, 1), quantile(ratios, 0),
      lost, allowed);
  return lost == 0;
}

std::optional<Asked> asked_by(int argc, char** argv) {
  Asked asked;
  int numbers = 0;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    char* end = nullptr;
    const unsigned long long number = std::strtoull(word.c_str(), &end, 10);
    const bool is_number = *end == '\0' && std::isdigit(static_cast<unsigned char>(word[0]));
    if (word == "--all") asked.tells_all = true;
    else if (word == "--verbose") asked.is_verbose = true;
    else if (word == "--itself") asked.is_beside_itself = true;
    else if (is_number && numbers == 0 && number > 0) asked.count = number, ++numbers;
    else if (is_number && numbers == 1) asked.first = number, ++numbers;
    else return {};
  }
  return asked;
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  const std::optional<weft::bench::Asked> asked = weft::bench::asked_by(argc, argv);
  if (!asked) {
    std::fprintf(stderr, "weft_compute_random [COUNT [SEED]] [--all] [--verbose] [--itself]\n");
    return 2;
  }
  return weft::bench::run(*asked) ? 0 : 1;
}
