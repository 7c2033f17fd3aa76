// The executor: tasks over the linear output; the only place that knows TBB.
#include <weft/engine/executor.h>

#include <algorithm>
#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <weft/engine/buffer.h>
#include <weft/engine/clip.h>
#include <weft/engine/lower.h>
#include <weft/graph/error.h>

namespace weft {
namespace {

// Outputs below this stay on the calling thread: waking others costs more than they save.
constexpr std::int64_t parallel_bytes = 256 * 1024;
// A task's share of the output. Painted layers are written twice while they are in a core's cache.
constexpr std::int64_t task_bytes = 512 * 1024;
// Rows of a transpose that one task takes at least, so that lines of the source are used whole.
constexpr std::int64_t transpose_rows = 32;

// Outputs from this size on do not stay in the caches until they are read, so they are streamed.
constexpr std::int64_t streamed_bytes = 16 * 1024 * 1024;

struct PassRun {
  const Pass& pass;
  std::int64_t element;
  bool streams;
  std::byte* out;
  SmallVector<const std::byte*, 8> sources;

  void operator()(std::int64_t begin, std::int64_t end) const {
    std::vector<Copy> pieces;
    for (const Copy& copy : pass.copies) {
      pieces.clear();
      clip(copy, begin, end, pieces);
      for (const Copy& piece : pieces) carry_out_one(piece);
    }
    if (streams) finish_streams();
  }

  /// All of it as one task.
  void operator()() const {
    for (const Copy& copy : pass.copies) carry_out_one(copy);
    if (streams) finish_streams();
  }

  void carry_out_one(const Copy& copy) const {
    carry_out(copy, lower(copy, element, streams), element, out, sources[copy.source]);
  }
};

std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// Elements of a task: whole cache lines, and whole row blocks of the largest transpose.
std::int64_t task_elements(const Pass& pass, std::int64_t element, int threads) {
  std::int64_t share = std::max<std::int64_t>(1, task_bytes / element);
  std::int64_t rows = 0;
  for (const Copy& copy : pass.copies) {
    const Lowered lowered = lower(copy, element);
    if (lowered.kernel == transpose_blocks)
      rows = std::max(rows, lowered.tile.outer.dst / element *
                                std::min(transpose_rows, lowered.tile.outer.extent));
  }
  if (rows > 0 && rows <= pass.count / (2 * threads)) share = round_up(share, rows);
  // An element of any size fills whole lines after cache_line of them.
  return round_up(share, cache_line);
}

void run_pass(const PassRun& run, int asked_threads) {
  const std::int64_t count = run.pass.count;
  const bool is_one_task = count * run.element < parallel_bytes;
  const bool is_small = is_one_task || asked_threads == 1;
  if (is_one_task || (is_small && !run.pass.is_painted)) return run();
  const int most = tbb::this_task_arena::max_concurrency();
  const int threads = asked_threads > 0 ? std::min(asked_threads, most) : most;
  const std::int64_t share = task_elements(run.pass, run.element, threads);
  const std::int64_t tasks = (count + share - 1) / share;
  const auto task = [&](std::int64_t t) { run(t * share, std::min(count, (t + 1) * share)); };
  if (is_small) {
    for (std::int64_t t = 0; t < tasks; ++t) task(t);
    return;
  }
  const auto all = [&] {
    // Isolated: a thread that waits here must not take up another evaluation, which might wait for
    // the value that this one is to make.
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, tasks), [&](const auto& range) {
        for (std::int64_t t = range.begin(); t < range.end(); ++t) task(t);
      });
    });
  };
  if (threads < most) tbb::task_arena(threads).execute(all);
  else all();
}

using Readers = SmallVector<std::size_t, 8>;

/// The last pass that reads each pass's output; none for the result.
Readers last_readers(const Plan& plan) {
  Readers last(plan.passes.size(), plan.passes.size());
  for (std::size_t p = 0; p < plan.passes.size(); ++p)
    for (const Copy& copy : plan.passes[p].copies)
      if (const std::size_t made_by = plan.sources[copy.source].pass; made_by != PlanSource::stored)
        last[made_by] = p;
  return last;
}

/// Refuses options that mean nothing, and a plan whose outputs take more than is allowed at any
/// time.
void check(const Plan& plan, const Readers& last, const EvalOptions& options) {
  if (options.threads < 0 || options.memory_limit < 0)
    throw ParameterError("bad_option",
                         fmt::format("eval: {} threads and {} bytes, expected 0 or more",
                                     options.threads, options.memory_limit));
  const std::int64_t limit = limits_of(options).stored_bytes;
  std::int64_t total = 0;
  for (std::size_t p = 0; p < plan.passes.size(); ++p) {
    const Pass& pass = plan.passes[p];
    const std::int64_t bytes = pass.count * plan.dtype.size();
    if (bytes > limit - total)
      throw MemoryError(
          fmt::format("eval: {} {} takes {} bytes beside {} of this evaluation, at most {} "
                      "are allowed",
                      pass.what, to_string(pass.shape), bytes, total, limit));
    total += bytes;
    for (std::size_t q = 0; q < p; ++q)
      if (last[q] == p) total -= plan.passes[q].count * plan.dtype.size();
  }
}

/// Runs all passes; the last writes to `result`, the others to memory of their own.
void run_passes(const Plan& plan, const Readers& last, std::byte* result,
                const EvalOptions& options) {
  const std::int64_t element = plan.dtype.size();
  std::vector<std::shared_ptr<std::byte>> stored(plan.passes.size() - 1);
  for (std::size_t p = 0; p < plan.passes.size(); ++p) {
    const bool is_last = p + 1 == plan.passes.size();
    if (!is_last) stored[p] = allocate(plan.passes[p].count * element);
    const Pass& pass = plan.passes[p];
    // A layer that is painted over must still be in the cache then.
    const bool streams = !pass.is_painted && pass.count * element >= streamed_bytes;
    PassRun run{pass, element, streams, is_last ? result : stored[p].get(), {}};
    for (const PlanSource& source : plan.sources)
      run.sources.push_back(source.pass == PlanSource::stored ? source.value.get()
                                                              : stored[source.pass].get());
    run_pass(run, options.threads);
    for (std::size_t q = 0; q < p; ++q)
      if (last[q] == p) stored[q].reset();
  }
}

}  // namespace

PlanLimits limits_of(const EvalOptions& options) {
  PlanLimits limits;
  limits.stored_bytes = options.memory_limit > 0 ? options.memory_limit : physical_memory();
  return limits;
}

Storage execute(const Plan& plan, const EvalOptions& options) {
  if (plan.is_alias) {
    const Storage& source = plan.sources[0].value;
    return Storage(source, source.get() + plan.alias_offset * plan.dtype.size());
  }
  const Readers last = last_readers(plan);
  check(plan, last, options);
  std::shared_ptr<std::byte> result = allocate(plan.passes.back().count * plan.dtype.size());
  run_passes(plan, last, result.get(), options);
  return result;
}

void execute_into(const Plan& plan, std::byte* out, const EvalOptions& options) {
  const Readers last = last_readers(plan);
  check(plan, last, options);
  run_passes(plan, last, out, options);
}

}  // namespace weft
