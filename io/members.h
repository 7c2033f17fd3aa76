// SPDX-License-Identifier: Apache-2.0
// Files of several tensors, by name.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

#include <weft/engine/run/part_options.h>
#include <weft/graph/value/error.h>
#include <weft/io/file_bytes.h>
#include <weft/io/options.h>

namespace weft::detail {

/// The one of that name, or the only one. Throws FormatError, which tells some of the names.
template <class Entry>
const Entry& chosen_member(const FileBytes& file, const std::vector<Entry>& entries,
                           const std::string& name) {
  if (name.empty() && entries.size() == 1) return entries[0];
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.name == name; });
  if (!name.empty() && found != entries.end()) return *found;
  std::string names;
  constexpr std::size_t told = 8;
  for (std::size_t k = 0; k < std::min(entries.size(), told); ++k)
    names += fmt::format("{}{:.30}", k == 0 ? "" : ", ", entries[k].name);
  const std::string all = fmt::format("it holds {} tensors: {}{}", entries.size(), names,
                                      entries.size() > told ? ", ..." : "");
  file.refuse(name.empty() ? fmt::format("no member was named, and {}", all)
                           : fmt::format("it has no member {:.60}; {}", name, all));
}

/// Refuses a member of a file that has none.
inline void refuse_member(const FileBytes& file, const LoadOptions& options) {
  if (!options.member.empty())
    file.refuse(fmt::format("it has no members, {:.60} was named", options.member));
}

/// The options for a tensor that `before` bytes of others were saved before.
PartOptions part_of(const NamedTensors& tensors, std::int64_t before, const Tensor& x,
                    const EvalOptions& options);

/// Refuses empty tensors, and names that are given twice.
void check_names(const NamedTensors& tensors);

}  // namespace weft::detail
