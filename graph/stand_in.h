// SPDX-License-Identifier: Apache-2.0
// What is certain of a call before all of its arguments are known.
#pragma once

#include <weft/graph/op.h>

namespace weft {

/// The shape of the result as far as it is known. The op is called with stand-ins for what is not
/// known, which costs nothing; an error that does not depend on the stand-ins is thrown.
PartialShape infer(const Op& op, const Arguments& arguments);

}  // namespace weft
