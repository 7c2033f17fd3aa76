// SPDX-License-Identifier: Apache-2.0
// Meeting two pieces loop by loop, largest stride first; operands one after another.
#include <weft/graph/map/meet.h>

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include <weft/graph/value/division.h>
#include <weft/graph/value/error.h>

namespace weft {
namespace {

// Comparisons of loops for each piece that is allowed.
constexpr std::size_t steps_of_piece = 64;

// A list that grows has room for twice as many, and is there twice for a moment.
constexpr std::size_t room_of_piece = 3;

/// Thrown where the budget is used up.
struct TooManyPieces {};

/// What is left of a piece on the way inwards: its loops from `from` on.
struct Rest {
  JointBox box;
  std::size_t from = 0;

  bool is_point() const { return from == box.loops.size(); }
  const JointLoop& loop() const { return box.loops[from]; }
  std::int64_t span_from(std::size_t first) const {
    std::int64_t span = 0;
    for (std::size_t k = first; k < box.loops.size(); ++k) span += box.loops[k].span();
    return span;
  }
  std::int64_t low() const { return box.offset; }
  std::int64_t high() const { return box.offset + span_from(from); }

  /// The loop at steps [low, high), which stays a loop.
  Rest restricted(std::int64_t low, std::int64_t high) const {
    Rest rest = *this;
    JointLoop& loop = rest.box.loops[from];
    rest.box.offset += loop.stride * low;
    for (std::size_t k = 0; k < loop.steps.size(); ++k) {
      JointStep& step = loop.steps[k];
      if (step.table) step.table += low;
      else rest.box.first[k] += step.step * low;
    }
    loop.extent = high - low;
    return rest;
  }
  /// The loop at step i, done with.
  Rest fixed(std::int64_t i) const {
    Rest rest = restricted(i, i + 1);
    const JointLoop& loop = rest.loop();
    for (std::size_t k = 0; k < loop.steps.size(); ++k)
      if (loop.steps[k].table) rest.box.first[k] += *loop.steps[k].table;
    ++rest.from;
    return rest;
  }
  /// A loop of `count` groups, one every `size` steps, in front of one over so many of each.
  Rest grouped(std::int64_t count, std::int64_t size, std::int64_t steps,
               std::int64_t stride) const {
    Rest rest = *this;
    JointLoop groups = loop();
    groups.extent = count;
    groups.stride = stride;
    for (JointStep& step : groups.steps) step.step *= size;
    rest.box.loops[from].extent = steps;
    rest.box.loops.insert(rest.box.loops.begin() + static_cast<std::ptrdiff_t>(from), groups);
    return rest;
  }
  bool has_table() const {
    return std::any_of(loop().steps.begin(), loop().steps.end(),
                       [](const JointStep& step) { return step.table != nullptr; });
  }
};

/// Meets two pieces. What both have found so far is a list of loops in front.
class Meeting {
 public:
  Meeting(std::size_t most, const PlanBudget& budget, JointBoxes& out)
      : most_(most), left_(most * steps_of_piece), budget_(budget), out_(out) {}

  void run(const JointBox& a, const JointBox& b) { meet({a}, {b}, {}); }

 private:
  using Loops = std::vector<JointLoop>;

  void meet(const Rest& a, const Rest& b, const Loops& outer) {
    if (a.high() < b.low() || b.high() < a.low()) return;
    if (left_-- == 0) throw TooManyPieces();
    if (a.is_point() && b.is_point()) return emit(a, b, outer);
    if (a.is_point() || (!b.is_point() && b.loop().stride > a.loop().stride))
      return step_larger<false>(b, a, outer);
    if (b.is_point() || a.loop().stride > b.loop().stride) return step_larger<true>(a, b, outer);
    meet_equal(a, b, outer);
  }

  /// Goes on in the order in which the two were given.
  template <bool is_larger_first>
  void go_on(const Rest& larger, const Rest& smaller, const Loops& outer) {
    if constexpr (is_larger_first) meet(larger, smaller, outer);
    else meet(smaller, larger, outer);
  }

  /// The larger stride: the other's loop is cut where that steps, and grouped, or its steps are
  /// taken one by one.
  template <bool is_larger_first>
  void step_larger(const Rest& larger, const Rest& smaller, const Loops& outer) {
    const std::int64_t s = larger.loop().stride;
    if (!smaller.is_point() && s % smaller.loop().stride == 0 && !smaller.has_table())
      return group<is_larger_first>(larger, smaller, s / smaller.loop().stride, outer);
    // Only those that reach the other.
    const std::int64_t rest = larger.span_from(larger.from + 1);
    const std::int64_t first =
        std::max<std::int64_t>(0, ceil_div(smaller.low() - rest - larger.low(), s));
    const std::int64_t last =
        std::min(larger.loop().extent - 1, floor_div(smaller.high() - larger.low(), s));
    for (std::int64_t i = first; i <= last; ++i)
      go_on<is_larger_first>(larger.fixed(i), smaller, outer);
  }

  /// Cuts the smaller one's loop where the larger one steps, every `size` steps: a head, groups,
  /// and what is left. Of a group only those steps are kept that reach what the larger one has.
  template <bool is_larger_first>
  void group(const Rest& larger, const Rest& smaller, std::int64_t size, const Loops& outer) {
    const std::int64_t extent = smaller.loop().extent, t = smaller.loop().stride;
    const std::int64_t first = ceil_div(larger.low() - smaller.low(), t);
    const std::int64_t behind = smaller.low() + first * t - larger.low();
    const std::int64_t rest = larger.span_from(larger.from + 1);
    const bool is_within = behind + smaller.span_from(smaller.from + 1) < t;
    const std::int64_t length = is_within ? std::min(size, floor_div(rest - behind, t) + 1) : size;
    if (length < 1) return;  // none does
    const std::int64_t head = std::min(extent, (first % size + size) % size);
    const std::int64_t left = extent - head;
    const std::int64_t groups = left < length ? 0 : (left - length) / size + 1;
    const std::int64_t tail = std::min(left - groups * size, length);
    const auto part = [&](std::int64_t low, std::int64_t count, std::int64_t steps) {
      if (count < 1 || steps < 1) return;
      const Rest from = smaller.restricted(low, extent);
      go_on<is_larger_first>(larger, from.grouped(count, size, steps, larger.loop().stride), outer);
    };
    part(0, 1, head);
    part(head, groups, length);
    part(head + groups * size, 1, tail);
  }

  /// Steps of one stride: those of one meet those of the other at one or two distances.
  void meet_equal(const Rest& a, const Rest& b, const Loops& outer) {
    const std::int64_t s = a.loop().stride, apart = b.low() - a.low();
    const std::int64_t rest_a = a.span_from(a.from + 1), rest_b = b.span_from(b.from + 1);
    const std::int64_t nearest = ceil_div(-rest_b - apart, s),
                       farthest = floor_div(rest_a - apart, s);
    for (std::int64_t d = nearest; d <= farthest; ++d) {
      const std::int64_t low = std::max<std::int64_t>(0, -d);
      const std::int64_t high = std::min(a.loop().extent, b.loop().extent - d);
      if (low >= high) continue;
      Rest own = a.restricted(low, high), other = b.restricted(low + d, high + d);
      Loops loops = outer;
      JointLoop& loop = loops.emplace_back(own.loop());
      for (const JointStep& step : other.loop().steps) loop.steps.push_back(step);
      ++own.from;
      ++other.from;
      meet(own, other, loops);
    }
  }

  void emit(const Rest& a, const Rest& b, const Loops& outer) {
    if (out_.size() == most_) throw TooManyPieces();
    JointBox box{a.box.offset, a.box.first, outer};
    for (const std::int64_t first : b.box.first) box.first.push_back(first);
    join_loops(box);
    budget_.take(room_of_piece * sizeof(JointBox) + box.loop_bytes());
    out_.push_back(std::move(box));
  }

  std::size_t most_, left_;
  PlanBudget budget_;
  JointBoxes& out_;
};

std::size_t bytes_of(const JointBoxes& pieces) {
  std::size_t bytes = pieces.size() * sizeof(JointBox);
  for (const JointBox& piece : pieces) bytes += piece.loop_bytes();
  return bytes;
}

/// A linear box as pieces of one operand; a table that says where to write is a piece for each
/// entry.
void add_pieces(Box box, std::size_t most, JointBoxes& pieces) {
  canonicalise(box);
  for (std::size_t k = 0; k < box.digits.size(); ++k) {
    const Digit digit = box.digits[k];
    if (!digit.table || digit.table->out.empty()) continue;
    for (std::int64_t i = 0; i < digit.extent; ++i) add_pieces(fixed(box, k, i), most, pieces);
    return;
  }
  if (pieces.size() == most) throw TooManyPieces();
  JointBox piece{box.out_offset, {box.origin[0]}, {}};
  for (const Digit& digit : box.digits) {
    const JointStep step =
        digit.table ? JointStep{0, digit.table->in.data()} : JointStep{digit.in_stride, nullptr};
    piece.loops.push_back({digit.extent, digit.out_stride, {step}});
  }
  join_loops(piece);
  pieces.push_back(std::move(piece));
}

JointBoxes pieces_of(const Boxes& boxes, std::size_t most) {
  JointBoxes pieces;
  for (const Box& box : boxes) add_pieces(box, most, pieces);
  return pieces;
}

/// What has been found for the operands `order` in that order, for each at its own place.
void put_in_order(const std::vector<std::size_t>& order, JointBox& box) {
  const auto permute = [&](auto& values) {
    const auto from = values;
    for (std::size_t k = 0; k < order.size(); ++k) values[order[k]] = from[k];
  };
  permute(box.first);
  for (JointLoop& loop : box.loops) permute(loop.steps);
}

}  // namespace

std::optional<JointBoxes> meet(std::span<const Boxes> operands, std::size_t most,
                               const PlanBudget& left) {
  std::vector<JointBoxes> pieces;
  try {
    for (const Boxes& boxes : operands) pieces.push_back(pieces_of(boxes, most));
  } catch (const TooManyPieces&) {
    return {};
  }
  return meet(std::span<const JointBoxes>(pieces), most, left);
}

std::optional<JointBoxes> meet(std::span<const JointBoxes> operands, std::size_t most,
                               const PlanBudget& left) {
  // Those with the fewest boxes first: what they leave is met with the rest.
  std::vector<std::size_t> order(operands.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return operands[a].size() < operands[b].size();
  });
  if (operands[order.back()].size() > most) return {};
  try {
    left.check(1 + bytes_of(operands[order[0]]));
    JointBoxes pieces = operands[order[0]];
    for (std::size_t k = 1; k < order.size(); ++k) {
      JointBoxes met;
      PlanBudget beside = left;  // what they are made of is there until they are
      beside.take(1 + bytes_of(pieces));
      Meeting meeting(most, beside, met);
      for (const JointBox& a : pieces)
        for (const JointBox& b : operands[order[k]]) meeting.run(a, b);
      pieces = std::move(met);
    }
    for (JointBox& piece : pieces) put_in_order(order, piece);
    std::sort(pieces.begin(), pieces.end(),
              [](const JointBox& a, const JointBox& b) { return a.offset < b.offset; });
    return pieces;
  } catch (const TooManyPieces&) {
    return {};
  } catch (const PlanTooLarge&) {
    return {};
  }
}

void join_loops(JointBox& box) {
  std::vector<JointLoop> kept;
  for (const JointLoop& loop : box.loops) {
    if (loop.extent == 1) {
      for (std::size_t k = 0; k < loop.steps.size(); ++k) box.first[k] += loop.steps[k].at(0);
    } else if (!kept.empty() && can_join(kept.back(), loop)) {
      const std::int64_t outer = kept.back().extent;
      kept.back() = loop;
      kept.back().extent *= outer;
    } else {
      kept.push_back(loop);
    }
  }
  box.loops = std::move(kept);
}

bool can_join(const JointLoop& outer, const JointLoop& inner) {
  if (outer.stride != inner.stride * inner.extent) return false;
  for (std::size_t k = 0; k < outer.steps.size(); ++k)
    if (outer.steps[k].table || inner.steps[k].table ||
        outer.steps[k].step != inner.steps[k].step * inner.extent)
      return false;
  return true;
}

void check_joint(const JointBoxes& pieces, std::int64_t count) {
  std::int64_t positions = 0;
  for (const JointBox& piece : pieces) {
    positions += piece.count();
    std::int64_t span = 0;
    for (std::size_t k = piece.loops.size(); k-- > 0;) {
      const JointLoop& loop = piece.loops[k];
      if (loop.extent < 2 || loop.stride <= span || loop.steps.size() != piece.first.size())
        throw InternalError(
            fmt::format("joint piece at {}: loop {} of {} steps by {} is not nested "
                        "over a span of {}",
                        piece.offset, k, loop.extent, loop.stride, span));
      if (k + 1 < piece.loops.size() && can_join(loop, piece.loops[k + 1]))
        throw InternalError(
            fmt::format("joint piece at {}: loops {} and {} are one", piece.offset, k, k + 1));
      span += loop.span();
    }
    if (piece.offset < 0 || piece.offset + span >= count)
      throw InternalError(fmt::format("joint piece at {} reaches {}, beyond a space of {}",
                                      piece.offset, piece.offset + span, count));
  }
  if (positions != count)
    throw InternalError(
        fmt::format("joint pieces hold {} positions, expected {}", positions, count));
}

}  // namespace weft
