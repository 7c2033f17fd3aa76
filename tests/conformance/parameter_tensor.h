// SPDX-License-Identifier: Apache-2.0
// Parameters as tensors.
#pragma once

#include <weft/graph/tensor.h>

namespace weft::conformance {

/// A tensor of the type, rank and values of a literal. Elements of types that are no integers, and
/// those of rank 2, are 0.
Tensor parameter_tensor(const Ints& literal);

/// The same value, as an expression that was not evaluated.
Tensor lazily(const Tensor& tensor);

}  // namespace weft::conformance
