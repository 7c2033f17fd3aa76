// SPDX-License-Identifier: Apache-2.0
// Printing tensors as NumPy prints arrays, and fmt support for it.
#pragma once

#include <fmt/format.h>
#include <string>

#include <weft/graph/tensor.h>

namespace weft {

/// The elements as numpy's str() shows them, long ones summarised; evaluates.
[[nodiscard]] std::string to_string(const Tensor& tensor);

}  // namespace weft

template <>
struct fmt::formatter<weft::Tensor> : fmt::formatter<fmt::string_view> {
  template <class Context>
  auto format(const weft::Tensor& tensor, Context& context) const {
    return fmt::formatter<fmt::string_view>::format(weft::to_string(tensor), context);
  }
};
