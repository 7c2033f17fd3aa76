// SPDX-License-Identifier: Apache-2.0
// Joining boxes: what keeps long chains short.
#include <algorithm>
#include <cstdint>

#include <weft/graph/map/box.h>

namespace weft {
namespace {

std::size_t digit_count(const Box& box) { return box.digits.size(); }

/// Tables are told apart by address, which is enough to group.
bool is_same(const Digit& a, const Digit& b) {
  return a.out_stride == b.out_stride && a.extent == b.extent && a.in_stride == b.in_stride &&
         a.axis == b.axis && a.table == b.table;
}

bool has_same_digits(const Box& a, const Box& b) {
  return std::equal(a.digits.begin(), a.digits.end(), b.digits.begin(), b.digits.end(), is_same);
}

std::uint64_t hash_digits(const Box& box) {
  std::uint64_t hash = 0;
  for (const Digit& digit : box.digits) {
    hash +=
        static_cast<std::uint64_t>(digit.out_stride) * 0x9E3779B97F4A7C15u +
        static_cast<std::uint64_t>(digit.extent) * 0xC2B2AE3D27D4EB4Fu +
        static_cast<std::uint64_t>(digit.in_stride) * 0x165667B19E3779F9u +
        (reinterpret_cast<std::uintptr_t>(digit.table) ^ static_cast<std::uint32_t>(digit.axis));
    hash = (hash ^ (hash >> 32)) * 0xD6E8FEB86659FD93u;
  }
  return hash;
}

/// Whether b starts where a would be after one more step of (axis, in_step).
bool starts_after(const Box& a, const Box& b, std::int32_t axis, std::int64_t in_step) {
  for (std::size_t k = 0; k < a.origin.size(); ++k) {
    const std::int64_t step = static_cast<std::int32_t>(k) == axis ? in_step : 0;
    if (b.origin[k] != a.origin[k] + step) return false;
  }
  return true;
}

/// The digits of `a` without digit k are those of `b` without digit m (m == none: all of b).
constexpr std::size_t none = static_cast<std::size_t>(-1);
bool same_but(const Box& a, std::size_t k, const Box& b, std::size_t m) {
  std::size_t i = 0, j = 0;
  for (;;) {
    if (i == k) ++i;
    if (j == m) ++j;
    if (i >= digit_count(a) || j >= digit_count(b)) break;
    if (!(a.digits[i++] == b.digits[j++])) return false;
  }
  return i >= digit_count(a) && j >= digit_count(b);
}

/// Boxes by where they start in the output; disjoint boxes start at different places. Boxes stay in
/// their places, only their numbers are sorted.
class Merger {
 public:
  explicit Merger(Boxes& boxes) : boxes_(boxes) {}

  void run() {
    while (boxes_.size() > 1) {
      sort_by_output();
      bool is_shorter = false;
      while (extend_digits()) is_shorter = true;
      if (is_shorter) sweep();
      if (boxes_.size() < 2 || !add_digits()) return;
      sweep();
    }
  }

 private:
  void sort_by_output() {
    starts_.clear();
    for (std::uint32_t i = 0; i < boxes_.size(); ++i) starts_.push_back({boxes_[i].out_offset, i});
    std::sort(starts_.begin(), starts_.end(),
              [](const Start& a, const Start& b) { return a.out_offset < b.out_offset; });
    dead_.clear();
    dead_.resize(boxes_.size(), false);
  }

  void sweep() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      if (dead_[i]) continue;
      if (kept != i) boxes_[kept] = std::move(boxes_[i]);
      ++kept;
    }
    boxes_.erase(boxes_.begin() + static_cast<std::ptrdiff_t>(kept), boxes_.end());
  }

  /// The box that starts there: joined boxes start where their first part did.
  std::size_t find(std::int64_t out_offset) const {
    const Start* const start =
        std::lower_bound(starts_.begin(), starts_.end(), out_offset,
                         [](const Start& s, std::int64_t at) { return s.out_offset < at; });
    const bool is_found = start != starts_.end() && start->out_offset == out_offset;
    return is_found && !dead_[start->box] ? start->box : none;
  }

  /// a + b where b goes on where a digit of a ends, or the other way round.
  bool extend_digits() {
    bool changed = false;
    for (const auto& [out_offset, i] : starts_)
      while (!dead_[i] && (extend_forward(i) || extend_backward(i))) changed = true;
    return changed;
  }

  bool extend_forward(std::size_t i) {
    Box& a = boxes_[i];
    for (std::size_t k = 0; k < digit_count(a); ++k) {
      const Digit& digit = a.digits[k];
      if (digit.table) continue;
      const std::size_t j = find(a.out_offset + digit.out_stride * digit.extent);
      if (j == none || !starts_after(a, boxes_[j], digit.axis, digit.in_stride * digit.extent))
        continue;
      const Box& b = boxes_[j];
      std::int64_t more = 0;
      if (same_but(a, k, b, none)) {
        more = 1;
      } else {
        for (std::size_t m = 0; m < digit_count(b); ++m) {
          const Digit& other = b.digits[m];
          if (other.table || other.axis != digit.axis || other.out_stride != digit.out_stride ||
              other.in_stride != digit.in_stride)
            continue;
          if (same_but(a, k, b, m)) more = other.extent;
        }
      }
      if (more == 0) continue;
      Box joined = a;
      joined.digits[k].extent += more;
      if (!accept(joined, i)) continue;
      dead_[j] = true;
      return true;
    }
    return false;
  }

  /// A box of one step before a box whose digit k it starts.
  bool extend_backward(std::size_t i) {
    const Box& b = boxes_[i];
    for (std::size_t k = 0; k < digit_count(b); ++k) {
      const Digit& digit = b.digits[k];
      if (digit.table) continue;
      const std::size_t j = find(b.out_offset - digit.out_stride);
      if (j == none || !same_but(b, k, boxes_[j], none) ||
          !starts_after(boxes_[j], b, digit.axis, digit.in_stride))
        continue;
      Box joined = b;
      joined.out_offset = boxes_[j].out_offset;
      joined.origin = boxes_[j].origin;
      joined.digits[k].extent += 1;
      if (!accept(joined, j)) continue;
      dead_[i] = true;
      return true;
    }
    return false;
  }

  /// Equal boxes at equal distances become one box with one digit more.
  bool add_digits() {
    alike_.clear();
    for (std::uint32_t i = 0; i < boxes_.size(); ++i)
      alike_.push_back({hash_digits(boxes_[i]), boxes_[i].out_offset, i});
    std::sort(alike_.begin(), alike_.end(), [](const Alike& a, const Alike& b) {
      return a.hash != b.hash ? a.hash < b.hash : a.out_offset < b.out_offset;
    });
    dead_.clear();
    dead_.resize(boxes_.size(), false);
    bool changed = false;
    // Where equal steps cannot be joined, those behind the first are the same steps, still.
    std::size_t end = 0;
    for (std::size_t i = 0; i + 1 < alike_.size();) {
      if (i + 1 >= end) end = i + (alike_[i].hash == alike_[i + 1].hash ? equal_steps(i) : 1);
      const std::size_t count = end - i;
      if (count > 1 && join_steps(i, count)) {
        changed = true;
        i += count;
      } else {
        ++i;
      }
    }
    return changed;
  }

  const Box& alike(std::size_t i) const { return boxes_[alike_[i].box]; }

  /// How many boxes from the i-th on are equal and equally far apart, along one axis at most.
  std::size_t equal_steps(std::size_t i) const {
    const Box& first = alike(i);
    const Box& second = alike(i + 1);
    std::int32_t axis = replicated;
    std::int64_t in_step = 0;
    if (!has_same_digits(first, second) || !one_step(first, second, axis, in_step)) return 1;
    const std::int64_t out_step = second.out_offset - first.out_offset;
    std::size_t count = 2;
    for (; i + count < alike_.size(); ++count) {
      const Box& last = alike(i + count - 1);
      const Box& next = alike(i + count);
      if (next.out_offset - last.out_offset != out_step || !has_same_digits(first, next) ||
          !starts_after(last, next, axis, in_step))
        break;
    }
    return count;
  }

  bool join_steps(std::size_t i, std::size_t count) {
    const Box& first = alike(i);
    const Box& second = alike(i + 1);
    std::int32_t axis = replicated;
    std::int64_t in_step = 0;
    one_step(first, second, axis, in_step);
    Box joined = first;
    joined.digits.push_back(
        {static_cast<std::int64_t>(count), second.out_offset - first.out_offset, in_step, axis});
    if (!accept(joined, alike_[i].box)) return false;
    for (std::size_t k = 1; k < count; ++k) dead_[alike_[i + k].box] = true;
    return true;
  }

  /// The one axis on which the origins differ, if there is at most one.
  static bool one_step(const Box& a, const Box& b, std::int32_t& axis, std::int64_t& in_step) {
    for (std::size_t k = 0; k < a.origin.size(); ++k) {
      if (a.origin[k] == b.origin[k]) continue;
      if (axis != replicated) return false;
      axis = static_cast<std::int32_t>(k);
      in_step = b.origin[k] - a.origin[k];
    }
    return true;
  }

  /// Joined boxes are disjoint by nature, but only nested ones are cut again without loss.
  bool accept(Box& joined, std::size_t place) {
    canonicalise(joined);
    if (!is_nested(joined)) return false;
    for (std::size_t a = 0; a < joined.origin.size(); ++a) {
      const std::int32_t axis = static_cast<std::int32_t>(a);
      if (!is_nested_on_axis(joined, axis) && is_nested_on_axis(boxes_[place], axis)) return false;
    }
    boxes_[place] = std::move(joined);
    return true;
  }

  struct Start {
    std::int64_t out_offset;
    std::uint32_t box;
  };
  struct Alike {
    std::uint64_t hash;  // of the digits
    std::int64_t out_offset;
    std::uint32_t box;
  };
  Boxes& boxes_;
  SmallVector<Start, 16> starts_;
  SmallVector<Alike, 16> alike_;
  SmallVector<bool, 32> dead_;
};

}  // namespace

void merge(Boxes& boxes) {
  if (boxes.size() > 1) Merger(boxes).run();
}

}  // namespace weft
