// The primitives that take an axis step by step: lookup and isolate.
#include <algorithm>

#include <weft/graph/box.h>

namespace weft {
namespace {

// One call gives up above this many boxes.
constexpr std::size_t max_pieces = 4096;

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// Digits first to last - 1, neighbours in the output and all on the axis.
struct Group {
  std::size_t first = 0, last = 0;
  std::int64_t steps = 0;
};

/// The largest group of the axis.
Group largest_group(const Box& box, std::int32_t axis) {
  Group largest, group;
  for (std::size_t k = 0; k < box.digits.size(); ++k) {
    if (box.digits[k].axis != axis) continue;
    if (group.last != k || group.steps == 0) group = {k, k, 1};
    group.last = k + 1;
    group.steps *= box.digits[k].extent;
    if (group.steps > largest.steps) largest = group;
  }
  return largest;
}

/// A digit of the axis outside the group, or none.
std::size_t other_digit(const Box& box, std::int32_t axis, const Group& group) {
  for (std::size_t k = 0; k < box.digits.size(); ++k)
    if (box.digits[k].axis == axis && (k < group.first || k >= group.last)) return k;
  return none;
}

Box fixed(const Box& box, std::size_t k, std::int64_t i) {
  Box part = box;
  const Digit& digit = box.digits[k];
  part.out_offset += digit.out_at(i);
  part.origin[static_cast<std::size_t>(digit.axis)] += digit.in_at(i);
  part.digits.erase(part.digits.begin() + k);
  return part;
}

/// One step of a group: where it is in the output, and x.
struct Step {
  std::int64_t out, x;
};

std::vector<Step> steps_of(const Box& box, const Group& group, std::int64_t origin) {
  std::vector<Step> steps{{0, origin}}, longer;
  steps.reserve(static_cast<std::size_t>(group.steps));
  for (std::size_t k = group.first; k < group.last; ++k) {
    const Digit& digit = box.digits[k];
    longer.clear();
    longer.reserve(steps.size() * static_cast<std::size_t>(digit.extent));
    for (const Step& step : steps)
      for (std::int64_t i = 0; i < digit.extent; ++i)
        longer.push_back({step.out + digit.out_at(i), step.x + digit.in_at(i)});
    std::swap(steps, longer);
  }
  return steps;
}

/// The box with the group replaced by those steps.
Box with_steps(const Box& box, std::int32_t axis, const Group& group,
               const std::vector<Step>& steps) {
  Box result = box;
  for (std::size_t k = group.first; k < group.last; ++k)
    result.digits.erase(result.digits.begin() + group.first);
  result.out_offset += steps[0].out;
  std::int64_t& origin = result.origin[static_cast<std::size_t>(axis)];
  origin = steps[0].x;
  if (steps.size() == 1) return result;
  Digit digit{static_cast<std::int64_t>(steps.size()), steps[1].out - steps[0].out,
              steps[1].x - steps[0].x, axis};
  bool is_straight_out = true, is_straight_in = true;
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const std::int64_t step = steps[i].out - steps[i - 1].out;
    is_straight_out = is_straight_out && step == digit.out_stride;
    is_straight_in = is_straight_in && steps[i].x - steps[i - 1].x == digit.in_stride;
    digit.out_stride = std::min(digit.out_stride, step);
  }
  if (!is_straight_out || !is_straight_in) {
    Table table;
    for (const Step& step : steps) table.in.push_back(step.x - origin);
    if (!is_straight_out)
      for (const Step& step : steps) table.out.push_back(step.out - steps[0].out);
    digit.in_stride = 0;
    digit.table = &box.tables->emplace_back(std::move(table));
  }
  result.digits.insert(result.digits.begin() + group.first, digit);
  return result;
}

/// Missed steps that follow each other stay runs, where there are few of those.
void keep_missed(const Box& box, std::int32_t axis, const Group& group,
                 const std::vector<Step>& all, const std::vector<std::size_t>& missed, Boxes& out) {
  std::size_t runs = 1;
  for (std::size_t i = 1; i < missed.size(); ++i) runs += missed[i] != missed[i - 1] + 1;
  std::vector<Step> steps;
  const auto flush = [&] {
    if (!steps.empty()) out.push_back(with_steps(box, axis, group, steps));
    steps.clear();
  };
  const bool in_runs = static_cast<std::int64_t>(runs) <= box.tables->max_phases;
  for (std::size_t i = 0; i < missed.size(); ++i) {
    if (in_runs && i > 0 && missed[i] != missed[i - 1] + 1) flush();
    steps.push_back(all[missed[i]]);
  }
  flush();
}

}  // namespace

void lookup(const Box& given, std::int32_t axis, std::span<const std::int64_t> f, Boxes& found,
            Boxes* missed) {
  const std::size_t a = static_cast<std::size_t>(axis);
  const std::size_t limit = found.size() + (missed ? missed->size() : 0) + max_pieces;
  Boxes todo(found.get_allocator());
  todo.push_back(given);
  canonicalise(todo.back());
  while (!todo.empty()) {
    const Box box = std::move(todo.back());
    todo.pop_back();
    const Group group = largest_group(box, axis);
    if (const std::size_t other = other_digit(box, axis, group); other != none) {
      const std::int64_t extent = box.digits[other].extent;
      if (todo.size() + found.size() + static_cast<std::size_t>(extent) > limit)
        throw TooManyBoxes();
      for (std::int64_t i = 0; i < extent; ++i) todo.push_back(fixed(box, other, i));
      continue;
    }
    std::vector<Step> steps = steps_of(box, group, box.origin[a]);
    std::vector<Step> hits;
    std::vector<std::size_t> misses;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::int64_t value = f[static_cast<std::size_t>(steps[i].x)];
      if (value < 0) misses.push_back(i);
      else hits.push_back({steps[i].out, value});
    }
    if (hits.empty()) {
      missed->push_back(box);
      continue;
    }
    found.push_back(with_steps(box, axis, group, hits));
    if (!misses.empty()) keep_missed(box, axis, group, steps, misses, *missed);
  }
}

void isolate(const Box& given, std::int32_t axis, Boxes& out) {
  Boxes todo(out.get_allocator());
  todo.push_back(given);
  while (!todo.empty()) {
    Box box = std::move(todo.back());
    todo.pop_back();
    const auto digit = std::find_if(box.digits.begin(), box.digits.end(),
                                    [&](const Digit& each) { return each.axis == axis; });
    if (digit == box.digits.end()) {
      out.push_back(std::move(box));
      continue;
    }
    const std::size_t k = static_cast<std::size_t>(digit - box.digits.begin());
    for (std::int64_t i = 0; i < digit->extent; ++i) todo.push_back(fixed(box, k, i));
  }
}

}  // namespace weft
