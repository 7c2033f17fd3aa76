// Evaluation with more say than Tensor::eval.
#pragma once

#include <cstdint>

#include <weft/engine/options.h>
#include <weft/graph/tensor.h>

namespace weft {

/// Computes the value of `tensor` into `bytes` bytes at `out`, which may be used again and again;
/// the tensor keeps no value, but its plan, which the next call uses again. Memory that the
/// expression reads is safe: where `out` overlaps it the value is computed aside first. Throws
/// ShapeError where the size differs, MemoryError.
void eval_into(const Tensor& tensor, void* out, std::int64_t bytes,
               const EvalOptions& options = {});

}  // namespace weft
