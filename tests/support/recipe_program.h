// SPDX-License-Identifier: Apache-2.0
// Recipes as programs of open placeholders.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weft/engine/program/program.h>

#include "support/recipe.h"

namespace weft::testing {

/// Empty where a program gives the shapes and values that the recipe gives, or what is wrong. The
/// program has placeholders for most leaves and for some of the parameters, and some of the steps
/// for outputs; which, and what is said of the placeholders' shapes, is drawn from the seed. It
/// runs three times: with inputs that were not seen before, again, and with inputs that are given
/// up.
std::string disagreement_of_program(const Recipe& recipe, std::uint64_t seed);

/// That program, and inputs for it.
struct RecipeProgram {
  Program program;
  std::vector<Tensor> inputs;
};
RecipeProgram program_of(const Recipe& recipe, std::uint64_t seed);

}  // namespace weft::testing
