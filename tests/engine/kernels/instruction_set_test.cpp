// SPDX-License-Identifier: Apache-2.0
// Which instruction sets there are to choose from, and what the one in use can do.
#include <weft/engine/kernels/instruction_set.h>

#include <doctest/doctest.h>
#include <set>
#include <string_view>

#include "support/nests.h"

namespace weft {
namespace {

TEST_CASE("sets are told apart by name, and the best that the machine has is in use") {
  std::set<std::string_view> names;
  for (const InstructionSet set : instruction_sets) names.insert(to_string(set));
  CHECK(names.size() == instruction_sets.size());
  CHECK(has(instruction_set()));
  for (const InstructionSet set : instruction_sets)
    if (set < instruction_set()) CHECK_FALSE(has(set));
}

TEST_CASE("lines are permuted by AVX-512 alone, by one instruction where it has VBMI") {
  testing::on_every_target([] {
    const std::string_view name = to_string(instruction_set());
    constexpr bool is_wide = sizeof(void*) == 8;  // what permutes them is compiled for that alone
    CHECK(permutes_lines() == (is_wide && name.starts_with("AVX3")));
    CHECK(permutes_bytes() == (is_wide && name == "AVX3_VBMI"));
  });
}

}  // namespace
}  // namespace weft
