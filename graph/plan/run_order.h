// SPDX-License-Identifier: Apache-2.0
// The order in which passes run: they are found from the results on.
#pragma once

#include <cstddef>
#include <vector>

#include <weft/graph/plan/plan.h>
#include <weft/graph/value/small_vector.h>

namespace weft {

/// Which pass makes each vertex that is a result.
class Outputs {
 public:
  void add(std::size_t vertex, std::size_t pass) { all_.push_back({vertex, pass}); }
  /// Passes have other numbers now.
  void renumber(const std::vector<std::size_t>& number);
  /// Adds which pass makes each of these vertices to the plan, after all were added.
  void tell(const SmallVector<std::size_t, 2>& vertices, Plan& plan);
  /// Turns the passes of the plan round, so that those come first which others read.
  void reverse(Plan& plan);

 private:
  struct Output {
    std::size_t vertex, pass;
  };
  SmallVector<Output, 2> all_;
};

}  // namespace weft
