// SPDX-License-Identifier: Apache-2.0
// The primitives that cut boxes: split, divmod and rotate.
#include <algorithm>
#include <numeric>

#include <weft/graph/map/box.h>
#include <weft/graph/value/division.h>

namespace weft {
namespace {

// Tables up to the first size are always worth it; larger ones where they are small beside the box.
constexpr std::int64_t small_table = 4096;
constexpr std::int64_t large_table = 64 * 1024;
// One call of divmod gives up above this many boxes.
constexpr std::size_t max_pieces = 4096;

std::int64_t& origin_of(Box& box, std::int32_t axis) {
  return box.origin[static_cast<std::size_t>(axis)];
}

/// Digit k at step i alone.
void fix(Box& box, std::size_t k, std::int64_t i) {
  const Digit digit = box.digits[k];
  box.out_offset += digit.out_at(i);
  if (digit.axis != replicated) origin_of(box, digit.axis) += digit.in_at(i);
  box.digits.erase(box.digits.begin() + k);
}

}  // namespace

Box fixed(const Box& box, std::size_t k, std::int64_t i) {
  Box part = box;
  fix(part, k, i);
  return part;
}

namespace {

/// Digit k (no table) at steps [low, high).
void restrict(Box& box, std::size_t k, std::int64_t low, std::int64_t high) {
  if (high - low == 1) return fix(box, k, low);
  Digit& digit = box.digits[k];
  box.out_offset += digit.out_stride * low;
  if (digit.axis != replicated) origin_of(box, digit.axis) += digit.in_stride * low;
  digit.extent = high - low;
}

Box restricted(const Box& box, std::size_t k, std::int64_t low, std::int64_t high) {
  Box part = box;
  restrict(part, k, low, high);
  return part;
}

/// Table digit k at the given steps, which increase.
Box pick(const Box& from, std::size_t k, const std::vector<std::int64_t>& steps) {
  if (steps.size() == 1) return fixed(from, k, steps[0]);
  Box box = from;
  Digit& digit = box.digits[k];
  Table picked;
  for (const std::int64_t i : steps) {
    picked.in.push_back(digit.in_at(i));
    picked.out.push_back(digit.out_at(i) - digit.out_at(steps[0]));
  }
  box.out_offset += digit.out_at(steps[0]);
  digit.extent = static_cast<std::int64_t>(steps.size());
  digit.out_stride = picked.out[1];
  bool straight = true;
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const std::int64_t step = picked.out[i] - picked.out[i - 1];
    straight = straight && step == digit.out_stride;
    digit.out_stride = std::min(digit.out_stride, step);
  }
  if (straight) picked.out.clear();
  digit.table = &box.tables->emplace_back(std::move(picked));
  return box;
}

/// Makes the in strides of `axis` positive by reversing digits.
void orient(Box& box, std::int32_t axis) {
  for (Digit& digit : box.digits)
    if (digit.axis == axis && digit.in_stride < 0) reverse(box, digit);
}

bool is_oriented(const Box& box, std::int32_t axis) {
  return std::none_of(box.digits.begin(), box.digits.end(), [axis](const Digit& digit) {
    return digit.axis == axis && digit.in_stride < 0;
  });
}

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// The table of `axis`, else its digit of the largest stride; none where it has no digit.
std::size_t leading_digit(const Box& box, std::int32_t axis) {
  std::size_t lead = none;
  for (std::size_t k = 0; k < box.digits.size(); ++k) {
    const Digit& digit = box.digits[k];
    if (digit.axis != axis) continue;
    if (digit.table) return k;
    if (lead == none || digit.in_stride > box.digits[lead].in_stride) lead = k;
  }
  return lead;
}

/// A cut of an axis, and what is added to the coordinates on either side of it.
struct Cut {
  std::int32_t axis;
  std::int64_t at;
  Boxes& below;
  Boxes& above;
  std::int64_t add_below = 0;
  std::int64_t add_above = 0;

  Box& keep_below(const Box& box) const { return keep(below, box, add_below); }
  Box& keep_above(const Box& box) const { return keep(above, box, add_above); }

 private:
  Box& keep(Boxes& boxes, const Box& box, std::int64_t shift) const {
    Box& part = boxes.emplace_back(box);
    origin_of(part, axis) += shift;
    return part;
  }
};

/// Cuts a box whose strides on the axis are positive.
void split_oriented(const Box& box, const Cut& cut) {
  const auto& [axis, at, below, above, add_below, add_above] = cut;
  const Range range = coordinate_range(box, axis);
  if (range.high < at) return void(cut.keep_below(box));
  if (range.low >= at) return void(cut.keep_above(box));
  const std::size_t lead = leading_digit(box, axis);
  const Digit& digit = box.digits[lead];
  const Range own = digit_range(digit);
  const std::int64_t low = range.low - own.low;  // of the other digits and the origin
  const std::int64_t high = range.high - own.high;
  if (digit.table) {
    std::vector<std::int64_t> under, over;
    for (std::int64_t i = 0; i < digit.extent; ++i) {
      if (high + digit.in_at(i) < at) under.push_back(i);
      else if (low + digit.in_at(i) >= at) over.push_back(i);
      else split_oriented(fixed(box, lead, i), cut);
    }
    if (!under.empty()) cut.keep_below(pick(box, lead, under));
    if (!over.empty()) cut.keep_above(pick(box, lead, over));
    return;
  }
  const std::int64_t first =
      std::clamp<std::int64_t>(ceil_div(at - high, digit.in_stride), 0, digit.extent);
  const std::int64_t last =
      std::clamp<std::int64_t>(ceil_div(at - low, digit.in_stride), 0, digit.extent);
  if (first > 0) restrict(cut.keep_below(box), lead, 0, first);
  for (std::int64_t i = first; i < last; ++i) split_oriented(fixed(box, lead, i), cut);
  if (last < digit.extent) restrict(cut.keep_above(box), lead, last, digit.extent);
}

void split(const Box& box, const Cut& cut) {
  if (is_oriented(box, cut.axis)) return split_oriented(box, cut);
  // Without a cut the box stays as it was given.
  const Range range = coordinate_range(box, cut.axis);
  if (range.high < cut.at) return void(cut.keep_below(box));
  if (range.low >= cut.at) return void(cut.keep_above(box));
  Box oriented = box;
  orient(oriented, cut.axis);
  split_oriented(oriented, cut);
}

enum class Keep { both, remainder, quotient };

/// Digit k of inner * m steps becomes one of m steps (in place) and one of inner steps (last).
void part_digit(Box& box, std::size_t k, std::int64_t inner) {
  Digit low = box.digits[k];
  low.extent = inner;
  Digit& high = box.digits[k];
  high.extent /= inner;
  high.out_stride *= inner;
  high.in_stride *= inner;
  box.digits.push_back(low);
}

bool all_multiples(const std::vector<std::int64_t>& values, std::int64_t n) {
  return std::all_of(values.begin(), values.end(), [n](std::int64_t v) { return v % n == 0; });
}

/// divmod of one box by n. The quotient lives on a new last axis from the start; digits move there
/// as soon as they are whole turns of n, so what is left on the axis is the part still to divide.
class Divider {
 public:
  Divider(std::int32_t axis, std::int64_t n, Keep keep, Boxes& out)
      : axis_(axis), n_(n), keep_(keep), out_(out), limit_(out.size() + max_pieces) {}

  void run(Box&& box) {
    turns_axis_ = static_cast<std::int32_t>(box.origin.size());
    box.origin.push_back(0);
    divide(std::move(box));
  }

 private:
  void divide(Box&& box) {
    if (out_.size() >= limit_) throw TooManyBoxes();
    const Range range = settle(box);
    if (range.high < n_) return emit(std::move(box));
    const std::size_t lead = leading_digit(box, axis_);
    const Digit& digit = box.digits[lead];
    if (digit.table) return divide_table(box, lead);
    if (digit.in_stride < n_ && n_ % digit.in_stride == 0)
      return divide_aligned(std::move(box), lead, range.high);
    divide_phases(box, lead);
  }

  /// Moves whole turns of n to the quotient; what stays is smallest at 0 <= x < n. Says its range.
  Range settle(Box& box) {
    for (Digit& digit : box.digits) {
      if (digit.axis != axis_) continue;
      if (digit.table) {
        if (!all_multiples(digit.table->in, n_)) continue;
        Table turns = *digit.table;
        for (std::int64_t& entry : turns.in) entry /= n_;
        digit.table = &box.tables->emplace_back(std::move(turns));
      } else if (digit.in_stride % n_ != 0) {
        continue;
      }
      digit.in_stride /= n_;
      digit.axis = turns_axis_;
    }
    const Range range = coordinate_range(box, axis_);
    const std::int64_t turns = floor_div(range.low, n_);
    origin_of(box, axis_) -= turns * n_;
    origin_of(box, turns_axis_) += turns;
    return {range.low - turns * n_, range.high - turns * n_};
  }

  /// A stride that divides n: a head up to the next multiple of n, whole turns, and a tail. `high`
  /// is the largest coordinate.
  void divide_aligned(Box&& box, std::size_t lead, std::int64_t high) {
    const Digit& digit = box.digits[lead];
    const std::int64_t s = digit.in_stride;
    const std::int64_t per_turn = n_ / s;
    const std::int64_t c = box.origin[static_cast<std::size_t>(axis_)];
    const std::int64_t next_step = (c / s + 1) * s;
    const std::int64_t rest_high = high - s * (digit.extent - 1);  // without this digit
    if (rest_high >= next_step) return part_rest(box, lead, next_step);
    const std::int64_t head = std::min(digit.extent, per_turn - c / s);
    if (head < per_turn) {
      divide(restricted(box, lead, 0, head));
      if (head < digit.extent) divide(restricted(box, lead, head, digit.extent));
      return;
    }
    const std::int64_t turns = digit.extent / per_turn, whole = turns * per_turn;
    if (whole == digit.extent) return divide_turns(std::move(box), lead, per_turn);
    divide_turns(restricted(box, lead, 0, whole), lead, per_turn);
    divide(restricted(box, lead, whole, digit.extent));
  }

  /// Digit `lead` has whole turns, of so many steps each.
  void divide_turns(Box&& box, std::size_t lead, std::int64_t per_turn) {
    if (box.digits[lead].extent > per_turn) part_digit(box, lead, per_turn);
    divide(std::move(box));
  }

  /// The smaller digits run across a step of digit `lead`: parts them there, `lead` set aside.
  void part_rest(const Box& box, std::size_t lead, std::int64_t at) {
    Box aside = box;
    const std::int32_t aside_axis = static_cast<std::int32_t>(aside.origin.size());
    aside.origin.push_back(0);
    aside.digits[lead].axis = aside_axis;
    Boxes below(out_.get_allocator()), above(out_.get_allocator());
    split_oriented(aside, {axis_, at, below, above});
    for (Boxes* parts : {&below, &above})
      for (Box& part : *parts) {
        for (Digit& digit : part.digits)
          if (digit.axis == aside_axis) digit.axis = axis_;
        part.origin.pop_back();
        divide(std::move(part));
      }
  }

  /// A stride that does not divide n: after `period` steps the remainders repeat.
  void divide_phases(const Box& box, std::size_t lead) {
    const Digit& digit = box.digits[lead];
    const std::int64_t period = n_ / std::gcd(digit.in_stride, n_);
    const std::int64_t turns = digit.extent / period;
    const std::int64_t phases = turns >= 2 ? period : digit.extent;
    const std::int64_t whole = turns >= 2 ? turns * period : digit.extent;
    const bool as_table = keep_ != Keep::both && phases > box.tables->max_phases &&
                          is_alone(box, lead) && fits_table(phases, box);
    if (!as_table && phases > static_cast<std::int64_t>(max_pieces)) throw TooManyBoxes();
    Box body = restricted(box, lead, 0, whole);
    std::size_t phase = lead;
    if (turns >= 2) {
      part_digit(body, lead, period);
      phase = body.digits.size() - 1;
      settle(body);
    }
    if (as_table) {
      tabulate(std::move(body), phase);
    } else {
      for (std::int64_t i = 0; i < phases; ++i) divide(fixed(body, phase, i));
    }
    if (whole < digit.extent) divide(restricted(box, lead, whole, digit.extent));
  }

  void divide_table(const Box& box, std::size_t k) {
    if (is_alone(box, k) && keep_ != Keep::both) return tabulate(Box(box), k);
    if (box.digits[k].extent > static_cast<std::int64_t>(max_pieces)) throw TooManyBoxes();
    for (std::int64_t i = 0; i < box.digits[k].extent; ++i) divide(fixed(box, k, i));
  }

  /// Digit k, alone on the axis, becomes a table of the result that is kept.
  void tabulate(Box&& box, std::size_t k) {
    Digit& digit = box.digits[k];
    if (digit.out_stride < 0) reverse(box, digit);  // tables run forward in the output
    Table table;
    if (digit.table) table.out = digit.table->out;
    for (std::int64_t i = 0; i < digit.extent; ++i) {
      const std::int64_t x = origin_of(box, axis_) + digit.in_at(i);
      const std::int64_t turns = floor_div(x, n_);
      table.in.push_back(keep_ == Keep::remainder ? x - turns * n_ : turns);
    }
    digit.in_stride = 0;
    digit.table = &box.tables->emplace_back(std::move(table));
    digit.axis = keep_ == Keep::remainder ? axis_ : turns_axis_;
    origin_of(box, axis_) = 0;
    emit(std::move(box));
  }

  bool is_alone(const Box& box, std::size_t k) const {
    for (const Digit& other : box.digits)
      if (other.axis == axis_ && &other != &box.digits[k]) return false;
    return true;
  }

  static bool fits_table(std::int64_t entries, const Box& box) {
    return entries <= small_table || (entries <= large_table && entries <= element_count(box) / 8);
  }

  void emit(Box&& box) {
    if (keep_ == Keep::remainder) {
      drop_last_axis(box);
    } else if (keep_ == Keep::quotient) {
      SmallVector<std::int32_t, 16> source;
      for (std::int32_t axis = 0; axis < turns_axis_; ++axis) source.push_back(axis);
      source[static_cast<std::size_t>(axis_)] = turns_axis_;
      relabel(box, {source.data(), source.size()});
    }
    out_.push_back(std::move(box));
  }

  std::int32_t axis_;
  std::int32_t turns_axis_ = 0;
  std::int64_t n_;
  Keep keep_;
  Boxes& out_;
  std::size_t limit_;
};

void divide(const Box& box, std::int32_t axis, std::int64_t n, Keep keep, Boxes& out) {
  Box oriented = box;
  orient(oriented, axis);
  Divider(axis, n, keep, out).run(std::move(oriented));
}

}  // namespace

void split(const Box& box, std::int32_t axis, std::int64_t at, Boxes& below, Boxes& above) {
  split(box, {axis, at, below, above});
}

void divmod(const Box& box, std::int32_t axis, std::int64_t n, Boxes& out) {
  divide(box, axis, n, Keep::both, out);
}

void remainder(const Box& box, std::int32_t axis, std::int64_t n, Boxes& out) {
  divide(box, axis, n, Keep::remainder, out);
}

void quotient(const Box& box, std::int32_t axis, std::int64_t n, Boxes& out) {
  divide(box, axis, n, Keep::quotient, out);
}

void rotate(const Box& box, std::int32_t axis, std::int64_t shift, std::int64_t n, Boxes& out) {
  // The entries of a lone table can be rotated one by one, which never cuts.
  const std::size_t lead = leading_digit(box, axis);
  if (lead != none && box.digits[lead].table) {
    Box turned = box;
    affine(turned, axis, n - shift, 1);
    return remainder(turned, axis, n, out);
  }
  split(box, {axis, shift, out, out, n - shift, -shift});
}

}  // namespace weft
