// SPDX-License-Identifier: Apache-2.0
// Dividing a pass, and the one that makes what it reads, into portions of both: equal parts of the
// result where each reads a part of its own, or else of what is read.
#include <weft/engine/run/portions.h>

#include <cstdlib>
#include <numeric>
#include <utility>

#include <weft/engine/run/clip.h>
#include <weft/engine/run/pieces.h>

namespace weft {
namespace {

// What a task makes at a time: a core's second cache keeps it beside what both passes read and
// write.
constexpr std::int64_t most_bytes = 384 * 1024, least_bytes = 32 * 1024;
constexpr std::int64_t fewest_portions = 16;
// Portions read so much of it at most, with what several of them read.
constexpr double most_read = 1.25;

/// Positions from `low` on, to `high`.
struct Range {
  std::int64_t low, high;

  void add(const Range& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
};

/// What lies between is read, too, or skipped.
Range read_by(const Copy& copy) {
  Range read{copy.src_offset, copy.src_offset + 1};
  for (const Loop& loop : copy.loops) {
    if (loop.src_table) {
      const auto [low, high] = std::minmax_element(loop.src_table, loop.src_table + loop.extent);
      read.low += *low;
      read.high += *high;
      continue;
    }
    const std::int64_t last = loop.src_at(loop.extent - 1);
    (last < 0 ? read.low : read.high) += last;
  }
  return read;
}

/// A copy as one from what it writes to what it reads, for clip(); none where it does not read in
/// nested loops.
std::optional<Copy> turned_round(const Copy& copy) {
  Copy turned = copy;
  std::swap(turned.out_offset, turned.src_offset);
  for (Loop& loop : turned.loops) {
    if (!loop.is_plain()) return std::nullopt;
    std::swap(loop.out_stride, loop.src_stride);
    if (loop.out_stride >= 0) continue;
    turned.out_offset += loop.out_at(loop.extent - 1);
    turned.src_offset += loop.src_at(loop.extent - 1);
    loop.out_stride = -loop.out_stride;
    loop.src_stride = -loop.src_stride;
  }
  std::stable_sort(turned.loops.begin(), turned.loops.end(),
                   [](const Loop& a, const Loop& b) { return a.out_stride > b.out_stride; });
  std::int64_t span = 1;
  for (std::size_t k = turned.loops.size(); k-- > 0;) {
    const Loop& loop = turned.loops[k];
    if (loop.out_stride != 0 && loop.out_stride < span) return std::nullopt;
    span += loop.out_stride * (loop.extent - 1);
  }
  return turned;
}

/// What of the second pass a portion moves.
std::vector<Copy> moved_copies(const Pass& moving, const Portions::Portion& portion,
                               bool is_by_source) {
  std::vector<Copy> copies;
  if (!is_by_source) {
    for (const Copy& copy : moving.copies) clip(copy, portion.begin, portion.end, copies);
    return copies;
  }
  for (const Copy& copy : moving.copies)
    clip(*turned_round(copy), portion.begin, portion.end, copies);
  for (Copy& copy : copies) copy = *turned_round(copy);
  return copies;
}

class Division {
 public:
  Division(const Plan& plan, std::size_t p, const PassTarget& target, int shrink)
      : making_(plan.passes[p - 1]), moving_(plan.passes[p]) {
    found_.target = target;
    found_.target.fewest_divided = max_bytes;
    found_.whole_bytes = making_.bytes();
    for (std::size_t s = 0; s < plan.sources.size(); ++s)
      if (plan.sources[s].pass == p - 1) found_.source = s;
    const std::int64_t bytes =
        std::clamp(making_.bytes() / fewest_portions, least_bytes, most_bytes) >> shrink;
    share_ = std::max<std::int64_t>(1, bytes / making_.element());
  }

  bool by_result() {
    found_.is_by_source = false;
    const std::int64_t share = making_.count <= moving_.count
                                   ? share_
                                   : static_cast<std::int64_t>(static_cast<double>(share_) *
                                                               static_cast<double>(moving_.count) /
                                                               static_cast<double>(making_.count));
    Steps steps;
    for (const Copy& copy : moving_.copies)
      if (reads_made(copy)) steps.find(copy, share);
    for (const Copy& copy : moving_.copies) {  // those that write between are cut there, too
      const auto is_alike = [&](const Loop& loop) {
        return loop.is_plain() && loop.out_stride == steps.step;
      };
      if (std::any_of(copy.loops.begin(), copy.loops.end(), is_alike))
        steps.start = std::min(steps.start, first_position(copy));
    }
    return divide({0, moving_.count}, share, steps);
  }

  bool by_source() {
    if (moving_.is_painted) return false;
    found_.is_by_source = true;
    Range all{making_.count, 0};
    Steps steps;
    for (const Copy& copy : moving_.copies) {
      const auto turned = reads_made(copy) ? turned_round(copy) : std::nullopt;
      if (!turned) return false;
      steps.find(*turned, share_);
      all.add(read_by(copy));
    }
    steps.read = steps.step;
    return divide(all, share_, steps) && writes_whole_lines();
  }

  Portions take() { return std::move(found_); }

 private:
  /// Of the longest loop that a share has steps of: where it starts, and how far each step goes, in
  /// what is divided and in what is read.
  struct Steps {
    std::int64_t step = 1, read = 1, start = 0;

    void find(const Copy& copy, std::int64_t share) {
      for (const Loop& loop : copy.loops)
        if (loop.is_plain() && loop.out_stride <= share && loop.out_stride > step)
          *this = {loop.out_stride, std::abs(loop.src_stride), first_position(copy)};
    }
  };

  bool reads_made(const Copy& copy) const { return copy.source == found_.source; }

  /// As many steps as begin where loops of the first pass do, and lines of what is divided.
  std::int64_t whole_steps(const Steps& steps, std::int64_t share) const {
    const auto times_to = [](std::int64_t whole, std::int64_t step) {
      return whole / std::gcd(whole, step);
    };
    std::int64_t loop_step = 1;
    for (const Copy& copy : making_.copies)
      for (const Loop& loop : copy.loops)
        if (!loop.out_table && steps.step * times_to(loop.out_stride, steps.read) <= share)
          loop_step = std::max(loop_step, loop.out_stride);
    const std::int64_t whole = steps.step * times_to(loop_step, steps.read);
    const std::int64_t line = std::max<std::int64_t>(1, cache_line / making_.element());
    const std::int64_t whole_lines = whole * times_to(line, whole);
    return whole_lines <= share ? whole_lines : whole;
  }

  bool divide(const Range& all, std::int64_t share, const Steps& steps) {
    const std::int64_t whole = whole_steps(steps, share);
    const std::int64_t each = std::max<std::int64_t>(1, share / whole) * whole;
    if ((all.high - all.low) / each < 2) return false;
    const auto most = static_cast<std::int64_t>(most_read * static_cast<double>(making_.count));
    std::int64_t read = 0, longest = 0;
    found_.portions.clear();
    std::int64_t begin = all.low, end = all.low + (steps.start - all.low) % each;
    if (end == begin) end += each;
    for (; begin < all.high; begin = end, end += each) {
      end = std::min(end, all.high);
      const Range own = read_for({begin, end, 0, 0});
      if (own.low == own.high && found_.is_by_source) continue;  // nothing is moved
      found_.portions.push_back({begin, end, own.low, own.high});
      read += own.high - own.low;
      longest = std::max(longest, own.high - own.low);
      if (read > most) return false;
    }
    found_.made_bytes = longest * making_.element();
    return longest > 0 && found_.made_bytes <= 2 * most_bytes;
  }

  Range read_for(const Portions::Portion& portion) const {
    Range all{making_.count, 0};
    for (const Copy& copy : moved_copies(moving_, portion, found_.is_by_source))
      if (reads_made(copy)) all.add(read_by(copy));
    return all.low < all.high ? all : Range{0, 0};
  }

  /// Whether one of them does, or threads would take lines from each other.
  bool writes_whole_lines() const {
    std::vector<Piece> pieces;
    std::int64_t count = 0;
    for (Copy& copy : moved_copies(moving_, found_.portions[found_.portions.size() / 2], true)) {
      count += copy.count();
      pieces.push_back({std::move(copy)});
    }
    return writes_lines(pieces, count, moving_.element());
  }

  const Pass &making_, &moving_;
  std::int64_t share_;  // of what is made, for one portion
  Portions found_;
};

}  // namespace

std::int64_t Portions::bytes() const {
  std::int64_t all = count() * static_cast<std::int64_t>(sizeof(Portion));
  for (const Steps& each : steps) all += each.bytes();
  return all;
}

Portions::Parts parts_of(const Portions& portions, const Plan& plan, std::size_t p,
                         std::int64_t k) {
  const Portions::Portion& portion = portions.portions[static_cast<std::size_t>(k)];
  const Pass &making = plan.passes[p - 1], &moving = plan.passes[p];
  Portions::Parts parts{
      {making.what, making.type, portion.high - portion.low, {}, making.is_painted},
      {moving.what, moving.type, moving.count, moved_copies(moving, portion, portions.is_by_source),
       moving.is_painted}};
  std::vector<Copy>& made = parts.made.copies;
  for (const Copy& copy : making.copies) clip(copy, portion.low, portion.high, made);
  for (Copy& copy : made) copy.out_offset -= portion.low;
  for (Copy& copy : parts.moved.copies)
    if (copy.source == portions.source) copy.src_offset -= portion.low;
  return parts;
}

Portions::Steps steps_of(const Portions& portions, const Plan& plan, std::size_t p,
                         const Portions::Parts& parts) {
  PassTarget beside_others = portions.target;
  beside_others.part_of = &plan.passes[p];
  return {make_pass_steps(parts.made, {.fewest_divided = max_bytes}),
          make_pass_steps(parts.moved, beside_others)};
}

std::optional<Portions> make_portions(const Plan& plan, std::size_t p, const PassTarget& target,
                                      std::int64_t most_kept, int shrink) {
  Division division(plan, p, target, shrink);
  if (!division.by_result() && !division.by_source()) return std::nullopt;
  Portions found = division.take();
  constexpr double about = 1.1;
  const PortionCost cost = cost_of(found, plan, p);
  if (shrink == 0 && cost.portions > about * cost.whole) return std::nullopt;
  found.picoseconds = cost.portions;
  // Steps that are run but once, or take much themselves, are made as they are run.
  constexpr std::int64_t always_kept = 512 * 1024, of_bytes = 64;
  const std::int64_t most =
      target.is_once
          ? 0
          : std::min(most_kept, std::max(always_kept, plan.passes[p].bytes() / of_bytes));
  std::int64_t taken = 0;
  for (std::int64_t k = 0; k < found.count() && taken < most; ++k) {
    found.steps.push_back(steps_of(found, plan, p, parts_of(found, plan, p, k)));
    taken += found.steps.back().bytes();
  }
  if (taken >= most) found.steps = {};
  return found;
}

}  // namespace weft
