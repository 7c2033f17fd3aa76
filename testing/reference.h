// SPDX-License-Identifier: Apache-2.0
// The reference evaluator: one output element at a time, by the ops' own index functions, no boxes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <weft/graph/tensor.h>

namespace weft::testing {

/// The elements at these row-major positions, one after another. Evaluates nothing but what indices
/// are made of, and reads a node's value only where it exists already.
[[nodiscard]] std::vector<std::byte> reference_elements(const Tensor& tensor,
                                                        std::span<const std::int64_t> positions);

/// All elements, row-major.
[[nodiscard]] std::vector<std::byte> reference_value(const Tensor& tensor);

/// The same as elements of type T, which must be the tensor's.
template <class T>
[[nodiscard]] std::vector<T> reference_values(const Tensor& tensor) {
  const std::vector<std::byte> bytes = reference_value(tensor);
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace weft::testing
