// SPDX-License-Identifier: Apache-2.0
// Recipes: expressions as plain lists of steps, which can be built, changed, shrunk and printed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <weft/testing/check.h>

namespace weft::testing {

/// A list parameter, or none.
using Numbers = std::optional<std::vector<std::int64_t>>;

/// A leaf, a stored tensor of given elements (an index or a mask), or the call of an op. Operands
/// are the numbers of earlier steps. A slice_scatter with one operand takes a leaf of the fitting
/// shape as updates.
struct Step {
  std::string op;
  std::vector<std::size_t> operands;
  std::vector<Numbers> parameters{};  ///< numbers in the order of the op's; of a leaf: its shape,
                                      ///< of an index or a mask also its elements
  bool is_stored = false;             ///< evaluated as soon as it is built
  std::vector<std::string> texts{};   ///< parameters that are text, in the order of the op's
};

/// The last step is the result.
struct Recipe {
  DType dtype;
  std::vector<Step> steps;
};

/// The value of step `number`, whose operands are among `values`. Stores nothing. Throws what the
/// op throws.
Tensor build_step(const Recipe& recipe, std::size_t number, const std::vector<Tensor>& values);

/// How leaves and parameters are handed to the ops, where not as they are.
struct Forms {
  std::function<Tensor(const Tensor&)> leaf;
  std::function<Ints(const Ints&)> parameter;
};

/// The same with other forms. `closed` are the values of earlier steps as they are.
Tensor build_step(const Recipe& recipe, std::size_t number, const std::vector<Tensor>& values,
                  const Forms& forms, const std::vector<Tensor>& closed);

/// The result, with the marked steps evaluated on the way, or all lazy.
Tensor build(const Recipe& recipe, bool may_store = true);

/// Statements of C++ that build the same.
std::string to_code(const Recipe& recipe);

/// The same as that of a tensor (testing/check.h); marked steps are evaluated for weft, but not for
/// the reference.
std::string disagreement(const Recipe& recipe);

}  // namespace weft::testing
