// SPDX-License-Identifier: Apache-2.0
// An elementwise op with a function of vectors, of a file that is compiled as weft's own are.
#pragma once

#include <weft/graph/tensor.h>

namespace weft::testing {

/// x / (1 + |y|).
Tensor damped(const Tensor& x, const Tensor& y);
extern const Op damped_op;

}  // namespace weft::testing
