// SPDX-License-Identifier: Apache-2.0
// The primitives that take an axis step by step: lookup and isolate.
#include <algorithm>
#include <cstdlib>

#include <weft/graph/map/box.h>

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

/// One step of a group: where it is in the output, and x.
struct Step {
  std::int64_t out, x;
};

/// Refuses so many steps where a plan cannot hold them. They are listed up to three times at once.
void check_budget(const Box& box, std::int64_t steps) {
  if (box.tables && box.tables->budget)
    box.tables->budget->check(3 * sizeof(Step), static_cast<std::size_t>(steps));
}

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

/// The steps of a box on an axis, as far as they are one group; else the digits apart from the
/// largest group are taken step by step, into `todo`.
class Lookup {
 public:
  Lookup(const Box& given, std::int32_t axis, Boxes& found, Boxes* missed)
      : axis_(axis), found_(found), missed_(missed), todo_(found.get_allocator()) {
    limit_ = found.size() + (missed ? missed->size() : 0) + max_pieces;
    todo_.push_back(given);
    canonicalise(todo_.back());
  }

  /// Calls step(box, group) for each box.
  template <class Step>
  void run(const Step& step) {
    while (!todo_.empty()) {
      const Box box = std::move(todo_.back());
      todo_.pop_back();
      const Group group = largest_group(box, axis_);
      if (const std::size_t other = other_digit(box, axis_, group); other == none) step(box, group);
      else take_apart(box, other);
    }
  }

  /// Looks up every step, with value(x) below 0 where there is none.
  template <class Value>
  void look_up(const Box& box, const Group& group, const Value& value) {
    check_budget(box, group.steps);
    const std::vector<Step> steps =
        steps_of(box, group, box.origin[static_cast<std::size_t>(axis_)]);
    std::vector<Step> hits;
    std::vector<std::size_t> misses;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::int64_t found = value(steps[i].x);
      if (found < 0) misses.push_back(i);
      else hits.push_back({steps[i].out, found});
    }
    add(box, group, hits);
    if (!missed_ || misses.empty()) return;
    if (hits.empty()) missed_->push_back(box);
    else keep_missed(box, axis_, group, steps, misses, *missed_);
  }

  /// The same where every step has a value. One plain digit is only read: its steps are not listed.
  template <class Value>
  void look_up_all(const Box& box, const Group& group, const Value& value) {
    const bool is_plain = group.last == group.first + 1 && !box.digits[group.first].table;
    if (!is_plain) return look_up(box, group, value);
    Box& result = found_.emplace_back(box);
    Digit& digit = result.digits[group.first];
    const std::int64_t step = digit.in_stride;
    const std::int64_t x = box.origin[static_cast<std::size_t>(axis_)], first = value(x);
    result.origin[static_cast<std::size_t>(axis_)] = first;
    digit.in_stride = value(x + step) - first;
    std::int64_t i = 2;  // up to there it follows a stride
    while (i < digit.extent && value(x + i * step) - first == i * digit.in_stride) ++i;
    if (i >= digit.extent) return;
    if (box.tables->budget)
      box.tables->budget->check(sizeof(std::int64_t), static_cast<std::size_t>(digit.extent));
    Table table;
    table.in.resize(static_cast<std::size_t>(digit.extent));
    std::int64_t* const in = table.in.data();
    for (std::int64_t k = 0; k < digit.extent; ++k) in[k] = value(x + k * step) - first;
    digit.in_stride = 0;
    digit.table = &box.tables->emplace_back(std::move(table));
  }

  void add(const Box& box, const Group& group, const std::vector<Step>& hits) {
    if (!hits.empty()) found_.push_back(with_steps(box, axis_, group, hits));
  }

 private:
  void take_apart(const Box& box, std::size_t other) {
    const std::int64_t extent = box.digits[other].extent;
    if (todo_.size() + found_.size() + static_cast<std::size_t>(extent) > limit_)
      throw TooManyBoxes();
    for (std::int64_t i = 0; i < extent; ++i) todo_.push_back(fixed(box, other, i));
  }

  std::int32_t axis_;
  Boxes& found_;
  Boxes* missed_;
  Boxes todo_;
  std::size_t limit_;
};

/// The first run that ends after x.
std::span<const Stretch>::iterator run_at(std::span<const Stretch> f, std::int64_t x) {
  return std::partition_point(f.begin(), f.end(),
                              [&](const Stretch& run) { return run.x + run.count <= x; });
}

/// Few runs are cut out one by one.
void cut_out(const Box& box, std::int32_t axis, std::span<const Stretch> f, Boxes& found,
             Boxes& missed) {
  Boxes rest(found.get_allocator()), above(found.get_allocator()), hit(found.get_allocator());
  rest.push_back(box);
  for (const Stretch& run : f) {
    above.clear();
    for (const Box& part : rest) split(part, axis, run.x, missed, above);
    rest.clear();
    hit.clear();
    for (const Box& part : above) split(part, axis, run.x + run.count, hit, rest);
    for (Box& part : hit) {
      affine(part, axis, run.value - run.x, 1);
      found.push_back(std::move(part));
    }
  }
  for (Box& part : rest) missed.push_back(std::move(part));
}

/// The steps of one plain digit that have values, found from those.
std::vector<Step> hits_of(const Box& box, const Digit& digit, std::int64_t origin,
                          std::span<const Stretch> f) {
  const std::int64_t last = origin + digit.in_stride * (digit.extent - 1);
  const std::int64_t low = std::min(origin, last), high = std::max(origin, last);
  std::vector<Step> hits;
  for (auto run = run_at(f, low); run != f.end() && run->x <= high; ++run) {
    const std::int64_t end = std::min(run->x + run->count - 1, high);
    check_budget(box, std::ssize(hits) + (end - std::max(run->x, low)) / std::abs(digit.in_stride));
    for (std::int64_t x = std::max(run->x, low); x <= end; ++x)
      if ((x - origin) % digit.in_stride == 0)
        hits.push_back({digit.out_at((x - origin) / digit.in_stride), run->value + x - run->x});
  }
  if (digit.in_stride < 0) std::reverse(hits.begin(), hits.end());
  return hits;
}

}  // namespace

void lookup(const Box& given, std::int32_t axis, std::span<const std::int64_t> f, Boxes& found,
            Boxes* missed) {
  Lookup lookup(given, axis, found, missed);
  lookup.run([&](const Box& box, const Group& group) {
    lookup.look_up(box, group, [&](std::int64_t x) { return f[static_cast<std::size_t>(x)]; });
  });
}

void lookup(const Box& given, std::int32_t axis, const std::function<std::int64_t(std::int64_t)>& f,
            Boxes& found) {
  Lookup lookup(given, axis, found, nullptr);
  lookup.run([&](const Box& box, const Group& group) { lookup.look_up_all(box, group, f); });
}

void lookup(const Box& given, std::int32_t axis, std::span<const Stretch> f, Boxes& found,
            Boxes* missed) {
  if (missed && static_cast<std::int64_t>(f.size()) <= given.tables->max_phases)
    return cut_out(given, axis, f, found, *missed);
  Lookup lookup(given, axis, found, missed);
  lookup.run([&](const Box& box, const Group& group) {
    if (!missed && group.last == group.first + 1 && !box.digits[group.first].table) {
      const std::int64_t origin = box.origin[static_cast<std::size_t>(axis)];
      return lookup.add(box, group, hits_of(box, box.digits[group.first], origin, f));
    }
    lookup.look_up(box, group, [&](std::int64_t x) {
      const auto run = run_at(f, x);
      return run == f.end() || x < run->x ? -1 : run->value + x - run->x;
    });
  });
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
