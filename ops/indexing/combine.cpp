// SPDX-License-Identifier: Apache-2.0
// Reductions of scatters by name, and the types that they take.
#include <weft/ops/indexing/combine.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace weft {
namespace {

constexpr std::array<std::string_view, 5> names{"none", "add", "multiply", "minimum", "maximum"};

}  // namespace

std::string_view to_string(Combine combine) { return names[static_cast<std::size_t>(combine)]; }

Combine combine_named(std::string_view op, const std::string& reduction) {
  const auto found = std::find(names.begin(), names.end(), reduction);
  if (found == names.end())
    throw ParameterError("bad_mode", fmt::format("{}: reduction is \"{}\", expected one of {}", op,
                                                 reduction, fmt::join(names, ", ")));
  return static_cast<Combine>(found - names.begin());
}

void check_combined(std::string_view op, Combine combine, DType type) {
  const bool is_complex = type == c64 || type == c128;
  const bool is_ordered = combine == Combine::minimum || combine == Combine::maximum;
  if (combine == Combine::nothing ||
      (type.kind() != DType::Kind::opaque && !(is_complex && is_ordered)))
    return;
  throw DtypeError(fmt::format("{}: data is {}, expected bool or {}numbers for reduction {}", op,
                               type.name(), is_ordered ? "real " : "", to_string(combine)));
}

}  // namespace weft
