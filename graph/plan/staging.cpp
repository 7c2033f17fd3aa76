// SPDX-License-Identifier: Apache-2.0
// Finding copies worth staging, and parting them in two.
#include <weft/graph/plan/staging.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include <weft/graph/plan/rolled_rows.h>
#include <weft/graph/plan/stored_order.h>
#include <weft/graph/plan/turned_halves.h>

namespace weft {
namespace {

// So often a transpose must be repeated: 8 times a [3000, 3000] of f32 took 56 ms, staged 28; of
// [1024, 1024], which caches keep, 0.83 and 0.96.
constexpr std::int64_t fewest_repeats = 4;
// What is smaller stays in the first cache however it lies.
constexpr std::int64_t fewest_bytes = 64 * 1024;
// Runs of this many bytes are fast wherever they lie.
constexpr std::int64_t run_bytes = 64;

std::int64_t repeats(const Copy& copy) {
  std::int64_t count = 1;
  for (const Loop& loop : copy.loops)
    if (loop.is_repetition()) count *= loop.extent;
  return count;
}

/// Bytes that are read, each once.
std::int64_t bytes_once(const Copy& copy, std::int64_t element) {
  return copy.count() / repeats(copy) * element;
}

/// Whether neighbours in the output lie apart in the source, and are not the same.
bool reads_apart(const Copy& copy, std::int64_t element) {
  const Loop& inner = copy.loops.back();
  if (!inner.is_plain() || inner.out_stride != 1 || inner.src_stride == 0) return false;
  return std::abs(inner.src_stride) != 1 || inner.extent * element < run_bytes;
}

bool repeats_far(const Plan& plan, const Pass& pass, const Copy& copy) {
  if (copy.loops.empty()) return false;
  const std::int64_t element = pass.element(), times = repeats(copy);
  const std::int64_t bytes = bytes_once(copy, element);
  return times >= fewest_repeats && bytes >= fewest_bytes && bytes <= plan.limits.stored_bytes &&
         reads_apart(copy, element);
}

// So small is what is turned before each element is repeated: elements that lie apart are repeated
// one by one (one thread, every one twice; u8, 64 x 64 x 64, axes turned: 509 us,
// 88 turned first; 16 x 31 x 1031: 442, 57).
constexpr std::int64_t fewest_repeated = 1024;
// Few that are put together, or channels that are parted, are repeated on the way.
constexpr std::int64_t few_together = 7, most_channels = 4;

bool is_repeated_at_once(const Loop& loop) { return loop.is_repetition() && loop.out_stride == 1; }

/// Whether each element is repeated at once, and those beside it lie apart in the source, where
/// others follow one another.
bool repeats_turned(const Plan& plan, const Pass& pass, const Copy& copy) {
  if (copy.loops.size() < 3 || !is_repeated_at_once(copy.loops.back())) return false;
  const Loop& next = copy.loops[copy.loops.size() - 2];
  const std::int64_t bytes = bytes_once(copy, pass.element());
  return next.is_plain() && next.extent > few_together &&
         std::abs(next.src_stride) > most_channels && bytes >= fewest_repeated &&
         plan.limits.may_spend(bytes) &&
         std::any_of(copy.loops.begin(), copy.loops.end(), [](const Loop& loop) {
           return loop.is_plain() && std::abs(loop.src_stride) == 1 && loop.extent > 1;
         });
}

// A line of the source holds several elements of a row, some steps apart: those are turned one by
// one, and by vectors where they lie side by side (one thread; u8, 512 x 512 of every second: 73 us
// one by one, 12 put side by side first; f32, 1000 x 1000 of every fourth 760 and 480). 3 bytes
// gain from more on, wider elements nothing. Many steps of a few rows gain from less on (u8, 2 x
// 2500 of every second: 1.5 us, 0.2; 16 x 128: 1.6, 0.3; but 400 x 5 0.9, 1.0). Of a few steps
// bytes gain whatever is turned, wider elements where it is kept (MiB of every second of 4, 45
// columns: u8 152 us, 41; u16 73, 35; f32 40, 34; of every third of 12 u16 54, 76).
constexpr std::int64_t far_bytes = 64, near_bytes = 16, fewest_steps = 8, widest = 4;
constexpr std::int64_t fewest_turned = 8 * 1024, fewest_columns = 3;
constexpr std::int64_t many_steps = 128, fewer_turned = 2 * 1024, few_step_bytes = 8;
// What is turned at once and stays in the caches.
constexpr std::int64_t kept_bytes = 4 * 1024 * 1024;

using LoopOrder = SmallVector<Loop*, 6>;

/// Those that read other elements at each step, innermost first.
LoopOrder reading_loops(Copy& copy) {
  LoopOrder loops;
  for (std::size_t i = copy.loops.size(); i-- > 0;)
    if (!copy.loops[i].is_repetition()) loops.push_back(&copy.loops[i]);
  return loops;
}

/// Parts a copy in two: what is returned reads the elements and writes them side by side from
/// `offset` on, in the order of its loops, innermost first; the copy then reads them there.
Copy gather(Copy& copy, const LoopOrder& order, std::size_t source, std::int64_t offset) {
  Copy gathering{copy.source, 0, offset, copy.src_offset, {}};
  std::int64_t count = 1;
  for (Loop* const loop : order) {
    gathering.loops.push_back({loop->extent, count, loop->src_stride, loop->src_table, nullptr});
    *loop = {loop->extent, loop->out_stride, count, nullptr, loop->out_table};
    count *= loop->extent;
  }
  std::reverse(gathering.loops.begin(), gathering.loops.end());
  copy.source = source;
  copy.src_offset = offset;
  return gathering;
}

/// A pass before pass p that makes one more source of so many elements.
void add_source(Plan& plan, std::size_t p, std::vector<Copy> copies, std::int64_t count) {
  for (PlanSource& source : plan.sources)
    if (source.pass != PlanSource::stored && source.pass >= p) ++source.pass;
  for (PlanOutput& output : plan.outputs)
    if (output.pass >= p) ++output.pass;
  const TensorType type{plan.passes[p].type.dtype, {count}};
  Pass pass{"staged", type, count, std::move(copies), false};
  plan.passes.insert(plan.passes.begin() + static_cast<std::ptrdiff_t>(p), std::move(pass));
  plan.sources.push_back({nullptr, type, count, p});
}

// Elements that several copies put one by one between those of others, or two or three, go in order
// first where that has most of them in runs (one thread, rows rolled and turned; u8, 3 x 5000: 12.8
// us, 0.45 in order first; u16, 7 x 5000: 13.8, 2.4; f32, 3 x 300000: 267, 127). Where caches keep
// less than both passes, or elements are wide, stretches are shorter that are worth it (u16, 12 x
// 300000: 330 us, 456; f32 of 7 rows between two of a pad: 7.9 us, 10.3).
constexpr std::int64_t few_bytes = 16, fewer_bytes = 8;
constexpr std::int64_t narrow = 2;
constexpr std::int64_t fewer_runs = 2, fewest_in_order = 4 * 1024;

/// How many stretches of neighbours copies write, in whatever order they read them.
std::int64_t stretches_of(const std::vector<Copy>& copies) {
  std::int64_t stretches = 0;
  for (const Copy& copy : copies) stretches += copy.count() / stretch_of(copy);
  return stretches;
}

/// Whether most of what a pass writes is rows that are rolled, and turned as one.
bool are_rolled(const Pass& pass, const std::vector<bool>& parts) {
  std::int64_t rolled = 0;
  for (std::size_t k = 0; k < parts.size(); ++k)
    if (parts[k]) rolled += pass.copies[k].count();
  return 4 * rolled >= 3 * pass.count;
}

/// What copies read in an order in which they have long runs, to be turned as one.
std::optional<StoredOrder> order_of_runs(const Plan& plan, const Pass& pass,
                                         const std::vector<bool>& rolled) {
  const std::int64_t bytes = pass.bytes();
  const bool is_kept = bytes <= kept_bytes && pass.element() <= narrow;
  if (pass.copies.size() < 2 || pass.is_of_whole() || pass.has_program() ||
      bytes < fewest_in_order || !plan.limits.may_spend(bytes) || are_turned_halves(pass) ||
      stretches_of(pass.copies) * (is_kept ? few_bytes : fewer_bytes) <= bytes ||
      are_rolled(pass, rolled))
    return {};
  return StoredOrder::of(pass.copies, pass.count);
}

// Steps no further apart than this come back to the same lines. A pass leaps that has no more bytes
// to a leap; another order is worth it that has so many times fewer.
constexpr std::int64_t near_step_bytes = 32, most_leap_bytes = 3, fewer_leaps = 8;

/// How often copies go far: between elements that do not lie near one another, in the output or in
/// the source.
std::int64_t leaps_of(const std::vector<Copy>& copies, std::int64_t element) {
  std::int64_t leaps = 0;
  for (const Copy& copy : copies) {
    std::int64_t near = 1;
    for (std::size_t k = copy.loops.size(); k-- > 0; near *= copy.loops[k].extent) {
      const auto is_near = [&](std::int64_t stride) {
        return std::abs(stride) * element <= near_step_bytes;
      };
      if (!copy.loops[k].is_plain() || !is_near(copy.loops[k].out_stride) ||
          !is_near(copy.loops[k].src_stride))
        break;
    }
    leaps += copy.count() / near;
  }
  return leaps;
}

/// Whether a pass of narrow elements leaps to most of them, and `stored` does not.
bool leaps_less(const std::vector<Copy>& stored, const Pass& pass) {
  const std::int64_t element = pass.element(), leaps = leaps_of(pass.copies, element);
  return element <= narrow && leaps * most_leap_bytes >= pass.bytes() &&
         leaps_of(stored, element) * fewer_leaps <= leaps;
}

/// Whether pass p has one more before it, which puts what it moves in order.
bool goes_in_order(Plan& plan, std::size_t p, const std::vector<bool>& rolled) {
  const std::optional<StoredOrder> order = order_of_runs(plan, plan.passes[p], rolled);
  if (!order) return false;
  std::optional<std::vector<Copy>> stored = order->stored(plan.passes[p].copies);
  if (!stored) return false;
  if (runs_of(*stored) * fewer_runs > runs_of(plan.passes[p].copies) &&
      !leaps_less(*stored, plan.passes[p]))
    return false;
  const bool is_painted = std::exchange(plan.passes[p].is_painted, false);
  plan.passes[p].copies = {order->read(plan.sources.size())};
  add_source(plan, p, std::move(*stored), plan.passes[p].count);
  plan.passes[p].is_painted = is_painted;
  return true;
}

/// Also what then repeats narrow elements (f32, 5 of each fourth, each twice: 29 us, 42).
bool turns_steps(const Plan& plan, const Pass& pass, const Copy& copy) {
  const std::int64_t element = pass.element();
  if (bytes_once(copy, element) > plan.limits.stored_bytes) return false;
  if (element > narrow || copy.loops.size() < 2 || !is_repeated_at_once(copy.loops.back()))
    return weft::turns_steps(copy, element);
  Copy once = copy;
  once.loops.pop_back();
  Loop& inner = once.loops.back();
  if (inner.out_stride != copy.loops.back().extent) return false;
  inner.out_stride = 1;
  return weft::turns_steps(once, element);
}

}  // namespace

std::int64_t stretch_of(const Copy& copy) {
  std::int64_t stretch = 1;
  for (std::size_t k = copy.loops.size(); k-- > 0 && copy.loops[k].out_stride == stretch;)
    stretch *= copy.loops[k].extent;
  return stretch;
}

Copy gather_first(Copy& copy, std::size_t source, std::int64_t offset) {
  return gather(copy, reading_loops(copy), source, offset);
}

Copy gather_in_order(Copy& copy, std::size_t source) {
  LoopOrder order = reading_loops(copy);
  std::sort(order.begin(), order.end(), [](const Loop* a, const Loop* b) {
    return std::abs(a->src_stride) < std::abs(b->src_stride);
  });
  return gather(copy, order, source, 0);
}

bool turns_steps(const Copy& copy, std::int64_t element) {
  if (copy.loops.empty() || element > widest) return false;
  const Loop& inner = copy.loops.back();
  if (inner.out_stride != 1 || std::abs(inner.src_stride) * element < far_bytes) return false;
  const Loop* nearest = &inner;
  for (const Loop& loop : copy.loops) {
    if (!loop.is_plain()) return false;
    if (loop.src_stride != 0 && std::abs(loop.src_stride) < std::abs(nearest->src_stride))
      nearest = &loop;
  }
  const bool are_many = nearest->extent >= many_steps;
  const std::int64_t fewest = far_bytes % element != 0 ? fewest_bytes
                              : are_many               ? fewer_turned
                                                       : fewest_turned;
  const std::int64_t bytes = bytes_once(copy, element);
  if (bytes < fewest || (inner.extent < fewest_columns && !are_many)) return false;
  const std::int64_t step = std::abs(nearest->src_stride), steps = nearest->extent;
  // Fewer are too short for rows of a kernel that turns.
  const bool are_few = steps * element <= few_step_bytes && bytes <= kept_bytes;
  return step > 1 && step * element <= near_bytes &&
         (steps >= fewest_steps || element == 1 || are_few);
}

bool is_turned_often(const Copy& copy, std::int64_t element) {
  if (copy.loops.empty()) return false;
  const Loop& inner = copy.loops.back();
  const bool is_turned = inner.out_stride == 1 && inner.src_stride != 0 && inner.src_stride != 1;
  const std::int64_t times = repeats(copy);
  if (!is_turned || times < fewest_repeats) return false;
  const bool repeats_as_a_whole = std::is_partitioned(
      copy.loops.begin(), copy.loops.end(), [](const Loop& loop) { return loop.is_repetition(); });
  return !repeats_as_a_whole || bytes_once(copy, element) >= fewest_bytes;
}

void stage_copies(Plan& plan) {
  for (std::size_t p = 0; p < plan.passes.size(); ++p) {
    std::vector<bool> rolled = parts_of_rolled(plan.passes[p]);
    if (goes_in_order(plan, p, rolled)) {
      ++p;  // the staging pass takes the number p, and one copy is left
      rolled.clear();
    }
    for (std::size_t k = 0; k < plan.passes[p].copies.size(); ++k) {
      if (k < rolled.size() && rolled[k]) continue;
      Copy& copy = plan.passes[p].copies[k];
      const auto stage = [&](Copy first) {
        const std::int64_t count = first.count();
        add_source(plan, p++, {std::move(first)}, count);
      };
      if (repeats_far(plan, plan.passes[p], copy)) {
        stage(gather_first(copy, plan.sources.size(), 0));
        continue;
      }
      if (turns_steps(plan, plan.passes[p], copy))
        stage(gather_in_order(copy, plan.sources.size()));
      if (Copy& turned = plan.passes[p].copies[k]; repeats_turned(plan, plan.passes[p], turned))
        stage(gather_first(turned, plan.sources.size(), 0));
    }
  }
}

}  // namespace weft
