// SPDX-License-Identifier: Apache-2.0
// What reduces and multiplies beside plain loops in double.
#pragma once

#include <string>

#include <weft/graph/tensor.h>

namespace weft::testing {

/// Evaluates a tensor node by node, and says where one that reduces or multiplies numbers is not
/// what loops over coordinates make in long double of the values below it, or wrapping in integers,
/// within the roundings that docs/reduce.md and docs/products.md promise. Of large results some
/// elements are looked at.
std::string difference_from_loops(const Tensor& x);

}  // namespace weft::testing
