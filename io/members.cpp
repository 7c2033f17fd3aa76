// SPDX-License-Identifier: Apache-2.0
// What holds of all files of several tensors.
#include <weft/io/members.h>

namespace weft::detail {

void check_names(const NamedTensors& tensors) {
  std::vector<std::string_view> names;
  for (const auto& [name, x] : tensors) {
    if (x.held("save").known() != Node::Known::all) x.eval();  // refused there
    names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    throw ParameterError("duplicate_names",
                         fmt::format("save: two tensors are named {:.100}", *twice));
}

}  // namespace weft::detail
