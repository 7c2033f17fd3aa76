// SPDX-License-Identifier: Apache-2.0
// Lists that were given as an index.
#pragma once

#include <weft/graph/node.h>

namespace weft {

/// Whether memory is that of a list that index_tensor() keeps, which nobody can write to.
bool is_index_list(const Storage& memory);

}  // namespace weft
