// SPDX-License-Identifier: Apache-2.0
// Random expressions over all ops, for the fuzzer.
#pragma once

#include <cstdint>

#include "support/recipe.h"

namespace weft::testing {

/// A recipe of 1 to 12 ops, sometimes 40, all of it decided by the seed: any rank to 8, empty axes
/// and axes of 1, values used twice, updates cut from the data itself, steps back and forth, axes
/// named twice, numbers at the ends of int64. Mostly at most 2000 elements, sometimes 200,000.
Recipe random_recipe(std::uint64_t seed);

}  // namespace weft::testing
