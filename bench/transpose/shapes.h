// SPDX-License-Identifier: Apache-2.0
// The transposes, as data: every way to do them goes through this list.
#pragma once

#include <string>
#include <vector>

#include <weft/weft.h>

namespace weft::bench {

struct Transpose {
  std::string id, what;
  DType dtype;
  std::vector<std::int64_t> shape;  ///< of the input
  std::vector<int> order;           ///< out.shape[k] = shape[order[k]]
};

const std::vector<Transpose>& transposes();

/// What loops need to know: extents of the output, and the input's strides along its axes.
struct Permutation {
  std::vector<std::int64_t> extents, strides;  // in elements
};
Permutation permutation(const std::vector<std::int64_t>& shape, const std::vector<int>& order);

}  // namespace weft::bench
