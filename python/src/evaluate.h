// SPDX-License-Identifier: Apache-2.0
// Evaluation for Python: without the lock of the interpreter.
#pragma once

#include <utility>

#include <weft/engine/run/options.h>
#include <weft/graph/tensor.h>

#include "gil.h"

namespace weft::python {

void evaluate(const Tensor& tensor, const EvalOptions& options = {});
void evaluate_into(const Tensor& tensor, void* out, std::int64_t bytes);

}  // namespace weft::python
