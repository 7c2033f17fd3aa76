// SPDX-License-Identifier: Apache-2.0
// What carries one pass out: its steps, and which of them each task runs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <weft/engine/run/clip.h>
#include <weft/engine/run/step.h>
#include <weft/engine/run/workers.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// How a pass is to be run.
struct PassTarget {
  /// Whether all that no copy writes is there already.
  bool is_over_base = false;
  /// Whether programs write that afterwards.
  bool is_beside_blocks = false;
  /// Whether what is overwritten is lost if the pass ends half-way: it then throws before it
  /// writes, or not at all.
  bool is_lost_otherwise = false;
  /// Whether it runs but once, so that keeping more steps than are run at a time would not pay.
  bool is_once = false;
  /// Whether the machine may be measured for it.
  bool may_measure = true;
  /// Whether it reads what passes before it made.
  bool reads_made = false;
  /// The pass that it is a part of, where others make the rest beside it.
  const Pass* part_of = nullptr;
  /// From how many bytes on it is divided among threads.
  std::int64_t fewest_divided = parallel_bytes;
  /// What a task writes, in bytes; 0: as suits the pass.
  std::int64_t share = 0;
  /// What steps that must all be there before the first one runs may take; MemoryError beyond.
  std::int64_t most_bytes = max_bytes;
};

/// Equal parts of the output, in its order.
struct Stretches {
  std::int64_t all = 0, share = 1, count = 0;

  std::int64_t begin(std::int64_t k) const { return k * share; }
  std::int64_t end(std::int64_t k) const { return std::min(all, (k + 1) * share); }
};

/// Only read once it is made, so threads may run one at the same time.
struct PassSteps {
  enum class Manner {
    here,       ///< one task, on the calling thread
    pieces,     ///< tasks in any order, each of some parts of boxes
    stretches,  ///< tasks in any order, each of a stretch of the output, box after box
    aside,      ///< task k makes stretch k, put together aside and then streamed
  };
  Manner manner = Manner::here;
  bool streams = false;       ///< kernels may write past the caches, and tasks end by a fence
  bool asks_machine = false;  ///< for what caches keep, and how to stream
  bool is_lost_otherwise = false;
  bool is_by_one_of_few = false;  ///< tasks run on one thread where there are but few
  std::int64_t element = 0;
  std::vector<Step> steps{};
  std::vector<std::size_t> ends{};  ///< of the steps of each task, where there are several
  Stretches stretches{};
  /// The boxes of stretches whose steps are not kept but lowered as they run.
  std::vector<Copy> unlowered{};
  JoinedTables tables{};  ///< that steps and boxes refer to

  /// What they take themselves.
  std::int64_t bytes() const {
    std::size_t bytes = steps.size() * sizeof(Step) + unlowered.size() * sizeof(Copy);
    for (const Step& step : steps) bytes += step.stacked.size() * sizeof(Step::Stacked);
    return static_cast<std::int64_t>(bytes);
  }
  /// What a task puts a stretch together in, where there is memory for it.
  std::int64_t scratch_bytes() const {
    return manner == Manner::aside ? stretches.share * element : 0;
  }
  std::int64_t tasks() const {
    if (manner == Manner::here) return 1;
    return unlowered.empty() ? std::ssize(ends) : stretches.count;
  }
};

/// The boxes that the steps of a pass are made of, in the order in which steps number them: its
/// own, but some of them joined, or cut to be written one over the other.
Pieces boxes_of(const Pass& pass, const PassTarget& target);

/// The steps of a pass with copies.
PassSteps make_pass_steps(const Pass& pass, const PassTarget& target);

/// Calls visit(step) for what boxes write to a stretch, in their order; `clipped` is for its use.
template <class Visit>
void for_each_step_of_stretch(const PassSteps& pass, std::span<const Copy> boxes, std::int64_t k,
                              std::vector<Copy>& clipped, const Visit& visit) {
  const std::int64_t begin = pass.stretches.begin(k), end = pass.stretches.end(k);
  for (std::uint32_t box = 0; box < boxes.size(); ++box) {
    clipped.clear();
    clip(boxes[box], begin, end, clipped);
    for (Copy& copy : clipped) {
      // Of large results alone.
      const bool is_aside = pass.manner == PassSteps::Manner::aside;
      if (is_aside) copy.out_offset -= begin;
      for_each_step_of_piece({std::move(copy)}, box, pass.element,
                             {.is_large = is_aside, .owns_gaps = true}, visit);
    }
  }
}

/// Calls visit(step) for every step of task t.
template <class Visit>
void for_each_step_of_task(const PassSteps& pass, std::int64_t t, const Visit& visit) {
  if (!pass.unlowered.empty()) {
    std::vector<Copy> clipped;
    return for_each_step_of_stretch(pass, pass.unlowered, t, clipped, visit);
  }
  const auto task = static_cast<std::size_t>(t);
  const std::size_t end = pass.ends.empty() ? pass.steps.size() : pass.ends[task];
  for (std::size_t k = task == 0 ? 0 : pass.ends[task - 1]; k < end; ++k) visit(pass.steps[k]);
}

/// Whether what caches keep of one pass for the next is less.
constexpr bool is_large(std::int64_t bytes) { return bytes > 4 * 1024 * 1024; }
/// About what it takes that one pass writes so many bytes and another reads them, in picoseconds:
/// where a core's caches keep both, and elsewhere.
constexpr double picoseconds_between(std::int64_t bytes, bool is_large) {
  constexpr double near = 10, far = 25;
  return (is_large ? far : near) * static_cast<double>(bytes);
}

/// About what the steps take on one thread, in picoseconds; where they are not kept, as those in
/// the middle do.
double picoseconds_of(const PassSteps& steps, bool is_large);

/// Calls visit(step) for every step of all tasks.
template <class Visit>
void for_each_step(const PassSteps& pass, const Visit& visit) {
  for (std::int64_t t = 0; t < pass.tasks(); ++t) for_each_step_of_task(pass, t, visit);
}

/// Runs the steps of `pass` on an output and the sources of its plan, on `threads` at most, or 0
/// for as many as there are. Where stretches are put together aside, that takes so many bytes at
/// most: by fewer tasks, or else not aside.
void run(const PassSteps& steps, const Pass& pass, std::byte* out,
         std::span<const std::byte* const> sources, int threads,
         std::int64_t most_aside = max_bytes);

}  // namespace weft
