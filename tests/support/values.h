// SPDX-License-Identifier: Apache-2.0
// Values of i32 tensors as vectors.
#pragma once

#include <vector>

#include <weft/weft.h>

namespace weft::testing {

inline std::vector<int> values_of(const Tensor& tensor) {
  const std::span<const int> span = tensor.span<int>();
  return {span.begin(), span.end()};
}

/// The value by eval_into(), which leaves the tensor without one.
inline std::vector<int> into(const Tensor& tensor, const EvalOptions& options = {}) {
  std::vector<int> values(static_cast<std::size_t>(tensor.size()));
  eval_into(tensor, values.data(), tensor.bytes(), options);
  return values;
}

}  // namespace weft::testing
