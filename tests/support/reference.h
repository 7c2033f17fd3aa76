// The reference evaluator: one output element at a time, by the ops' own index functions, no boxes.
#pragma once

#include <cstddef>
#include <vector>

#include <weft/graph/tensor.h>

namespace weft::testing {

/// Copies the element at row-major position `position` of the tensor to `to`.
void reference_element(const Tensor& tensor, std::int64_t position, std::byte* to);

/// All elements, row-major.
std::vector<std::byte> reference_value(const Tensor& tensor);

}  // namespace weft::testing
