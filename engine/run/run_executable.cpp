// SPDX-License-Identifier: Apache-2.0
// Running executables: pass after pass, each with its memory, which goes when nobody asks for it
// any more.
#include <weft/engine/run/executable.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

#include <weft/engine/kernels/kernel.h>
#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/limits.h>
#include <weft/engine/run/trace.h>
#include <weft/engine/run/workers.h>
#include <weft/graph/value/error.h>

namespace weft {
namespace {

constexpr std::size_t none = ExecutablePass::none;

// Small temporaries lie within the run, together up to so many bytes. Memory of the heap costs
// about 300 instructions: a comparison of 7,174 elements over 14 KiB took 1.08 of what moves first,
// 0.98 here.
constexpr std::int64_t near_bytes = 32 * 1024;

/// Memory of passes: that of few is within.
class PassMemory {
 public:
  explicit PassMemory(std::size_t passes) {
    if (passes > few_.size()) many_.resize(passes);
  }
  std::shared_ptr<std::byte>& operator[](std::size_t p) {
    return many_.empty() ? few_[p] : many_[p];
  }
  const std::shared_ptr<std::byte>& operator[](std::size_t p) const {
    return many_.empty() ? few_[p] : many_[p];
  }

 private:
  std::array<std::shared_ptr<std::byte>, 4> few_;
  std::vector<std::shared_ptr<std::byte>> many_;
};

/// One run.
class Run {
 public:
  Run(const Executable& executable, std::span<const OutputTarget> targets,
      const EvalOptions& options)
      : executable_(executable),
        plan_(executable.plan),
        passes_(executable.passes()),
        targets_(targets),
        options_(options),
        from_(plan_.sources.size() + 1),
        memory_(passes_.size()) {
    check_options(options);
    if (const std::int64_t limit = stored_limit(options); executable.most_bytes() > limit)
      check_memory(limit);
  }

  void run() {
    for (std::size_t s = 0; s < plan_.sources.size(); ++s)
      from_[s] = plan_.sources[s].value.get();  // of an earlier pass, when that has run
    if (Watch::is_needed(options_)) run_watched();
    else
      for (std::size_t p = 0; p < passes_.size(); ++p)
        if (is_due(p)) run_pass(p);
    // Outputs that are made by one pass but go to two places.
    for (std::size_t k = 0; k < targets_.size(); ++k)
      if (const std::size_t p = plan_.outputs[k].pass; targets_[k].out && targets_[k].out != out(p))
        copy_run(targets_[k].out, out(p), passes_[p].bytes, false);
  }

  /// Of an output that is not the caller's memory.
  Storage value(std::size_t k) const {
    const PlanOutput& output = plan_.outputs[k];
    if (!output.is_alias || targets_[k].out) return memory_[output.pass];
    const Storage& source = plan_.sources[output.source].value;
    return Storage(source, source.get() + output.offset * plan_.passes[output.pass].element());
  }

 private:
  /// The same, where something is asked or told.
  void run_watched() {
    Watch watch(options_);
    std::optional<Watch> to_the_end;  // once data that was given up is written over
    for (std::size_t p = 0; p < passes_.size(); ++p) {
      if (!is_due(p)) continue;
      if (passes_[p].base != OutputTarget::no_base && !to_the_end)
        to_the_end.emplace(options_.trace);
      if (!to_the_end) begin_pass(watch, p);
      const TraceScope scope(options_.trace, "pass", plan_.passes[p].what);
      run_pass(p);
    }
  }
  /// Whether it has not run with another.
  bool is_due(std::size_t p) const { return is_needed(p) && passes_[p].lead == none; }
  void run_pass(std::size_t p) {
    if (passes_[p].product && passes_[p].rows) run_product_rows(p);
    else if (passes_[p].rows) run_rows(p);
    else if (passes_[p].fed || passes_[p].portions) run_two(p);
    else if (passes_[p].beside > 0) run_with_others(p);
    else run_one(p);
    for (std::size_t q = p; q <= last_beside(p); ++q)
      executable_.for_each_over_after(q, [&](std::size_t over) { memory_[over].reset(); });
  }

  /// What is told of passes is by the bytes that they make.
  void begin_pass(Watch& watch, std::size_t p) {
    watch.check();
    if (!watch.tells_progress()) return;
    double before = 0, own = 0, all = 0;
    for (std::size_t q = 0; q < passes_.size(); ++q) {
      const auto bytes = static_cast<double>(is_needed(q) || q == p ? passes_[q].bytes : 0);
      (q < p ? before : q <= last_beside(p) ? own : all) += bytes;
    }
    all += before + own;
    if (all > 0) watch.begin_pass(before / all, (before + own) / all);
  }

  /// Whether somebody reads what the pass makes, or it is wanted though it lies somewhere already.
  bool is_needed(std::size_t p) const {
    if (passes_[p].is_needed) return true;
    for (std::size_t k = 0; k < targets_.size(); ++k)
      if (plan_.outputs[k].pass == p && targets_[k].out) return true;
    return false;
  }

  /// What is written over where it lies is made there to begin with.
  std::byte* callers_memory(std::size_t p) const {
    while (passes_[p].output == none && passes_[p].under != none) p = passes_[p].under;
    return passes_[p].output == none ? nullptr : targets_[passes_[p].output].out;
  }
  std::byte* out(std::size_t p) const {
    std::byte* const out = callers_memory(p);
    return out ? out : memory_[p].get();
  }

  bool is_over_pass(std::size_t p) const { return passes_[p].over != none && !callers_memory(p); }

  /// Refuses a plan that takes more memory than is allowed at any time, and finds out how much is
  /// left to each pass.
  void check_memory(std::int64_t limit) {
    std::int64_t total = executable_.counted_own_bytes();
    if (total > limit)
      throw MemoryError(
          fmt::format("eval: the plan and its steps take {} bytes, {} more than are allowed",
                      executable_.own_bytes(), total - limit));
    left_.resize(passes_.size());
    for (std::size_t p = 0; p < passes_.size(); ++p) {
      if (!is_needed(p)) continue;
      const ExecutablePass& pass = passes_[p];
      const auto take = [&](const char* what, std::int64_t bytes) {
        if (bytes > limit - total)
          throw MemoryError(fmt::format(
              "eval: {} {} {} {} bytes beside {} of this evaluation, at most {} are allowed",
              plan_.passes[p].what, to_string(plan_.passes[p].type.shape), what, bytes, total,
              limit));
        return bytes;
      };
      // What is written over something, or into memory of the caller, takes none of weft's.
      if (!pass.is_over_operand() && !callers_memory(p)) total += take("takes", pass.bytes);
      // Those that run together all have memory before the first one begins.
      const std::size_t lead = pass.lead == none ? p : pass.lead, last = last_beside(lead);
      if (p < last) continue;
      for (std::size_t q = lead; q <= last; ++q)
        take("puts operands aside in", passes_[q].scratch_bytes());
      left_[lead] = limit - total;
      for (std::size_t q = lead; q <= last; ++q)
        executable_.for_each_over_after(q, [&](std::size_t over) { total -= passes_[over].bytes; });
      if (is_over_pass(p)) total += pass.bytes;  // that of the one that is over
    }
  }
  std::size_t last_beside(std::size_t lead) const { return lead + passes_[lead].beside; }
  /// For what tasks of a pass put aside.
  std::int64_t left(std::size_t p) const { return left_.empty() ? max_bytes : left_[p]; }

  void take_memory(std::size_t p) {
    const Pass& planned = plan_.passes[p];
    const ExecutablePass& pass = passes_[p];
    if (is_over_pass(p)) memory_[p] = memory_[pass.over];
    else if (may_be_near(p)) take_near(p);
    else if (!callers_memory(p))
      memory_[p] = allocate(pass.bytes, planned.what, planned.type.shape);
  }

  void run_one(std::size_t p) {
    const Pass& planned = plan_.passes[p];
    const ExecutablePass& pass = passes_[p];
    if (pass.base != OutputTarget::no_base) begin_over_base(p);
    else take_memory(p);
    if (!planned.copies.empty() || (!planned.is_of_whole() && !planned.has_program()))
      weft::run(pass.steps, planned, out(p), sources(), options_.threads, left(p));
    for (const BlockSteps& blocks : pass.blocks)
      weft::run(blocks, planned, out(p), sources(), options_.threads, left(p));
    if (planned.computation) compute(p);
    if (pass.reduce) weft::run(*pass.reduce, planned, out(p), sources(), options_.threads);
    if (pass.product) weft::run(*pass.product, planned, out(p), sources(), options_.threads);
    moved_.reset();
    for (const std::size_t s : pass.sources) from_[s] = out(p);
  }
  /// All have memory before the first one begins.
  void run_with_others(std::size_t lead) {
    SmallVector<BlockRun, most_beside> runs;
    for (std::size_t p = lead; p <= lead + passes_[lead].beside; ++p) {
      take_memory(p);
      runs.push_back({&passes_[p].blocks[0], out(p)});
    }
    run_beside({runs.data(), runs.size()}, sources(), options_.threads);
    for (std::size_t p = lead; p <= lead + passes_[lead].beside; ++p)
      for (const std::size_t s : passes_[p].sources) from_[s] = out(p);
  }
  void run_rows(std::size_t lead) {
    const RowGroup& group = *passes_[lead].rows;
    for (const RowMember& member : group.members) {
      if (member.aside) continue;
      take_memory(member.pass);
      for (const std::size_t s : passes_[member.pass].sources) from_[s] = out(member.pass);
    }
    weft::run(
        group, plan_, [&](std::size_t p) { return out(p); }, sources(), options_.threads,
        left(lead));
  }
  /// The passes behind one that multiplies follow as its rows are made.
  void run_product_rows(std::size_t lead) {
    const RowGroup& group = *passes_[lead].rows;
    const ProductSteps& product = *passes_[lead].product;
    for (const RowMember& member : group.members)  // what is over it may be the caller's memory
      if (std::byte* const out = callers_memory(member.pass);
          out && passes_[member.pass].over == lead)
        memory_[lead] = {std::shared_ptr<std::byte>(), out};
    if (!memory_[lead]) take_memory(lead);
    for (const std::size_t s : passes_[lead].sources) from_[s] = out(lead);
    for (const RowMember& member : group.members) {
      if (member.aside) continue;
      take_memory(member.pass);
      for (const std::size_t s : passes_[member.pass].sources) from_[s] = out(member.pass);
    }
    const std::int64_t each = group.task_bytes();
    const std::int64_t at_once = std::clamp<std::int64_t>(
        (left(lead) - product.scratch_bytes()) / each, 1, Workers(options_.threads).count());
    const Pass& planned = plan_.passes[lead];
    const std::shared_ptr<std::byte> aside =
        allocate(at_once * each, planned.what, planned.type.shape);
    const RowWork work(
        group, [&](std::size_t p) { return out(p); }, sources());
    weft::run(product, planned, out(lead), sources(), static_cast<int>(at_once),
              [&](std::int64_t t, std::int64_t begin, std::int64_t end) {
                work.run_rows(begin, end, aside.get() + t * each);
                finish_streams();
              });
  }
  /// Of two passes, of which the first makes what it makes in memory of tasks.
  void run_two(std::size_t lead) {
    const ExecutablePass& first = passes_[lead];
    const std::size_t p = lead + 1;
    take_memory(p);
    if (first.fed)
      weft::run(*first.fed, plan_.passes[p], out(p), sources(), options_.threads, left(lead));
    else weft::run(*first.portions, plan_, p, out(p), sources(), options_.threads, left(lead));
    for (const std::size_t s : passes_[p].sources) from_[s] = out(p);
  }
  /// What is written over by another pass may become a value.
  bool may_be_near(std::size_t p) const {
    const ExecutablePass& pass = passes_[p];
    return pass.output == none && pass.bytes <= std::ssize(near_) - near_taken_ &&
           (pass.bytes <= near_passes_bytes ||
            std::none_of(passes_.begin(), passes_.end(),
                         [&](const ExecutablePass& other) { return other.over == p; }));
  }
  /// For small temporaries: memory of this run, which nobody lets go of.
  void take_near(std::size_t p) {
    const std::int64_t lines = (passes_[p].bytes + cache_line - 1) / cache_line;
    memory_[p] = {std::shared_ptr<std::byte>(), near_ + near_taken_};
    near_taken_ += lines * cache_line;
  }
  std::span<const std::byte* const> sources() const { return {from_.data(), from_.size()}; }

  void compute(std::size_t p) const {
    const Pass& pass = plan_.passes[p];
    SmallVector<const std::byte*, 4> operands;
    for (const PassOperand& operand : pass.operands)
      operands.push_back(operand.source == PassOperand::in_output
                             ? nullptr
                             : from_[operand.source] + operand.offset);
    run_isolated([&] {
      ForParts for_parts = [&](std::int64_t count, const auto& work) {
        run_parts(count, passes_[p].bytes, options_.threads, work);
      };
      for_parts.aside_bytes = left(p) / Workers(options_.threads).count();
      pass.computation({operands.data(), operands.size()}, out(p), for_parts);
    });
  }

  /// Puts aside what moves.
  void begin_over_base(std::size_t p) {
    const ExecutablePass& pass = passes_[p];
    memory_[p] = std::const_pointer_cast<std::byte>(plan_.sources[pass.base].value);
    if (!pass.moved) return;
    const auto& [moved, steps] = *pass.moved;
    const std::int64_t bytes = moved.bytes();
    const Pass& planned = plan_.passes[p];
    if (const std::int64_t limit = stored_limit(options_); bytes > limit)
      throw MemoryError(
          fmt::format("eval: {} bytes of {} {} would be put aside, at most {} are allowed", bytes,
                      planned.what, to_string(planned.type.shape), limit));
    moved_ = allocate(bytes, planned.what, planned.type.shape);
    weft::run(steps, moved, moved_.get(), sources(), options_.threads,
              std::max<std::int64_t>(0, left(p) - bytes));
    from_.back() = moved_.get();
  }

  const Executable& executable_;
  const Plan& plan_;
  const std::vector<ExecutablePass>& passes_;
  const std::span<const OutputTarget> targets_;
  const EvalOptions& options_;
  SmallVector<const std::byte*, 16> from_;  // where each source lies, once it is made
  PassMemory memory_;
  std::vector<std::int64_t> left_;    // to each pass, where there is not enough for anything
  std::shared_ptr<std::byte> moved_;  // what a pass over a base has put aside, while it runs
  std::int64_t near_taken_ = 0;
  alignas(cache_line) std::byte near_[near_bytes];  // not cleared
};

}  // namespace

std::vector<Storage> run(const Executable& executable, std::span<const OutputTarget> targets,
                         const EvalOptions& options) {
  Run run(executable, targets, options);
  run.run();
  std::vector<Storage> values;
  for (std::size_t k = 0; k < targets.size(); ++k) values.push_back(run.value(k));
  return values;
}

namespace {

/// A pass of steps that writes the caller's memory, with nobody asking or told: small results are
/// made in the time that a run takes to be set up.
bool is_direct(const Executable& executable, const OutputTarget& target,
               const EvalOptions& options) {
  return target.out && executable.is_of_steps_alone() &&
         executable.most_bytes() <= stored_limit(options) && !Watch::is_needed(options);
}

}  // namespace

void run_steps(const Executable& executable, std::byte* out, int threads) {
  const Plan& plan = executable.plan;
  SmallVector<const std::byte*, 4> from;
  for (const PlanSource& source : plan.sources) from.push_back(source.value.get());
  weft::run(executable.passes()[0].steps, plan.passes[0], out, {from.data(), from.size()}, threads);
}

Storage run(const Executable& executable, const OutputTarget& target, const EvalOptions& options) {
  if (is_direct(executable, target, options)) {
    check_options(options);
    run_steps(executable, target.out, options.threads);
    return nullptr;
  }
  Run run(executable, {&target, 1}, options);
  run.run();
  return run.value(0);
}

}  // namespace weft
