// SPDX-License-Identifier: Apache-2.0
// The table of ops that the build makes.
#include <doctest/doctest.h>
#include <weft/ops/op_table.h>
#include <weft/weft.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace weft::testing {
namespace {

/// What docs/ops.md says of the arguments of each function: their names, and the defaults that
/// signatures give them.
using Documented = std::map<std::string, std::map<std::string, std::set<std::string>>>;

/// The parts of `list` between commas, but for commas in brackets.
std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char character : list) {
    depth += (character == '{') - (character == '}');
    if (character == ',' && depth == 0) parts.emplace_back();
    else if (character != ' ' || !parts.back().empty()) parts.back() += character;
  }
  return parts;
}

/// Of "[`roll(x, shift, axes)`](...)", as often as the page has it.
Documented documented_arguments() {
  std::ifstream file(WEFT_DOCS "/ops.md");
  std::stringstream page;
  page << file.rdbuf();
  const std::string text = page.str();
  Documented all;
  for (std::size_t at = text.find("[`"); at != std::string::npos; at = text.find("[`", at + 1)) {
    const std::size_t open = text.find('(', at), close = text.find(")`]", at);
    auto& arguments = all[text.substr(at + 2, open - at - 2)];
    for (const std::string& part : parts_of(text.substr(open + 1, close - open - 1))) {
      const std::size_t equals = part.find(" = ");
      std::set<std::string>& defaults = arguments[part.substr(0, equals)];
      if (equals != std::string::npos) defaults.insert(part.substr(equals + 3));
    }
  }
  return all;
}

TEST_CASE("the page of ops says what the lists of their arguments say") {
  const Documented all = documented_arguments();
  std::size_t compared = 0, with_parameters = 0;
  for (const Op* op : op_table()) {
    CAPTURE(op->name);
    with_parameters += op->parameters.size() > 0;
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
  CHECK(with_parameters > 40);
  CHECK(compared >= with_parameters);
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
