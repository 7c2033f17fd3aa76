// SPDX-License-Identifier: Apache-2.0
// The ops as a table, to find them by name.
#pragma once

#include <span>
#include <string_view>

#include <weft/graph/op.h>

namespace weft {

/// Every op that a header of `ops/` declares, in the order of the headers' names. The build makes
/// the list.
std::span<const Op* const> op_table();

/// The op of that name, or null. Cost: a look at each.
const Op* op_named(std::string_view name);

}  // namespace weft
