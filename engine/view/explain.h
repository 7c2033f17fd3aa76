// SPDX-License-Identifier: Apache-2.0
// explain: what an evaluation would do, said before it is done.
#pragma once

#include <string>

#include <weft/engine/view/plan_summary.h>
#include <weft/graph/tensor.h>

namespace weft {

/// Passes and their tasks, boxes, bytes that kernels read and write, temporaries, the kernel of
/// each box, and every fusion that was refused with its reason. Plans, but moves nothing. Of what
/// is evaluated again: for a single time plans are not tried that take longer than they save.
[[nodiscard]] std::string explain(const Tensor& tensor);

/// The same as fields, for programs.
[[nodiscard]] PlanSummary plan_summary(const Tensor& tensor);

}  // namespace weft
