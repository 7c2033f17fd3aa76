// SPDX-License-Identifier: Apache-2.0
// Values of tensors as vectors.
#pragma once

#include <span>
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

/// The value of elements of T by so many threads; the tensor is left without one.
template <class T>
std::vector<T> values_with(const Tensor& tensor, int threads) {
  std::vector<T> values(static_cast<std::size_t>(tensor.size()));
  EvalOptions options;
  options.threads = threads;
  eval_into(tensor, std::span(values), options);
  return values;
}

}  // namespace weft::testing
