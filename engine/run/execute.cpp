// SPDX-License-Identifier: Apache-2.0
// Plans: which passes run, where each writes, and how long that is kept.
#include <weft/engine/run/execute.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <utility>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/executor.h>
#include <weft/engine/run/in_place.h>
#include <weft/graph/value/error.h>

namespace weft {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// What becomes of one pass.
struct PassRun {
  bool is_needed = true;
  bool is_output = false;
  OutputTarget target{};
  std::size_t last_reader = 0;  // a pass; 0, which reads none, where nobody does
  // The first of those whose last reader this is, and the next with the same one.
  std::size_t first_over = none, next_over = none;
};

/// Carries out one plan.
class Execution {
 public:
  Execution(const Plan& plan, std::span<const OutputTarget> targets, const EvalOptions& options)
      : plan_(plan),
        targets_(targets),
        options_(options),
        runs_(plan.passes.size()),
        from_(plan.sources.size()),
        memory_(plan.passes.size()) {
    check_options(options);
    find_outputs();
    find_readers();
    check();
  }

  void run() {
    for (std::size_t p = 0; p < runs_.size(); ++p) {
      if (!runs_[p].is_needed) continue;
      run_one(p);
      for_each_over_after(p, [&](std::size_t q) { memory_[q].reset(); });
    }
    // Outputs that are made by one pass but go to two places.
    for (std::size_t k = 0; k < targets_.size(); ++k)
      if (const std::size_t p = plan_.outputs[k].pass; targets_[k].out && targets_[k].out != out(p))
        std::memcpy(targets_[k].out, out(p), static_cast<std::size_t>(bytes(p)));
  }

  /// Of an output that is not the caller's memory.
  Storage value(std::size_t k) const {
    const PlanOutput& output = plan_.outputs[k];
    if (is_made(k)) return memory_[output.pass];
    const Storage& source = plan_.sources[output.source].value;
    return Storage(source, source.get() + output.offset * plan_.passes[output.pass].element());
  }

 private:
  /// Whether a pass makes the output, though it might lie somewhere already.
  bool is_made(std::size_t k) const { return !plan_.outputs[k].is_alias || targets_[k].out; }

  void find_outputs() {
    for (std::size_t k = 0; k < plan_.outputs.size(); ++k) {
      PassRun& run = runs_[plan_.outputs[k].pass];
      run.is_needed = is_made(k) || (run.is_output && run.is_needed);
      if (!run.is_output) run.target = targets_[k];
      run.is_output = true;
    }
  }

  void find_readers() {
    for (std::size_t p = 0; p < runs_.size(); ++p) {
      for (const Copy& copy : plan_.passes[p].copies) add_reader(p, copy.source);
      for (const std::size_t operand : plan_.passes[p].operands) add_reader(p, operand);
    }
    for (std::size_t q = 0; q < runs_.size(); ++q) {
      if (runs_[q].last_reader == 0 || runs_[q].is_output) continue;
      std::size_t& first = runs_[runs_[q].last_reader].first_over;
      runs_[q].next_over = std::exchange(first, q);
    }
  }
  void add_reader(std::size_t p, std::size_t source) {
    const std::size_t made_by = plan_.sources[source].pass;
    if (made_by == PlanSource::stored) return;
    runs_[made_by].last_reader = p;
    runs_[made_by].is_needed = true;
  }

  std::int64_t bytes(std::size_t p) const { return plan_.passes[p].bytes(); }
  /// Calls over(q) for each pass q for whose memory nobody asks once pass p has run.
  template <class Over>
  void for_each_over_after(std::size_t p, const Over& over) const {
    for (std::size_t q = runs_[p].first_over; q != none; q = runs_[q].next_over) over(q);
  }

  /// Refuses a plan that takes more memory than is allowed at any time.
  void check() const {
    const std::int64_t limit = limits_of(options_).stored_bytes;
    std::int64_t total = std::max<std::int64_t>(0, plan_.own_bytes() - planning_allowance);
    for (std::size_t p = 0; p < runs_.size(); ++p) {
      // What is written over a base, or into memory of the caller, takes none of weft's.
      if (!runs_[p].is_needed || is_over_base(p) || runs_[p].target.out) continue;
      const Pass& pass = plan_.passes[p];
      if (bytes(p) > limit - total)
        throw MemoryError(
            fmt::format("eval: {} {} takes {} bytes beside {} of this evaluation, at most {} "
                        "are allowed",
                        pass.what, to_string(pass.type.shape), bytes(p), total, limit));
      total += bytes(p);
      for_each_over_after(p, [&](std::size_t q) { total -= bytes(q); });
    }
  }

  bool is_over_base(std::size_t p) const { return runs_[p].target.base != OutputTarget::no_base; }

  void run_one(std::size_t p) {
    const Pass& pass = plan_.passes[p];
    for (const Copy& copy : pass.copies) find_source(copy.source);
    for (const std::size_t operand : pass.operands) find_source(operand);
    const std::span<const std::byte* const> from(from_.data(), from_.size());
    if (is_over_base(p)) return run_over_base(p, from);
    if (!runs_[p].target.out) memory_[p] = allocate(bytes(p), pass.what, pass.type.shape);
    if (pass.computation) return compute(pass, out(p), from);
    run_pass(pass, {out(p)}, from, options_.threads);
  }

  void find_source(std::size_t s) {
    const PlanSource& source = plan_.sources[s];
    from_[s] = source.pass == PlanSource::stored ? source.value.get() : out(source.pass);
  }

  void compute(const Pass& pass, std::byte* out, std::span<const std::byte* const> from) const {
    SmallVector<const std::byte*, 4> operands;
    for (const std::size_t operand : pass.operands) operands.push_back(from[operand]);
    run_isolated([&] {
      pass.computation({operands.data(), operands.size()}, out,
                       [&](std::int64_t count, const auto& work) {
                         run_parts(count, pass.bytes(), options_.threads, work);
                       });
    });
  }

  /// Only what differs from the base is written.
  void run_over_base(std::size_t p, std::span<const std::byte* const> from) {
    const std::size_t base = runs_[p].target.base;
    memory_[p] = std::const_pointer_cast<std::byte>(plan_.sources[base].value);
    const OverBase parts = over_base(plan_.passes[p], base, from.size());
    SmallVector<const std::byte*, 8> sources(from);
    std::shared_ptr<std::byte> moved;
    if (parts.moved.count > 0) {
      if (const std::int64_t limit = limits_of(options_).stored_bytes; parts.moved.bytes() > limit)
        throw MemoryError(fmt::format(
            "eval: {} bytes of {} {} would be put aside, at most {} are allowed",
            parts.moved.bytes(), parts.pass.what, to_string(parts.pass.type.shape), limit));
      moved = allocate(parts.moved.bytes(), parts.pass.what, parts.pass.type.shape);
      run_pass(parts.moved, {moved.get()}, from, options_.threads);
    }
    sources.push_back(moved.get());
    run_pass(parts.pass, {out(p), true, parts.moved.count > 0 || is_read_before(p, base)},
             {sources.data(), sources.size()}, options_.threads);
  }

  /// Whether an earlier pass has read a source: it could not be carried out again over what this
  /// one has begun to write.
  bool is_read_before(std::size_t p, std::size_t source) const {
    return std::any_of(plan_.passes.begin(), plan_.passes.begin() + static_cast<std::ptrdiff_t>(p),
                       [&](const Pass& pass) { return pass.reads(source); });
  }

  std::byte* out(std::size_t p) const {
    return runs_[p].target.out ? runs_[p].target.out : memory_[p].get();
  }

  const Plan& plan_;
  const std::span<const OutputTarget> targets_;
  const EvalOptions& options_;
  SmallVector<PassRun, 4> runs_;
  SmallVector<const std::byte*, 8> from_;  // where each source lies, once a pass has read it
  std::vector<std::shared_ptr<std::byte>> memory_;  // of each pass
};

}  // namespace

void check_options(const EvalOptions& options) {
  if (options.threads < 0 || options.memory_limit < 0)
    throw ParameterError("bad_option",
                         fmt::format("eval: {} threads and {} bytes, expected 0 or more",
                                     options.threads, options.memory_limit));
}

void refuse_in_place(std::string_view what, const EvalOptions& options) {
  if (options.in_place)
    throw ParameterError("bad_option",
                         fmt::format("{}: in_place is set, which it cannot do", what));
}

PlanLimits limits_of(const EvalOptions& options) {
  PlanLimits limits;
  limits.stored_bytes = options.memory_limit > 0 ? options.memory_limit : physical_memory();
  limits.planning_bytes = std::max(limits.stored_bytes, planning_allowance);
  limits.may_compute = !options.in_place;  // computations write all, boxes what differs from a base
  return limits;
}

std::vector<Storage> execute(const Plan& plan, std::span<const OutputTarget> targets,
                             const EvalOptions& options) {
  Execution execution(plan, targets, options);
  execution.run();
  std::vector<Storage> values;
  for (std::size_t k = 0; k < targets.size(); ++k) values.push_back(execution.value(k));
  return values;
}

Storage execute(const Plan& plan, const OutputTarget& target, const EvalOptions& options) {
  Execution execution(plan, {&target, 1}, options);
  execution.run();
  return execution.value(0);
}

}  // namespace weft
