// SPDX-License-Identifier: Apache-2.0
// Programs of random recipes as JSON: they come back as they were, and damage is never a crash.
#include <doctest/doctest.h>
#include <weft/io/program_json.h>
#include <weft/weft.h>

#include <iterator>
#include <string>
#include <vector>

#include "support/random.h"
#include "support/random_graph.h"
#include "support/recipe_program.h"
#include <weft/testing/reference.h>

namespace weft::testing {
namespace {

TEST_CASE("programs of random recipes come back equal, and make the same") {
  std::size_t constants = 0;
  for (std::uint64_t seed = 70000; seed < 70500; ++seed) {
    INFO("seed ", seed);
    const RecipeProgram made = program_of(random_recipe(seed), seed);
    const std::string text = to_json(made.program);
    const Program loaded = program_from_json(text);
    REQUIRE(loaded == made.program);
    REQUIRE(to_json(loaded) == text);
    REQUIRE(to_string(loaded) == to_string(made.program));
    const std::vector<Tensor> expected = made.program.run(made.inputs);
    const std::vector<Tensor> got = loaded.run(made.inputs);
    REQUIRE(got.size() == expected.size());
    for (std::size_t k = 0; k < got.size(); ++k) {
      REQUIRE(got[k].shape() == expected[k].shape());
      REQUIRE(reference_value(got[k]) == reference_value(expected[k]));
    }
    constants += loaded.recording().constants.size();
  }
  CHECK(constants > 100);
}

/// A byte changed, bytes left out, a piece said twice, a number or word put in, or the end cut off.
std::string damaged(std::string text, Random& random) {
  static constexpr const char* pieces[] = {"-1",
                                           "0",
                                           "1",
                                           "2",
                                           "16",
                                           "9223372036854775807",
                                           "18446744073709551615",
                                           "1e9",
                                           "null",
                                           "{}",
                                           "[]",
                                           "[[",
                                           "\"\"",
                                           "\"i8\"",
                                           "\"u64\"",
                                           "\"value\"",
                                           "\"f32\"",
                                           "\"squeeze\"",
                                           ",",
                                           "\\u0000"};
  const std::size_t at = random.below(text.size());
  switch (random.below(6)) {
    case 0:
      text[at] = static_cast<char>(random.below(256));
      break;
    case 1:
      text[at] = static_cast<char>('0' + random.below(10));
      break;
    case 2:
      text.erase(at, 1 + random.below(8));
      break;
    case 3:
      text.insert(at, text.substr(random.below(text.size()), random.below(60)));
      break;
    case 4: {  // in the place of a word or number
      const std::size_t end = text.find_first_of(",]}: ", at);
      const std::size_t begin = text.find_last_of(",[{: ", at);
      if (begin == text.npos || end == text.npos || end < begin) break;
      text.replace(begin + 1, end - begin - 1, pieces[random.below(std::size(pieces))]);
      break;
    }
    default:
      text.resize(at);
  }
  return text;
}

TEST_CASE("damaged files load or are refused") {
  std::size_t loaded = 0, refused = 0;
  for (std::uint64_t seed = 80000; seed < 80200; ++seed) {
    const std::string text = to_json(program_of(random_recipe(seed), seed).program);
    if (text.size() > 20000) continue;
    Random random(seed);
    for (int k = 0; k < 100; ++k) {
      std::string wrong = damaged(text, random);
      if (random.one_in(3)) wrong = damaged(wrong.empty() ? text : wrong, random);
      INFO("seed ", seed, " change ", k, "\n", wrong);
      try {
        const Program program = program_from_json(wrong);
        REQUIRE(program_from_json(to_json(program)) == program);
        ++loaded;
      } catch (const FormatError& error) {
        REQUIRE(std::string(error.what()).starts_with("program: "));
        ++refused;
      }
    }
  }
  MESSAGE("seeds 80000 to 80199: ", loaded, " loaded, ", refused, " refused");
  CHECK(loaded > 300);
  CHECK(refused > 5000);
}

}  // namespace
}  // namespace weft::testing
