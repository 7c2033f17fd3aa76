// SPDX-License-Identifier: Apache-2.0
// Shrinking: the smallest recipe that still fails.
#pragma once

#include <functional>

#include "support/recipe.h"

namespace weft::testing {

/// Leaves out ops, cuts off what leads to them, and makes numbers smaller, as long as `fails` says
/// that the recipe still fails. `fails` may throw weft::Error where the recipe cannot be built.
Recipe shrink(Recipe recipe, const std::function<bool(const Recipe&)>& fails);

}  // namespace weft::testing
