// SPDX-License-Identifier: Apache-2.0
// The table of ops that the build makes.
#include <doctest/doctest.h>
#include <weft/ops/op_table.h>
#include <weft/weft.h>

#include <set>

namespace weft::testing {
namespace {

TEST_CASE("every op is found by its name, and no name is given twice") {
  std::set<std::string_view> names;
  for (const Op* op : op_table()) {
    CHECK(op_named(op->name) == op);
    CHECK(names.insert(op->name).second);
  }
  CHECK(names.size() >= 11);
  CHECK(op_named("roll") == &roll_op);
  CHECK(op_named("slice_scatter") == &slice_scatter_op);
  CHECK(op_named("rol") == nullptr);
  CHECK(op_named("") == nullptr);
}

}  // namespace
}  // namespace weft::testing
