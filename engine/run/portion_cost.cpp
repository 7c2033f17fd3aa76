// SPDX-License-Identifier: Apache-2.0
// Whether portions pay: what is made stays in a cache, but kernels have less to do at a time, and
// some lines are touched by several portions.
#include <algorithm>
#include <cstdlib>

#include <weft/engine/run/portions.h>

namespace weft {
namespace {

/// About how many cache lines copies read, or write, those that they come back to several times;
/// with what it takes to find so many pages that they are not all remembered.
double lines_of(const std::vector<Copy>& copies, std::int64_t element, bool is_read) {
  constexpr std::int64_t page = 4096;
  constexpr double pages_kept = 1024, lines_of_page = 5;
  double lines = 0;
  for (const Copy& copy : copies) {
    SmallVector<Loop, 6> loops;  // over that memory alone
    for (const Loop& loop : copy.loops) {
      const bool is_listed = is_read ? loop.src_table != nullptr : loop.out_table != nullptr;
      const std::int64_t stride = is_read ? loop.src_stride : loop.out_stride;
      if (is_listed || stride != 0)
        loops.push_back({loop.extent, is_listed ? cache_line : std::abs(stride), 0});
    }
    std::sort(loops.begin(), loops.end(),
              [](const Loop& a, const Loop& b) { return a.out_stride < b.out_stride; });
    std::int64_t together = element;
    double parts = 1, pages = 1;
    for (const Loop& loop : loops) {
      const auto extent = static_cast<double>(loop.extent);
      const std::int64_t bytes = loop.out_stride * element;
      if (parts == 1 && bytes < together + cache_line) together += (loop.extent - 1) * bytes;
      else parts *= extent;
      if (bytes >= page) pages *= extent;
    }
    lines += parts * static_cast<double>(together + cache_line - element) / cache_line;
    if (pages > pages_kept) lines += lines_of_page * parts;
  }
  return lines;
}

/// In picoseconds: what kernels say, and what lines take, of which kernels say nothing.
struct Estimate {
  double steps = 0, lines = 0;

  /// Of steps that make a part of a pass; what is made and moved stays in a cache.
  void add(const PassSteps& made, const Pass& part, bool is_large, std::size_t moved) {
    constexpr double a_line = 2000;
    std::vector<Copy> reading;
    for (const Copy& copy : part.copies)
      if (copy.source != moved) reading.push_back(copy);
    const std::int64_t element = part.element();
    steps += picoseconds_of(made, is_large);
    lines += a_line * (lines_of(reading, element, true) + lines_of(part.copies, element, false));
  }
};

Estimate estimate_of_whole(const Portions& portions, const Plan& plan, std::size_t p) {
  PassTarget target = portions.target;
  Estimate all;
  for (const std::size_t q : {p - 1, p}) {
    const Pass& pass = plan.passes[q];
    target.part_of = &pass;
    all.add(make_pass_steps(pass, target), pass, is_large(pass.bytes()), portions.source);
  }
  all.steps += picoseconds_between(portions.whole_bytes, is_large(portions.whole_bytes));
  return all;
}

/// Of all portions, by some of them: as much of it as they read.
Estimate estimate_of_some(const Portions& portions, const Plan& plan, std::size_t p) {
  constexpr std::int64_t most = 4;
  const auto read_by = [&](std::int64_t k) {
    const Portions::Portion& portion = portions.portions[static_cast<std::size_t>(k)];
    return static_cast<double>(portion.high - portion.low);
  };
  const std::int64_t count = portions.count(), some = std::min(count, most);
  Estimate all;
  double read = 0, read_by_all = 0;
  for (std::int64_t k = 0; k < count; ++k) read_by_all += read_by(k);
  for (std::int64_t k = 0; k < some; ++k) {
    const std::int64_t at = (2 * k + 1) * count / (2 * some);
    const Portions::Parts parts = parts_of(portions, plan, p, at);
    const Portions::Steps steps = steps_of(portions, plan, p, parts);
    all.add(steps.made, parts.made, is_large(portions.whole_bytes), portions.source);
    all.add(steps.moved, parts.moved, is_large(plan.passes[p].bytes()), portions.source);
    read += read_by(at);
  }
  const double times = read_by_all / std::max(read, 1.0);
  return {times * all.steps + picoseconds_between(portions.whole_bytes, false), times * all.lines};
}

}  // namespace

PortionCost cost_of(const Portions& portions, const Plan& plan, std::size_t p) {
  const Estimate whole = estimate_of_whole(portions, plan, p);
  const Estimate own = estimate_of_some(portions, plan, p);
  return {own.steps + std::max(0.0, own.lines - whole.lines), whole.steps};
}

}  // namespace weft
