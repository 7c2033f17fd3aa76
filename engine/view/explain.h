// SPDX-License-Identifier: Apache-2.0
// explain: what an evaluation would do, said before it is done.
#pragma once

#include <string>

#include <weft/engine/view/plan_summary.h>
#include <weft/graph/tensor.h>

namespace weft {

/// Passes and their tasks, boxes, bytes that kernels read and write, temporaries, the kernel of
/// each box, and every fusion that was refused with its reason. Plans, but moves nothing. Of an
/// evaluation by eval_into(): the next, where that has found a plan that takes less than others.
[[nodiscard]] std::string explain(const Tensor& tensor);

/// The same as fields, for programs.
[[nodiscard]] PlanSummary plan_summary(const Tensor& tensor);

}  // namespace weft
