// SPDX-License-Identifier: Apache-2.0
// Positions as digits, each with another weight.
#include <weft/graph/plan/stored_order.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace weft {

std::optional<StoredOrder> StoredOrder::of(std::span<const Copy> copies, std::int64_t count) {
  std::int64_t written = 0;  // by those that are painted over by no other, or before the others
  for (const Copy& copy : copies)
    if (copy.layer == copies.front().layer) written += copy.count();
  if (written != count) return {};
  // Digits as copies step through them, with how far apart the largest copy reads each.
  std::vector<const Copy*> largest_last;
  for (const Copy& copy : copies) largest_last.push_back(&copy);
  std::stable_sort(largest_last.begin(), largest_last.end(),
                   [](const Copy* a, const Copy* b) { return a->count() < b->count(); });
  std::map<std::int64_t, std::int64_t> apart;
  for (const Copy* const copy : largest_last)
    for (const Loop& loop : copy->loops) {
      if (!loop.is_plain()) return {};
      // What is the same at each step goes where others do.
      if (loop.src_stride != 0) apart[loop.out_stride] = std::abs(loop.src_stride);
    }
  StoredOrder order;
  std::int64_t whole = count;
  for (auto each = apart.rbegin(); each != apart.rend(); ++each) {
    if (whole % each->first != 0) continue;  // several steps of a nearer digit, if of any
    order.digits_.push_back({whole / each->first, each->first, each->second});
    whole = each->first;
  }
  if (whole != 1) {  // copies step over one another: several steps of the nearest digit
    if (apart.empty()) return {};
    const auto [stride, distance] = *apart.begin();
    if (whole == stride) {
      whole *= order.digits_.back().extent;
      order.digits_.pop_back();
    }
    order.digits_.push_back({whole, 1, std::max<std::int64_t>(1, distance / stride)});
  }
  SmallVector<Digit*, 6> nearest_first;
  for (Digit& digit : order.digits_) nearest_first.push_back(&digit);
  std::stable_sort(nearest_first.begin(), nearest_first.end(),
                   [](const Digit* a, const Digit* b) { return a->to < b->to; });
  std::int64_t to = 1;
  bool is_other = false;
  for (Digit* const digit : nearest_first) {
    digit->to = to;
    is_other |= digit->to != digit->from;
    to *= digit->extent;
  }
  return is_other ? std::optional(order) : std::nullopt;
}

/// Adds a loop, or one for each digit that it goes through; `last` is which step of each is the
/// last so far.
bool StoredOrder::add(Loop loop, SmallVector<std::int64_t, 6>& last, Copy& to) const {
  for (std::size_t d = 0; d < digits_.size(); ++d) {
    const Digit& digit = digits_[d];
    if (digit.from > loop.out_stride) continue;
    if (loop.out_stride % digit.from != 0) return false;
    const std::int64_t step = loop.out_stride / digit.from;
    if (last[d] + step * (loop.extent - 1) < digit.extent) {
      last[d] += step * (loop.extent - 1);
      loop.out_stride = step * digit.to;
      to.loops.push_back(loop);
      return true;
    }
    const std::int64_t within = digit.extent / step;
    if (!loop.is_plain() || digit.extent % step != 0 || loop.extent % within != 0) return false;
    const Loop beyond{loop.extent / within, loop.out_stride * within, loop.src_stride * within};
    return beyond.extent > 1 && add({within, loop.out_stride, loop.src_stride}, last, to) &&
           add(beyond, last, to);
  }
  return false;
}

std::optional<Copy> StoredOrder::stored(const Copy& copy) const {
  Copy added{copy.source, copy.layer, 0, copy.src_offset, {}};
  SmallVector<std::int64_t, 6> last;
  std::int64_t left = copy.out_offset;
  for (const Digit& digit : digits_) {
    last.push_back(left / digit.from);
    left %= digit.from;
    added.out_offset += last.back() * digit.to;
  }
  for (const Loop& loop : copy.loops)
    if (loop.out_table || (loop.extent > 1 && !add(loop, last, added))) return {};
  std::sort(added.loops.begin(), added.loops.end(),
            [](const Loop& a, const Loop& b) { return a.out_stride > b.out_stride; });
  Copy stored = added;
  stored.loops.clear();
  for (const Loop& loop : added.loops) stored.add_within(loop);
  return stored;
}

std::optional<std::vector<Copy>> StoredOrder::stored(const std::vector<Copy>& copies) const {
  std::vector<Copy> all;
  for (const Copy& copy : copies)
    if (auto each = stored(copy)) all.push_back(std::move(*each));
    else return {};
  std::sort(all.begin(), all.end(), [](const Copy& a, const Copy& b) {
    return std::tie(a.layer, a.out_offset) < std::tie(b.layer, b.out_offset);
  });
  return all;
}

Copy StoredOrder::read(std::size_t source) const {
  Copy read{source, 0, 0, 0, {}};
  for (const Digit& digit : digits_) read.loops.push_back({digit.extent, digit.from, digit.to});
  return read;
}

bool operator==(const StoredOrder& a, const StoredOrder& b) {
  return std::equal(a.digits_.begin(), a.digits_.end(), b.digits_.begin(), b.digits_.end(),
                    [](const StoredOrder::Digit& x, const StoredOrder::Digit& y) {
                      return x.extent == y.extent && x.from == y.from && x.to == y.to;
                    });
}

std::int64_t runs_of(const std::vector<Copy>& copies) {
  std::int64_t runs = 0;
  for (const Copy& copy : copies) {
    const Loop* const inner = copy.loops.empty() ? nullptr : &copy.loops.back();
    const bool has_run =
        inner && inner->is_plain() && inner->out_stride == 1 && std::abs(inner->src_stride) <= 1;
    runs += copy.count() / (has_run ? inner->extent : 1);
  }
  return runs;
}

}  // namespace weft
