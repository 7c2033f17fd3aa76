// SPDX-License-Identifier: Apache-2.0
// weft_fuzz [--programs | --counts | --hostile | --computed] COUNT [SEED]: compares COUNT random
// expressions with the reference evaluator, or runs them as programs of open placeholders, or
// compares what explain says of kernels with what they count, in builds that do; or tries COUNT
// hostile programs, which are mostly wrong; or evaluates COUNT graphs that compute in ways that must
// not differ.
//
// Number k is made from seed SEED + k alone (without SEED: from a random number, which is
// printed). The first that fails is printed, an expression as C++ and shrunk; the exit status is 1
// then, 0 where all agree, and 2 where the program was called wrongly.
#define DOCTEST_CONFIG_IMPLEMENT  // the draws are in the tests of the ops
#include <doctest/doctest.h>

#include <charconv>
#include <cstdint>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <random>
#include <string_view>

#include <weft/engine/kernels/counters.h>

#include "fuzz/hostile_check.h"
#include "fuzz/hostile_program.h"
#include "support/computed_graph.h"
#include "support/counted.h"
#include "support/random_graph.h"
#include "support/recipe_program.h"
#include "support/shrink.h"

namespace {

using weft::testing::Recipe;

using Compare = std::function<std::string(const Recipe&, std::uint64_t)>;

/// What is wrong with the recipe, be it an exception or wrong elements.
std::string failure(const Recipe& recipe, std::uint64_t seed, const Compare& compare) {
  try {
    return compare(recipe, seed);
  } catch (const std::exception& error) {
    return fmt::format("threw: {}", error.what());
  }
}

bool parse(std::string_view text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

int run(std::uint64_t count, std::uint64_t first, const Compare& compare) {
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::uint64_t seed = first + k;
    try {
      const Recipe recipe = weft::testing::random_recipe(seed);
      const std::string why = failure(recipe, seed, compare);
      if (why.empty()) continue;
      fmt::print("seed {} failed: {}\n", seed, why);
      const Recipe small = weft::testing::shrink(recipe, [&](const Recipe& candidate) {
        build(candidate, false);  // a recipe that cannot be built shows nothing
        return !failure(candidate, seed, compare).empty();
      });
      fmt::print("shrunk: {}\n{}", failure(small, seed, compare), to_code(small));
    } catch (const std::exception& error) {
      fmt::print("seed {} could not be built: {}\n", seed, error.what());
    }
    fmt::print("{} passed, 1 failed (seeds {} to {})\n", k, first, seed);
    return 1;
  }
  fmt::print("{} passed, 0 failed (seeds {} to {})\n", count, first, first + count - 1);
  return 0;
}

int run_hostile(std::uint64_t count, std::uint64_t first) {
  weft::testing::HostileCounts counts;
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::uint64_t seed = first + k;
    const weft::testing::HostileProgram program = weft::testing::hostile_program(seed);
    const std::string why = flaw_of(program, seed, counts);
    if (why.empty()) continue;
    fmt::print("seed {} failed: {}\n{}", seed, why, to_string(program));
    fmt::print("{} passed, 1 failed (seeds {} to {})\n", k, first, seed);
    return 1;
  }
  fmt::print(
      "{} passed, 0 failed (seeds {} to {}); of the runs {} gave values, {} were refused as "
      "their calls are, {} for their inputs, {} had too large values; {} programs were "
      "refused whole, {} damaged texts were read\n",
      count, first, first + count - 1, counts.ran, counts.failed, counts.ill_fitting,
      counts.too_large, counts.refused, counts.loaded);
  return 0;
}

int run_computed(std::uint64_t count, std::uint64_t first) {
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::string why = weft::testing::disagreement_of_computed(first + k);
    if (why.empty()) continue;
    fmt::print("seed {} failed: {}\n{}", first + k, why,
               weft::testing::computed_graph_text(first + k));
    fmt::print("{} passed, 1 failed (seeds {} to {})\n", k, first, first + k);
    return 1;
  }
  fmt::print("{} passed, 0 failed (seeds {} to {})\n", count, first, first + count - 1);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const bool as_programs = argc > 1 && std::string_view(argv[1]) == "--programs";
  const bool is_hostile = argc > 1 && std::string_view(argv[1]) == "--hostile";
  const bool of_counts = argc > 1 && std::string_view(argv[1]) == "--counts";
  const bool is_computed = argc > 1 && std::string_view(argv[1]) == "--computed";
  const bool has_mode = as_programs || is_hostile || of_counts || is_computed;
  argc -= has_mode;
  argv += has_mode;
  std::uint64_t count = 0, seed = std::random_device()();
  if (argc < 2 || argc > 3 || !parse(argv[1], count) || count == 0 ||
      (argc == 3 && !parse(argv[2], seed))) {
    fmt::print(stderr, "usage: weft_fuzz [--programs | --counts | --hostile | --computed] COUNT [SEED]\n");
    return 2;
  }
  if (is_hostile) return run_hostile(count, seed);
  if (is_computed) return run_computed(count, seed);
  if (of_counts && !weft::counts_kernels()) {
    fmt::print(stderr, "weft_fuzz: kernels count where invariants are checked (the dev preset)\n");
    return 2;
  }
  if (of_counts)
    return run(count, seed, [](const Recipe& recipe, std::uint64_t) {
      return weft::testing::disagreement_of_counts(build(recipe, false));
    });
  if (as_programs) return run(count, seed, weft::testing::disagreement_of_program);
  return run(count, seed, [](const Recipe& recipe, std::uint64_t) { return disagreement(recipe); });
}
