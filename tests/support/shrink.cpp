// SPDX-License-Identifier: Apache-2.0
// Shrinks greedily: takes the first change that makes the recipe smaller and keeps it failing.
#include "support/shrink.h"

#include <cmath>
#include <utility>

namespace weft::testing {
namespace {

/// Tried at most so often, for a big case may be slow.
constexpr int max_attempts = 3000;

/// Without the steps that the result does not need.
Recipe pruned(const Recipe& recipe) {
  std::vector<bool> needed(recipe.steps.size(), false);
  needed.back() = true;
  for (std::size_t k = recipe.steps.size(); k-- > 0;)
    if (needed[k])
      for (const std::size_t operand : recipe.steps[k].operands) needed[operand] = true;
  Recipe result{recipe.dtype, {}};
  std::vector<std::size_t> renumbered(recipe.steps.size());
  for (std::size_t k = 0; k < recipe.steps.size(); ++k) {
    if (!needed[k]) continue;
    renumbered[k] = result.steps.size();
    Step step = recipe.steps[k];
    for (std::size_t& operand : step.operands) operand = renumbered[operand];
    result.steps.push_back(std::move(step));
  }
  return result;
}

/// Fewer steps first, then smaller numbers.
std::pair<std::size_t, double> cost(const Recipe& recipe) {
  double numbers = recipe.dtype == i32 ? 0 : 1;
  for (const Step& step : recipe.steps) {
    numbers += step.is_stored ? 1 : 0;
    for (const Numbers& parameter : step.parameters)
      if (parameter)
        for (const std::int64_t number : *parameter)
          numbers += 1 + 2 * std::abs(static_cast<double>(number)) + (number < 0 ? 1 : 0);
  }
  return {recipe.steps.size(), numbers};
}

class Shrinker {
 public:
  Shrinker(Recipe recipe, const std::function<bool(const Recipe&)>& fails)
      : best_(std::move(recipe)), fails_(fails) {}

  Recipe run() {
    take(best_);
    while (shrink_steps() || shrink_numbers()) continue;
    return best_;
  }

 private:
  /// Whether the candidate is smaller and still fails; then it is the best.
  bool take(const Recipe& candidate) {
    const Recipe smaller = pruned(candidate);
    if (!(cost(smaller) < cost(best_)) || ++attempts_ > max_attempts) return false;
    try {
      if (!fails_(smaller)) return false;
    } catch (const Error&) {
      return false;
    }
    best_ = smaller;
    return true;
  }

  bool shrink_steps() {
    for (std::size_t k = 0; k + 1 < best_.steps.size(); ++k) {
      Recipe candidate = best_;
      candidate.steps.resize(k + 1);
      if (take(candidate)) return true;
    }
    for (std::size_t k = best_.steps.size(); k-- > 0;)
      if (take(with_leaf(k)) || take(without(k)) || take(with_own_updates(k))) return true;
    return false;
  }

  /// Step k replaced by a leaf of its shape.
  Recipe with_leaf(std::size_t k) const {
    Recipe candidate = best_;
    candidate.steps.resize(k + 1);
    const Shape shape = build(candidate, false).shape();
    candidate = best_;
    candidate.steps[k] = {"leaf", {}, {std::vector<std::int64_t>(shape.begin(), shape.end())}};
    return candidate;
  }

  /// Users of step k use its first operand.
  Recipe without(std::size_t k) const {
    Recipe candidate = best_;
    if (candidate.steps[k].operands.empty()) return candidate;
    const std::size_t source = candidate.steps[k].operands[0];
    for (Step& step : candidate.steps)
      for (std::size_t& operand : step.operands)
        if (operand == k) operand = source;
    if (k + 1 == candidate.steps.size()) candidate.steps.resize(source + 1);
    return candidate;
  }

  Recipe with_own_updates(std::size_t k) const {
    Recipe candidate = best_;
    std::vector<std::size_t>& operands = candidate.steps[k].operands;
    if (operands.size() > 1) operands = {operands[0]};
    return candidate;
  }

  bool shrink_numbers() {
    for (std::size_t k = 0; k < best_.steps.size(); ++k) {
      if (change(k, [](Step& step) { step.is_stored = false; })) return true;
      const std::vector<Numbers> parameters = best_.steps[k].parameters;
      for (std::size_t p = 0; p < parameters.size(); ++p)
        for (std::size_t i = 0; parameters[p] && i < parameters[p]->size(); ++i)
          if (shrink_number(k, p, i)) return true;
    }
    Recipe candidate = best_;
    candidate.dtype = i32;
    return take(candidate);
  }

  /// Entry i out of all lists of step k that are as long as list p, or closer to 0.
  bool shrink_number(std::size_t k, std::size_t p, std::size_t i) {
    const std::size_t length = best_.steps[k].parameters[p]->size();
    if (change(k, [&](Step& step) {
          for (Numbers& list : step.parameters)
            if (list && list->size() == length)
              list->erase(list->begin() + static_cast<std::ptrdiff_t>(i));
        }))
      return true;
    const std::int64_t now = (*best_.steps[k].parameters[p])[i];
    for (const std::int64_t next :
         {std::int64_t{0}, std::int64_t{1}, now / 2, now < 0 ? now + 1 : now - 1})
      if (change(k, [&](Step& step) { (*step.parameters[p])[i] = next; })) return true;
    return false;
  }

  template <class Change>
  bool change(std::size_t k, Change&& edit) {
    Recipe candidate = best_;
    edit(candidate.steps[k]);
    return take(candidate);
  }

  Recipe best_;
  const std::function<bool(const Recipe&)>& fails_;
  int attempts_ = 0;
};

}  // namespace

Recipe shrink(Recipe recipe, const std::function<bool(const Recipe&)>& fails) {
  return Shrinker(std::move(recipe), fails).run();
}

}  // namespace weft::testing
