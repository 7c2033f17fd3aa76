// SPDX-License-Identifier: Apache-2.0
// What holds of all files of several tensors.
#include <weft/io/members.h>

namespace weft::detail {

PartOptions part_of(const NamedTensors& tensors, std::int64_t before, const Tensor& x,
                    const EvalOptions& options) {
  double all = 1;  // of nothing, too
  for (const auto& [name, each] : tensors) all += static_cast<double>(each.bytes());
  return {options, static_cast<double>(before) / all,
          static_cast<double>(before + x.bytes()) / all};
}

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
