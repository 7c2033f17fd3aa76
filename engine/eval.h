// SPDX-License-Identifier: Apache-2.0
// Evaluation with more say than Tensor::eval.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include <weft/engine/options.h>
#include <weft/graph/tensor.h>

namespace weft {

/// Computes the value of `tensor` into `bytes` bytes at `out`, which may be used again and again;
/// the tensor keeps no value, but its plan, which the next call uses again. Memory that the
/// expression reads is safe: where `out` overlaps it the value is computed aside first. Throws
/// ShapeError where the size differs, MemoryError.
void eval_into(const Tensor& tensor, void* out, std::int64_t bytes,
               const EvalOptions& options = {});

/// Evaluates several tensors together: what they share is computed once, what one of them is made
/// of is read from there, and each keeps its value. Data that was given up is not written in place.
/// Throws MemoryError.
void eval(std::span<const Tensor> tensors, const EvalOptions& options = {});
template <class... Tensors>
requires(std::is_same_v<Tensors, Tensor>&&...) void eval(const Tensor& first,
                                                         const Tensors&... others) {
  const Tensor tensors[] = {first, others...};
  eval(std::span<const Tensor>(tensors));
}

}  // namespace weft
