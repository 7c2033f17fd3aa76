// SPDX-License-Identifier: Apache-2.0
// Finding an op by its name.
#include <weft/ops/op_table.h>

namespace weft {

const Op* op_named(std::string_view name) {
  for (const Op* op : op_table())
    if (op->name == name) return op;
  return nullptr;
}

}  // namespace weft
