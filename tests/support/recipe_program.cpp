// SPDX-License-Identifier: Apache-2.0
// Drawing placeholders for a recipe, and comparing what its program makes.
#include "support/recipe_program.h"

#include <fmt/format.h>

#include <weft/weft.h>

#include "support/random.h"
#include <weft/testing/reference.h>

namespace weft::testing {
namespace {

/// What may be said of a shape: nothing, its rank, bounds, names, or all.
PartialShape drawn_shape(const Shape& shape, Random& random) {
  if (random.one_in(6)) return PartialShape::any();
  PartialShape partial = shape;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::int64_t extent = shape[axis];
    switch (random.below(5)) {
      case 0:
        partial[axis] = Dim();
        break;
      case 1:
        partial[axis] = Dim(random.in(0, extent), extent + random.in(0, 9));
        break;
      case 2:
        partial[axis] = Dim(random.in(0, extent), Dim::unbounded);
        break;
      case 3:
        partial[axis] = Dim(fmt::format("n{}", extent));  // equal names, equal extents
        break;
      default:
        break;
    }
  }
  return partial;
}

bool allows(const PartialShape& partial, const Shape& shape) {
  if (!partial.has_rank()) return true;
  if (partial.rank() != shape.size()) return false;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (!partial[axis].contains(shape[axis])) return false;
  return true;
}

class OpenRecipe {
 public:
  OpenRecipe(const Recipe& recipe, std::uint64_t seed) : recipe_(recipe), random_(seed) {}

  std::string disagreement() {
    std::string wrong = build();
    if (!wrong.empty()) return wrong;
    const Program program = this->program();
    for (const std::size_t step : chosen_) expected_.push_back(reference_value(closed_[step]));
    for (const char* run : {"the first run", "the second run", "a run of inputs given up"}) {
      const bool is_given_up = run[0] == 'a';
      wrong = compare(program.run(is_given_up ? copies() : inputs_));
      if (!wrong.empty()) return fmt::format("{}: {}\n{}", run, wrong, to_string(program));
    }
    return {};
  }

  RecipeProgram made() {
    build();
    return {program(), inputs_};
  }

 private:
  Program program() const {
    std::vector<Tensor> outputs;
    for (const std::size_t step : chosen_) outputs.push_back(open_[step]);
    return Program(placeholders_, outputs);
  }

  std::string build() {
    const Forms forms{[this](const Tensor& x) { return random_.one_in(6) ? x : input(x); },
                      [this](const Ints& literal) { return parameter(literal); }};
    for (std::size_t k = 0; k < recipe_.steps.size(); ++k) {
      closed_.push_back(build_step(recipe_, k, closed_));
      open_.push_back(build_step(recipe_, k, open_, forms, closed_));
      if (!allows(open_.back().partial_shape(), closed_.back().shape()))
        return fmt::format("step {} is inferred to be {}, it is {}", k,
                           to_string(open_.back().partial_shape()),
                           to_string(closed_.back().shape()));
      if (k + 1 == recipe_.steps.size() || random_.one_in(5)) chosen_.push_back(k);
    }
    return {};
  }

  Tensor input(const Tensor& value) {
    inputs_.push_back(value.eval());
    placeholders_.push_back(placeholder(value.dtype(), drawn_shape(value.shape(), random_)));
    return placeholders_.back();
  }

  Ints parameter(const Ints& literal) {
    if (literal.is_none() || random_.one_in(2)) return literal;
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < literal.size(); ++i) values.push_back(literal[i]);
    const Tensor tensor = copy_from(values.data(), std::ssize(values));
    switch (random_.below(4)) {
      case 0:
        return tensor;
      case 1:  // made by an op when the program runs
        return input(tensor.flip()).flip(0);
      default:
        return input(tensor);
    }
  }

  std::vector<Tensor> copies() const {
    std::vector<Tensor> copies;
    for (const Tensor& input : inputs_)
      copies.push_back(copy_from(input.node().value().get(), input.dtype(), input.shape()));
    return copies;
  }

  std::string compare(const std::vector<Tensor>& got) const {
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      const Shape& shape = closed_[chosen_[k]].shape();
      if (!(got[k].shape() == shape))
        return fmt::format("output {} has shape {}, expected {}", k, to_string(got[k].shape()),
                           to_string(shape));
      if (reference_value(got[k]) != expected_[k])
        return fmt::format("output {} (step {}) has wrong elements", k, chosen_[k]);
    }
    return {};
  }

  const Recipe& recipe_;
  Random random_;
  std::vector<Tensor> closed_, open_;  // of each step
  std::vector<Tensor> placeholders_, inputs_;
  std::vector<std::size_t> chosen_;               // steps that are outputs
  std::vector<std::vector<std::byte>> expected_;  // of each of those
};

}  // namespace

std::string disagreement_of_program(const Recipe& recipe, std::uint64_t seed) {
  return OpenRecipe(recipe, seed).disagreement();
}

RecipeProgram program_of(const Recipe& recipe, std::uint64_t seed) {
  return OpenRecipe(recipe, seed).made();
}

}  // namespace weft::testing
