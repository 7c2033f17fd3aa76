// SPDX-License-Identifier: Apache-2.0
// Boxes and arrows, as DOT and as SVG.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// A graph without cycles: each box points only to those that follow it in the list.
struct Picture {
  struct Box {
    std::string title, text;
    std::vector<std::size_t> from{};  ///< boxes before it, whose arrows end here
  };
  std::string title;
  std::vector<Box> boxes{};
};

/// Each as a cluster.
std::string dot_of(std::span<const Picture> pictures);

/// One below the other, a box below all those that point to it. Throws ParameterError from
/// `most_drawn` boxes on.
std::string svg_of(std::span<const Picture> pictures);
inline constexpr std::size_t most_drawn = 50;

}  // namespace weft
