// SPDX-License-Identifier: Apache-2.0
// Every evaluation that Python asks for goes through here.
#include "evaluate.h"

#include <weft/engine/run/eval.h>

namespace weft::python {

void evaluate(const Tensor& tensor, const EvalOptions& options) {
  without_gil([&] { tensor.eval(options); });
}

void evaluate_into(const Tensor& tensor, void* out, std::int64_t bytes) {
  without_gil([&] { eval_into(tensor, out, bytes); });
}

}  // namespace weft::python
