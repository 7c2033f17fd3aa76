// SPDX-License-Identifier: Apache-2.0
// Positions as digits: one of which, in every copy, does not tell what is read.
#include <weft/graph/plan/repetitions.h>

#include <algorithm>
#include <optional>

namespace weft {
namespace {

// Copies are asked for what they repeat up to so many; what all of them do the first ones do.
constexpr std::size_t most_asked = 4;
// What is repeated within is read a little slower than what lies as often as it is read.
constexpr std::int64_t fewest_times = 3;

/// The copy without that repetition; none where it has not all of it, or a loop of it leads from
/// one stretch into another.
std::optional<Copy> without(const Repetition& repetition, const Copy& copy) {
  const auto [times, within] = repetition;
  const std::int64_t stretch = times * within;
  if (copy.out_offset % stretch >= within) return {};
  Copy made{copy.source,
            copy.layer,
            copy.out_offset / stretch * within + copy.out_offset % within,
            copy.src_offset,
            {}};
  std::int64_t last = copy.out_offset % within;
  bool is_found = false;
  const auto add = [&](Loop loop) {
    if (loop.out_stride % stretch == 0) loop.out_stride /= times;
    else last += loop.out_stride * (loop.extent - 1);
    made.add_within(loop);
  };
  for (const Loop& loop : copy.loops) {
    const std::int64_t stride = loop.out_stride, span = stride * loop.extent;
    const bool has_it = loop.is_repetition() && stride <= within && within % stride == 0 &&
                        span >= stretch && span % stretch == 0;
    if (loop.out_table || (has_it && is_found)) return {};
    if (!has_it) {
      add(loop);
      continue;
    }
    is_found = true;
    add({span / stretch, stretch, 0});
    add({within / stride, stride, 0});
  }
  return is_found && last < within ? std::optional(std::move(made)) : std::nullopt;
}

/// Takes one more out of all copies; false where none of `of` is in all of them.
bool take_one(const Copy& of, const std::vector<Copy>& copies, std::int64_t count,
              RepeatedCopies& to) {
  for (const Loop& loop : of.loops) {
    const Repetition found{loop.extent, loop.out_stride};
    const std::int64_t stretch = found.times * found.within;
    if (!loop.is_repetition() || count % stretch != 0 ||
        (found.times < fewest_times && stretch != count))
      continue;
    std::vector<Copy> once;
    for (const Copy& copy : copies) {
      std::optional<Copy> made = without(found, copy);
      if (!made) break;
      once.push_back(std::move(*made));
    }
    if (once.size() < copies.size()) continue;
    to.once = std::move(once);
    to.repetitions.push_back(found);
    return true;
  }
  return false;
}

/// A loop over what is written once, where that is repeated.
void repeat(const Repetition& repetition, Copy& copy) {
  const auto [times, within] = repetition;
  SmallVector<Loop, 6> loops, below;
  for (const Loop& loop : copy.loops) {
    const std::int64_t stride = loop.out_stride;
    const std::int64_t parts = std::clamp<std::int64_t>(within / stride, 1, loop.extent);
    if (stride >= within) {
      loops.push_back({loop.extent, stride * times, loop.src_stride});
    } else {
      if (parts < loop.extent)
        loops.push_back({loop.extent / parts, within * times, loop.src_stride * parts});
      below.push_back({parts, stride, loop.src_stride});
    }
  }
  loops.push_back({times, within, 0});
  for (const Loop& loop : below) loops.push_back(loop);
  copy.loops = std::move(loops);
}

}  // namespace

std::int64_t RepeatedCopies::times() const {
  std::int64_t times = 1;
  for (const Repetition& repetition : repetitions) times *= repetition.times;
  return times;
}

Copy RepeatedCopies::read(std::size_t source, std::int64_t count) const {
  Copy all{source, 0, 0, 0, {}};
  all.add_within({count / times(), 1, 1});
  for (std::size_t k = repetitions.size(); k-- > 0;) repeat(repetitions[k], all);
  return all;
}

RepeatedCopies find_repetitions(const std::vector<Copy>& copies, std::int64_t count) {
  RepeatedCopies found;
  for (bool has_more = !copies.empty(); has_more;) {
    const std::vector<Copy>& left = found.once.empty() ? copies : found.once;
    has_more = false;
    for (std::size_t k = 0; k < std::min(left.size(), most_asked) && !has_more; ++k)
      has_more = take_one(left[k], left, count / found.times(), found);
  }
  return found;
}

}  // namespace weft
