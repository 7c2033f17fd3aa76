// Joining boxes: what keeps long chains short.
#include <algorithm>

#include <weft/graph/box.h>

namespace weft {
namespace {

std::size_t digit_count(const Box& box) { return box.digits.size(); }

/// -1, 0 or 1; tables are told apart by address, which is enough to group.
int compare(const Digit& a, const Digit& b) {
  if (a.out_stride != b.out_stride) return a.out_stride < b.out_stride ? -1 : 1;
  if (a.extent != b.extent) return a.extent < b.extent ? -1 : 1;
  if (a.in_stride != b.in_stride) return a.in_stride < b.in_stride ? -1 : 1;
  if (a.axis != b.axis) return a.axis < b.axis ? -1 : 1;
  if (a.table != b.table) return std::less<>()(a.table, b.table) ? -1 : 1;
  return 0;
}

int compare_digits(const Box& a, const Box& b) {
  if (digit_count(a) != digit_count(b)) return digit_count(a) < digit_count(b) ? -1 : 1;
  for (std::size_t k = 0; k < digit_count(a); ++k)
    if (const int order = compare(a.digits[k], b.digits[k])) return order;
  return 0;
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

/// Boxes by where they start in the output; disjoint boxes start at different places.
class Merger {
 public:
  explicit Merger(Boxes& boxes) : boxes_(boxes) {}

  void run() {
    bool changed = true;
    while (changed && boxes_.size() > 1) {
      sort_by_output();
      changed = extend_digits();
      sweep();
      if (boxes_.size() < 2) break;
      changed = add_digits() || changed;
      sweep();
    }
  }

 private:
  void sort_by_output() {
    std::sort(boxes_.begin(), boxes_.end(),
              [](const Box& a, const Box& b) { return a.out_offset < b.out_offset; });
    dead_.assign(boxes_.size(), false);
  }

  void sweep() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      if (dead_[i]) continue;
      if (kept != i) boxes_[kept] = std::move(boxes_[i]);
      ++kept;
    }
    boxes_.resize(kept);
    dead_.assign(kept, false);
  }

  std::size_t find(std::int64_t out_offset) const {
    const auto at = std::lower_bound(
        boxes_.begin(), boxes_.end(), out_offset,
        [](const Box& box, std::int64_t offset) { return box.out_offset < offset; });
    if (at == boxes_.end() || at->out_offset != out_offset) return none;
    const std::size_t i = static_cast<std::size_t>(at - boxes_.begin());
    return dead_[i] ? none : i;
  }

  /// a + b where b goes on where a digit of a ends, or the other way round.
  bool extend_digits() {
    bool changed = false;
    for (std::size_t i = 0; i < boxes_.size(); ++i)
      while (!dead_[i] && (extend_forward(i) || extend_backward(i))) changed = true;
    return changed;
  }

  bool extend_forward(std::size_t i) {
    Box& a = boxes_[i];
    for (std::size_t k = 0; k < digit_count(a); ++k) {
      const Digit digit = a.digits[k];
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
      const Digit digit = b.digits[k];
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
    std::sort(boxes_.begin(), boxes_.end(), [](const Box& a, const Box& b) {
      const int order = compare_digits(a, b);
      return order != 0 ? order < 0 : a.out_offset < b.out_offset;
    });
    dead_.assign(boxes_.size(), false);
    bool changed = false;
    for (std::size_t i = 0; i + 1 < boxes_.size();) {
      std::size_t last = i + 1;
      if (compare_digits(boxes_[i], boxes_[last]) != 0) {
        ++i;
        continue;
      }
      std::int32_t axis = replicated;
      std::int64_t in_step = 0;
      if (!one_step(boxes_[i], boxes_[last], axis, in_step)) {
        ++i;
        continue;
      }
      const std::int64_t out_step = boxes_[last].out_offset - boxes_[i].out_offset;
      while (last + 1 < boxes_.size() && compare_digits(boxes_[i], boxes_[last + 1]) == 0 &&
             boxes_[last + 1].out_offset - boxes_[last].out_offset == out_step &&
             starts_after(boxes_[last], boxes_[last + 1], axis, in_step))
        ++last;
      Box joined = boxes_[i];
      joined.digits.push_back(
          {static_cast<std::int64_t>(last - i + 1), out_step, in_step, axis});
      if (accept(joined, i)) {
        std::fill(dead_.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                  dead_.begin() + static_cast<std::ptrdiff_t>(last) + 1, true);
        changed = true;
        i = last + 1;
      } else {
        ++i;
      }
    }
    return changed;
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

  /// Joined boxes are disjoint by nature, but only nested ones can be cut again.
  bool accept(Box& joined, std::size_t place) {
    canonicalise(joined);
    if (!is_nested(joined)) return false;
    boxes_[place] = std::move(joined);
    return true;
  }

  Boxes& boxes_;
  std::vector<bool> dead_;
};

}  // namespace

void merge(Boxes& boxes) {
  if (boxes.size() > 1) Merger(boxes).run();
}

}  // namespace weft
