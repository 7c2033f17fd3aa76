// SPDX-License-Identifier: Apache-2.0
// stored: a value stored on the way, whatever that costs. What plans make of it is in planner_test.
#include "ops/expect.h"

using namespace weft;
using namespace weft::testing;

TEST_CASE("stored: has the elements of its operand") {
  expect<int>(iota<int>({2, 2}).flip().stored().transpose(), {2, 2}, {3, 1, 2, 0});
}

namespace weft::testing {

void draw_stored(Drawing& drawing) { drawing.add("stored", {drawing.x()}, {}); }

}  // namespace weft::testing
