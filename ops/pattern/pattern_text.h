// SPDX-License-Identifier: Apache-2.0
// The text of a pattern: parsed, and shown in messages with a caret under what is wrong.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Which side of a pattern may have axes that the other one lacks.
enum class OneSided { neither, left, right };

namespace pattern {

inline constexpr std::string_view ellipsis = "...";

/// Text as a message can show it: not too much, one column for each byte.
std::string shown(std::string_view text, std::size_t most = 40);

/// A pattern and the op that it was given to: what messages name and point into.
struct Source {
  std::string_view op, pattern;

  std::string message(const std::string& what) const;
  /// With a caret under the byte at `at`.
  std::string message(const std::string& what, std::size_t at) const;
  /// ParameterError, bad_pattern or bad_rank.
  [[noreturn]] void refuse(const std::string& what, std::size_t at) const;
  [[noreturn]] void refuse_rank(const std::string& what, std::size_t at) const;
};

/// A name, a number above 1 or an ellipsis, as it is written.
struct Axis {
  enum Kind { name, number, dots };
  Kind kind;
  std::string_view text;
  std::size_t at;
  std::int64_t value = 0;  ///< of a number
};

/// Axes in parentheses, or one without; none for a 1.
struct Group {
  std::size_t at;
  bool is_composed;
  std::vector<Axis> axes;
  bool is_ellipsis() const { return !is_composed && !axes.empty() && axes[0].kind == Axis::dots; }
};

/// The groups on one side of the arrow.
struct Side {
  std::vector<Group> groups;
  std::string_view where;  ///< "left" or "right"

  const Axis* find(std::string_view text, Axis::Kind kind) const {
    for (const Group& group : groups)
      for (const Axis& axis : group.axes)
        if (axis.kind == kind && axis.text == text) return &axis;
    return nullptr;
  }
  const Axis* find_ellipsis() const { return find(ellipsis, Axis::dots); }
  /// Without the ellipsis, which may stand for none.
  std::size_t group_count() const {
    return groups.size() - static_cast<std::size_t>(std::count_if(
                               groups.begin(), groups.end(),
                               [](const Group& group) { return group.is_ellipsis(); }));
  }
  std::size_t axis_count() const {
    std::size_t count = 0;
    for (const Group& group : groups) count += group.axes.size();
    return count - (find_ellipsis() ? 1 : 0);
  }
};

std::string to_string(const Axis& axis);

/// The two sides of a pattern that is well-formed, whatever tensor it is for.
struct Pattern {
  Source source;
  OneSided one_sided;
  std::size_t arrow;
  Side left, right;
};

/// Throws ParameterError (bad_pattern), which points to what is wrong. `text` must outlive what is
/// returned.
Pattern parse(std::string_view op, std::string_view text, OneSided one_sided);

/// One side, or a part of one, from byte `begin` to `end`, which messages call `where`. Names may
/// be refused where they come again.
Side parse_side(const Source& source, std::string_view where, std::size_t begin, std::size_t end,
                bool may_repeat = false);

}  // namespace pattern
}  // namespace weft
