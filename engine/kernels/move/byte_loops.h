// SPDX-License-Identifier: Apache-2.0
// Loops that go on where another ends, as rows and columns of a transpose do, and rows that follow
// one another.
#pragma once

#include <weft/engine/kernels/nest.h>

namespace weft {

/// A loop over several sources, as kernels keep it; strides in bytes.
struct SharedLoop {
  std::int64_t extent = 1, dst = 0;
  std::array<std::int64_t, most_sources> src{};
};

/// Loops around one another, innermost first.
using ByteLoops = std::array<ByteLoop, 3>;

inline std::int64_t steps_of(const ByteLoops& sides) {
  return sides[0].extent * sides[1].extent * sides[2].extent;
}

/// How many bytes behind each of the rows of two loops those behind it write, where rows of so many
/// bytes follow one another.
class WrittenLater {
 public:
  template <class Loop>
  WrittenLater(const std::array<Loop, 2>& outer, std::int64_t row_bytes) {
    const auto& [near, far] = outer;
    last_near_ = near.extent - 1;
    last_far_ = far.extent - 1;
    if (near.dst != row_bytes) return;
    near_bytes_ = near.dst;
    if (far.dst == near.extent * near.dst) far_bytes_ = far.dst;
  }
  /// Of row `i` of the near loop, in step `j` of the far one.
  std::int64_t operator()(std::int64_t j, std::int64_t i) const {
    return (last_near_ - i) * near_bytes_ + (last_far_ - j) * far_bytes_;
  }

 private:
  std::int64_t last_near_, last_far_, near_bytes_ = 0, far_bytes_ = 0;
};

}  // namespace weft
