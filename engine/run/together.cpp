// SPDX-License-Identifier: Apache-2.0
// Where boxes are cut together: at a digit of the output positions.
#include <weft/engine/run/together.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include <weft/engine/memory/buffer.h>

namespace weft {
namespace {

// Cuts fall between these many bytes of the source.
constexpr std::int64_t src_quantum = 4 * cache_line;
// A loop with room for so many cuts is long enough.
constexpr std::int64_t many_cuts = 4;

/// Output positions p with p / stride % steps in some range are a part of the output.
struct Digit {
  std::int64_t stride, steps;
  std::int64_t quantum = 1;  ///< steps that are not to be cut apart
};

/// Where a copy lies along a digit: the loop that steps through it, if any, from which step on.
struct Place {
  std::optional<std::size_t> loop{};
  std::int64_t start = 0;
};

/// None where a step of some loop leads from one step of the digit into another.
std::optional<Place> place_of(const Copy& copy, const Digit& digit) {
  const std::int64_t period = digit.stride * digit.steps;
  const std::int64_t within = copy.out_offset % period;
  Place place{{}, within / digit.stride};
  std::int64_t last = within % digit.stride;
  for (std::size_t k = 0; k < copy.loops.size(); ++k) {
    const Loop& loop = copy.loops[k];
    if (!loop.is_plain()) return std::nullopt;
    if (loop.out_stride >= period) {
      if (loop.out_stride % period != 0) return std::nullopt;
    } else if (loop.out_stride == digit.stride) {
      place.loop = k;
      if (place.start + loop.extent > digit.steps) return std::nullopt;
    } else if (loop.out_stride > digit.stride) {
      return std::nullopt;
    } else {
      last += loop.out_stride * (loop.extent - 1);
    }
  }
  return last < digit.stride ? std::optional(place) : std::nullopt;
}

/// Of all its copies, if it is the same.
std::optional<Place> place_of(const Piece& piece, const Digit& digit) {
  const auto place = place_of(piece.copy, digit);
  if (!place) return place;
  bool is_same = true;
  const auto look_at = [&](const Copy& copy) {
    const auto other = place_of(copy, digit);
    is_same = is_same && other && other->loop == place->loop && other->start == place->start;
  };
  if (piece.beside) look_at(*piece.beside);
  if (!piece.stacked.empty()) for_each_of_stack(piece, look_at);
  return is_same ? place : std::nullopt;
}

std::int64_t count_of(const std::vector<Piece>& pieces) {
  std::int64_t count = 0;
  for (const Piece& piece : pieces) count += piece.count();
  return count;
}

class Cutter {
 public:
  Cutter(std::int64_t count, std::int64_t element, std::int64_t task_bytes)
      : count_(count), element_(element), task_bytes_(task_bytes) {}

  PartsTogether run(const std::vector<Piece>& boxes) {
    if (const auto digit = digit_of(boxes)) cut(boxes, *digit);
    return made_.ends.size() > 1 ? std::move(made_) : PartsTogether{};
  }

 private:
  /// The outermost one that has room for many cuts, else the one with the most; cuts within lines
  /// of the output are none.
  std::optional<Digit> digit_of(const std::vector<Piece>& boxes) const {
    const Copy& largest =
        std::max_element(boxes.begin(), boxes.end(), [](const Piece& a, const Piece& b) {
          return a.count() < b.count();
        })->copy;
    std::optional<Digit> best;
    std::int64_t period = count_;
    for (const Loop& loop : largest.loops) {
      const std::int64_t src_bytes = std::abs(loop.src_stride) * element_;
      const Digit digit{loop.out_stride, period / loop.out_stride,
                        src_bytes > 0 && src_bytes < src_quantum ? src_quantum / src_bytes : 1};
      const bool may_cut = loop.is_plain() && src_bytes > 0 &&
                           loop.out_stride * element_ >= cache_line &&
                           period % loop.out_stride == 0 && loop.extent >= 2 * digit.quantum &&
                           are_placed(boxes, digit);
      period = loop.out_stride;
      if (!may_cut) continue;
      if (digit.steps / digit.quantum >= many_cuts) return digit;
      if (!best || digit.steps / digit.quantum > best->steps / best->quantum) best = digit;
    }
    return best;
  }

  static bool are_placed(const std::vector<Piece>& boxes, const Digit& digit) {
    return std::all_of(boxes.begin(), boxes.end(),
                       [&](const Piece& box) { return place_of(box, digit).has_value(); });
  }

  void cut(const std::vector<Piece>& boxes, const Digit& digit) {
    const std::int64_t bytes = count_of(boxes) * element_;
    const std::int64_t fitting = digit.steps * task_bytes_ / bytes / digit.quantum * digit.quantum;
    const std::int64_t steps = std::max(fitting, digit.quantum);
    for (std::int64_t low = 0; low < digit.steps; low += steps) {
      const std::vector<Piece> part = part_of(boxes, digit, low, low + steps);
      if (part.empty()) continue;
      const bool is_large = fitting == 0 && count_of(part) * element_ >= 2 * task_bytes_;
      const auto next = is_large ? digit_of(part) : std::nullopt;
      if (next) cut(part, *next);
      else finish_task(part);
    }
  }

  static std::vector<Piece> part_of(const std::vector<Piece>& boxes, const Digit& digit,
                                    std::int64_t low, std::int64_t high) {
    std::vector<Piece> parts;
    for (const Piece& box : boxes) {
      const Place place = *place_of(box, digit);
      const std::int64_t extent = place.loop ? box.copy.loops[*place.loop].extent : 1;
      const std::int64_t first = std::max<std::int64_t>(0, low - place.start),
                         end = std::min(extent, high - place.start);
      if (first >= end) continue;
      parts.push_back(place.loop ? restrict(box, *place.loop, first, end) : box);
      parts.back().box = box.box;
    }
    return parts;
  }

  void finish_task(const std::vector<Piece>& parts) {
    made_.parts.insert(made_.parts.end(), parts.begin(), parts.end());
    made_.ends.push_back(made_.parts.size());
  }

  const std::int64_t count_, element_, task_bytes_;
  PartsTogether made_;
};

/// How often a line of its source is fetched by what writes `task_bytes` in order.
std::int64_t times_fetched(const Copy& copy, std::int64_t element, std::int64_t task_bytes) {
  std::int64_t times = 1;
  for (const Loop& loop : copy.loops) {
    if (!loop.is_plain() || loop.src_stride == 0) continue;
    const std::int64_t steps = std::max<std::int64_t>(1, task_bytes / (loop.out_stride * element));
    const std::int64_t step_bytes = std::abs(loop.src_stride) * element;
    if (steps < loop.extent && steps * step_bytes < cache_line)
      times = std::max(times, std::min(loop.extent, cache_line / step_bytes) / steps);
  }
  return times;
}

}  // namespace

bool tears_lines(const std::vector<Piece>& boxes, std::int64_t element, std::int64_t task_bytes,
                 std::int64_t times) {
  std::int64_t torn = 0;
  for (const Piece& box : boxes)
    if (times_fetched(box.copy, element, task_bytes) >= times) torn += box.count();
  return 2 * torn > count_of(boxes);
}

PartsTogether cut_together(const std::vector<Piece>& boxes, std::int64_t count,
                           std::int64_t element, std::int64_t task_bytes) {
  std::vector<Piece> numbered = boxes;
  for (std::uint32_t k = 0; k < numbered.size(); ++k) numbered[k].box = k;
  return Cutter(count, element, task_bytes).run(numbered);
}

}  // namespace weft
