// SPDX-License-Identifier: Apache-2.0
// weft_kept [COUNT [SEED]]: what evaluating random small expressions again and again, into the same
// memory, takes beside their kernels alone, which a bare loop runs with all pointers looked up.
// Prints the slowest and the median; fails where the median is above 1.3 times the kernels and
// 0.1 us, or one is above 3 times.
#define DOCTEST_CONFIG_IMPLEMENT  // the draws are in the tests of the ops
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/executable.h>
#include <weft/weft.h>

#include "support/drawing.h"
#include "support/recipe.h"

using namespace weft;
using namespace weft::testing;

namespace {

constexpr std::int64_t fewest_bytes = 1024, most_bytes = 16 * 1024;
constexpr std::int64_t most_ops = 6;
constexpr double allowed_ns = 100, allowed_ratio = 1.3, allowed_most = 3;
constexpr int rounds = 7;
constexpr double sample_ns = 30'000;

double now_ns() {
  return std::chrono::duration<double, std::nano>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double sample(const std::function<void()>& work, int times) {
  const double start = now_ns();
  for (int i = 0; i < times; ++i) work();
  return (now_ns() - start) / times;
}

int times_for(const std::function<void()>& work) {
  work();  // the first may plan
  int times = 1;
  while (sample(work, times) * times < sample_ns && times < 1'000'000) times *= 2;
  return times;
}

/// The kernels of an expression's executable, whose pointers are all looked up.
class Kernels {
 public:
  Kernels(const Executable& executable, std::byte* out) : executable_(executable) {
    const Plan& plan = executable.plan;
    from_.resize(plan.sources.size() + 1);
    for (std::size_t s = 0; s < plan.sources.size(); ++s) from_[s] = plan.sources[s].value.get();
    for (std::size_t p = 0; p < plan.passes.size(); ++p) {
      const ExecutablePass& pass = executable.passes()[p];
      if (pass.output == ExecutablePass::none) memory_.push_back(allocate(pass.bytes));
      to_.push_back(pass.output == ExecutablePass::none ? memory_.back().get() : out);
      for (const std::size_t s : pass.sources) from_[s] = to_.back();
    }
  }

  void run() const {
    for (std::size_t p = 0; p < to_.size(); ++p) {
      const PassSteps& steps = executable_.passes()[p].steps;
      for (const weft::Step& step : steps.steps) weft::run(step, to_[p], from_);
      if (executable_.plan.passes[p].computation) compute(executable_.plan.passes[p], to_[p]);
      for (const BlockSteps& blocks : executable_.passes()[p].blocks)
        weft::run(blocks, executable_.plan.passes[p], to_[p], from_, 1);
    }
  }

 private:
  void compute(const Pass& pass, std::byte* out) const {
    SmallVector<const std::byte*, 4> operands;
    for (const PassOperand& operand : pass.operands)
      operands.push_back(operand.source == PassOperand::in_output
                             ? nullptr
                             : from_[operand.source] + operand.offset);
    pass.computation({operands.data(), operands.size()}, out,
                     [](std::int64_t count, const auto& work) { work(0, count); });
  }

  const Executable& executable_;
  std::vector<const std::byte*> from_;
  std::vector<std::byte*> to_;
  std::vector<std::shared_ptr<std::byte>> memory_;
};

struct Figure {
  std::uint64_t seed;
  double whole, kernels;  ///< ns
  double ratio() const { return std::max(0.0, whole - allowed_ns) / kernels; }
};

bool is_small(const Recipe& recipe, const Tensor& tensor) {
  const std::int64_t ops = std::count_if(
      recipe.steps.begin(), recipe.steps.end(),
      [](const auto& s) { return s.op != "leaf" && s.op != "index" && s.op != "mask"; });
  return ops >= 1 && ops <= most_ops && tensor.bytes() >= fewest_bytes &&
         tensor.bytes() <= most_bytes && !tensor.is_stored();
}

Figure measure(const Tensor& tensor, std::uint64_t seed) {
  const std::shared_ptr<std::byte> out = allocate(tensor.bytes());
  const std::function<void()> whole = [&] { eval_into(tensor, out.get(), tensor.bytes()); };
  const int whole_times = times_for(whole);
  Figure best{seed, 1e18, 1e18};
  for (int round = 0; round < rounds; ++round) {
    best.whole = std::min(best.whole, sample(whole, whole_times));
    std::unique_ptr<Executable> kept = take_executable(tensor.node());
    const bool was_kept = kept != nullptr;
    if (!kept) {  // one whose index is borrowed is not kept
      kept = std::make_unique<Executable>(make_plan(tensor.node_ptr()));
      kept->make_ready({OutputTarget::no_base});
    }
    const Kernels bare(*kept, out.get());
    const std::function<void()> kernels = [&] { bare.run(); };
    best.kernels = std::min(best.kernels, sample(kernels, times_for(kernels)));
    if (was_kept) tensor.node().put_back(std::move(kept));
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  std::printf("%zu expressions from seed %llu on\n", count, static_cast<unsigned long long>(first));
  std::vector<Figure> figures;
  for (std::uint64_t seed = first; figures.size() < count; ++seed) {
    const Recipe recipe = Drawing(seed).run();
    const Tensor tensor = build(recipe, false);
    if (is_small(recipe, tensor)) figures.push_back(measure(tensor, seed));
  }
  std::sort(figures.begin(), figures.end(),
            [](const Figure& a, const Figure& b) { return a.ratio() < b.ratio(); });
  const double median = figures[count / 2].ratio(), most = figures.back().ratio();
  for (std::size_t k = figures.size() - std::min<std::size_t>(count, 12); k < figures.size(); ++k)
    std::printf("seed %-8llu %9.1f ns, kernels %9.1f ns, %.2f\n",
                static_cast<unsigned long long>(figures[k].seed), figures[k].whole,
                figures[k].kernels, figures[k].ratio());
  if (most > allowed_most)
    std::printf("the slowest:\n%s",
                graph_text(build(Drawing(figures.back().seed).run(), false)).c_str());
  std::printf("less %.0f ns, beside their kernels: median %.2f, most %.2f\n", allowed_ns, median,
              most);
  return median <= allowed_ratio && most <= allowed_most ? 0 : 1;
}
