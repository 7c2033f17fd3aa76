// SPDX-License-Identifier: Apache-2.0
// Random patterns of axes for random graphs: those of rearrange, and of repeat with new axes.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/drawing.h"

namespace weft::testing {

/// Splits some axes of x, puts their factors in another order and merges some.
class DrawnPattern {
 public:
  DrawnPattern(Drawing& drawing, bool has_new_axes)
      : drawing_(drawing), random_(drawing.random()), shape_(drawing.shape()) {
    draw_left();
    if (has_new_axes) draw_new();
    draw_right();
    random_.shuffle(sizes_);
  }

  std::string text() const { return left_ + "->" + right_; }
  std::string names() const {
    std::string names;
    for (const auto& [name, size] : sizes_) names += name + " ";
    return names;
  }
  List sizes() const {
    List sizes;
    for (const auto& [name, size] : sizes_) sizes.push_back(size);
    return sizes;
  }
  /// Of all axes that have a name.
  const std::map<std::string, std::int64_t>& extents() const noexcept { return extents_; }

 private:
  /// What stands on the right, and how many axes that is where it is not merged.
  struct Item {
    std::string text;
    std::size_t rank = 1;
  };

  void draw_left() {
    const std::size_t rank = shape_.size();
    std::size_t dots = random_.one_in(3) ? random_.below(rank + 1) : rank + 1, dots_end = dots;
    if (dots <= rank) dots_end += random_.below(rank - dots + 1);
    count_ = rank;
    for (std::size_t axis = 0; axis <= rank; ++axis) {
      if (axis == dots) {
        left_ += " ... ";
        items_.push_back({"...", dots_end - dots});
      }
      if (axis < rank && (axis < dots || axis >= dots_end)) draw_group(shape_[axis]);
    }
  }

  void draw_group(std::int64_t extent) {
    if (extent == 1 && random_.one_in(2)) {
      left_ += random_.one_in(2) ? "1 " : "() ";
      return;
    }
    List factors = {extent};
    while (count_ < 13 && factors.size() < 4 && random_.one_in(2)) {
      const std::int64_t left = factors.back();
      std::int64_t factor = left == 0 ? random_.in(1, 3) : random_.in(1, left);
      while (left % factor != 0) --factor;
      factors.insert(factors.begin(), factor);
      factors.back() = left / factor;
      ++count_;
    }
    random_.shuffle(factors);
    // An empty axis is never given its size, which is below 1.
    std::size_t unknown = random_.below(factors.size() + (random_.one_in(4) ? 1 : 0));
    const auto empty = std::find(factors.begin(), factors.end(), 0);
    if (empty != factors.end()) unknown = static_cast<std::size_t>(empty - factors.begin());
    std::string group;
    for (std::size_t k = 0; k < factors.size(); ++k) {
      items_.push_back({new_name()});
      extents_[items_.back().text] = factors[k];
      if (k != unknown) sizes_.emplace_back(items_.back().text, factors[k]);
      group += (k > 0 ? " " : "") + items_.back().text;
    }
    if (random_.one_in(6)) group += " 1";
    left_ += factors.size() > 1 || group.back() == '1' ? "(" + group + ")" : group + " ";
  }

  void draw_new() {
    std::int64_t room = std::max<std::int64_t>(drawing_.room(), 1);
    for (std::int64_t k = random_.in(0, 3); k > 0; --k) {
      const std::int64_t size = random_.in(1, std::min<std::int64_t>(room, 5));
      room /= size;
      if (random_.one_in(2)) {
        items_.push_back({fmt::format("{}", size)});
      } else {
        items_.push_back({new_name()});
        extents_[items_.back().text] = size;
        sizes_.emplace_back(items_.back().text, size);
      }
    }
  }

  void draw_right() {
    random_.shuffle(items_);
    if (random_.one_in(3))
      std::sort(items_.begin(), items_.end(),
                [](const Item& a, const Item& b) { return a.text < b.text; });
    std::vector<std::vector<Item>> groups;
    std::size_t rank = 0;
    for (const Item& item : items_) rank += item.rank;
    for (const Item& item : items_) {
      const bool is_merged = !groups.empty() && (rank > Drawing::most_axes || random_.one_in(3));
      if (is_merged) {
        rank -= rank_of(groups.back()) + item.rank;
        groups.back().push_back(item);
        rank += rank_of(groups.back());
      } else {
        groups.push_back({item});
      }
    }
    for (const std::vector<Item>& group : groups) {
      std::string text;
      for (const Item& item : group) text += (text.empty() ? "" : " ") + item.text;
      right_ += group.size() > 1 || random_.one_in(8) ? "(" + text + ")" : " " + text + " ";
    }
    if (rank < Drawing::most_axes && random_.one_in(6)) right_ += random_.one_in(2) ? " 1" : " ()";
  }

  static std::size_t rank_of(const std::vector<Item>& group) {
    return group.size() > 1 ? 1 : group[0].rank;
  }

  std::string new_name() {
    const char letter = static_cast<char>('a' + random_.below(26));
    return fmt::format("{}{}", letter, name_count_++);
  }

  Drawing& drawing_;
  Random& random_;
  List shape_;
  std::size_t count_ = 0, name_count_ = 0;
  std::vector<Item> items_;
  std::vector<std::pair<std::string, std::int64_t>> sizes_;
  std::map<std::string, std::int64_t> extents_;
  std::string left_, right_;
};

}  // namespace weft::testing
