// SPDX-License-Identifier: Apache-2.0
// The table of ops that the build makes.
#include <doctest/doctest.h>
#include <weft/ops/op_table.h>
#include <weft/weft.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace weft::testing {
namespace {

/// What docs/ops.md says of the arguments of each function: their names, and the defaults that
/// signatures give them.
using Documented = std::map<std::string, std::map<std::string, std::set<std::string>>>;

Documented documented_arguments() {
  std::ifstream file(WEFT_DOCS "/ops.md");
  std::stringstream page;
  page << file.rdbuf();
  const std::string text = page.str();
  const std::regex signature("\\[`(\\w+)\\(([^`]*)\\)`\\]");
  const std::regex argument("(\\w+)(?: = (\\{[^}]*\\}|[^,]*))?(?:, |$)");
  Documented all;
  for (std::sregex_iterator found(text.begin(), text.end(), signature), end; found != end;
       ++found) {
    const std::string list = (*found)[2];
    for (std::sregex_iterator each(list.begin(), list.end(), argument); each != end; ++each) {
      std::set<std::string>& defaults = all[(*found)[1]][(*each)[1]];
      if ((*each)[2].matched) defaults.insert((*each)[2]);
    }
  }
  return all;
}

TEST_CASE("the page of ops says what the lists of their arguments say") {
  const Documented all = documented_arguments();
  std::size_t compared = 0;
  for (const Op* op : op_table()) {
    CAPTURE(op->name);
    const auto documented = all.find(std::string(op->name));
    REQUIRE(documented != all.end());
    for (const auto& [name, defaults] : documented->second) {
      CAPTURE(name);
      const auto told = std::find_if(op->arguments.begin(), op->arguments.end(),
                                     [&](const ArgumentInfo& each) { return each.name == name; });
      REQUIRE(told != op->arguments.end());
      if (told->role != Role::parameter) continue;  // a number may stand for a tensor
      CHECK(defaults.size() == (told->otherwise.is_given() ? 1 : 0));
      for (const std::string& otherwise : defaults) CHECK(otherwise == told->otherwise.spelled());
      ++compared;
    }
  }
  CHECK(compared > op_table().size());
}

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
