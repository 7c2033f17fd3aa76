// SPDX-License-Identifier: Apache-2.0
// explain: what an evaluation would do, said before it is done.
#pragma once

#include <string>

#include <weft/graph/plan/plan.h>
#include <weft/graph/tensor.h>

namespace weft {

/// Passes, boxes, bytes read and written, temporaries, the kernel of each box, and every fusion
/// that was refused with its reason. Plans, but moves nothing.
[[nodiscard]] std::string explain(const Tensor& tensor);

/// The same of one plan, for what it makes, with a line about writing in place or none.
std::string plan_text(const Plan& plan, const std::string& what, const std::string& in_place);

}  // namespace weft
