// SPDX-License-Identifier: Apache-2.0
// Gradients of random chains of all that moves elements: the Jacobian transposed, exactly.
#include <algorithm>
#include <map>
#include <set>

#include "ops/expect.h"
#include "support/computed_graph.h"
#include "support/random_graph.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// The recipe over f64 leaves, none of which has an element that another has, or that is small.
struct Built {
  Tensor y;
  Tensors leaves;
};
Built with_own_elements(Recipe recipe) {
  recipe.dtype = f64;
  Built built;
  double next = 1 << 20;
  const Forms forms{[&](const Tensor& x) {
                      if (x.dtype() != f64) return x;
                      std::vector<double> elements(static_cast<std::size_t>(x.size()));
                      for (double& element : elements) element = next++;
                      built.leaves.push_back(from_vector(elements, x.shape()));
                      return built.leaves.back();
                    },
                    [](const Ints& parameter) { return parameter; }};
  std::vector<Tensor> values;
  for (std::size_t number = 0; number < recipe.steps.size(); ++number)
    values.push_back(build_step(recipe, number, values, forms, values));
  built.y = values.back();
  return built;
}

/// Whether a step makes no new elements, nor sees them as others.
bool moves_numbers(const Step& step) {
  static const std::vector<ComputingOp>& computing = computing_ops();
  const bool computes = step.op != "where" && std::any_of(computing.begin(), computing.end(),
                                                          [&](const ComputingOp& each) {
                                                            return each.op->name == step.op;
                                                          });
  const bool reduces =
      std::any_of(step.texts.begin(), step.texts.end(), [](const std::string& text) {
        return text == "add" || text == "multiply" || text == "minimum" || text == "maximum";
      });
  return step.op != "view_as" && step.op != "astype" && !computes && !reduces;
}

/// Small whole numbers, whose sums are exact.
Tensor whole_numbers(const Shape& shape, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> numbers(static_cast<std::size_t>(element_count(shape)));
  for (double& number : numbers) number = static_cast<double>(random.in(-8, 8));
  return from_vector(numbers, shape);
}

/// What the cotangents of the leaves are not, which the elements of y name.
std::string flaw_of(const Built& built, const Tensor& cotangent) {
  std::map<double, double> expected;
  const std::vector<double> sources = reference_values<double>(built.y);
  for (std::size_t k = 0; k < sources.size(); ++k)
    expected[sources[k]] += cotangent.data<double>()[k];
  const Results got = vjp(built.y, built.leaves, cotangent);
  for (std::size_t x = 0; x < got.size(); ++x) {
    const Tensor& leaf = built.leaves[x];
    if (got[x].shape() != leaf.shape() || got[x].dtype() != f64)
      return fmt::format("leaf {}: it has another type", x);
    const std::vector<double> elements = got[x].to_vector<double>();
    for (std::size_t k = 0; k < elements.size(); ++k)
      if (elements[k] != expected[leaf.data<double>()[k]])
        return fmt::format("leaf {}, element {}: {}, expected {}", x, k, elements[k],
                           expected[leaf.data<double>()[k]]);
  }
  return {};
}

}  // namespace

TEST_CASE("gradients: of chains of movement, the Jacobian transposed") {
  std::set<std::string> refused, ops;
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 2500; ++seed) {
    const Recipe recipe = random_recipe(seed);
    if (!std::all_of(recipe.steps.begin(), recipe.steps.end(), moves_numbers)) continue;
    CAPTURE(seed);
    try {
      const Built built = with_own_elements(recipe);
      if (built.y.dtype() != f64) continue;
      const std::string flaw = flaw_of(built, whole_numbers(built.y.shape(), seed));
      INFO(to_code(recipe));
      CHECK(flaw == "");
      ++compared;
      for (const Step& step : recipe.steps) ops.insert(step.op);
    } catch (const DtypeError&) {  // a step wants the type that was drawn
    } catch (const ParameterError& error) {
      refused.insert(error.what());
    }
  }
  for (const std::string& message : refused) FAIL_CHECK(message);
  CHECK(compared > 1000);
  CHECK(ops.size() > 40);
}
