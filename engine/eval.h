// SPDX-License-Identifier: Apache-2.0
// Evaluation with more say than Tensor::eval.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include <weft/engine/options.h>
#include <weft/graph/tensor.h>

namespace weft {

/// DtypeError, in the name of `what`, unless elements of `tensor` can be seen as of that type.
void check_element_type(std::string_view what, const Tensor& tensor, DType asked);

/// Computes the value of `tensor` into `bytes` bytes at `out`, which may be used again and again;
/// the tensor keeps no value, but its plan, which the next call uses again. Memory that the
/// expression reads is safe: where `out` overlaps it the value is computed aside first. What `out`
/// holds after an error is not specified. Throws ShapeError where the size differs, MemoryError.
void eval_into(const Tensor& tensor, void* out, std::int64_t bytes,
               const EvalOptions& options = {});
/// The same into elements of a type. Throws DtypeError where it is not the tensor's.
template <Element T, std::size_t Extent>
requires(!std::is_const_v<T>) void eval_into(const Tensor& tensor, std::span<T, Extent> out,
                                             const EvalOptions& options = {}) {
  check_element_type("eval_into", tensor, dtype_of<T>);
  eval_into(tensor, out.data(), static_cast<std::int64_t>(out.size_bytes()), options);
}

/// Evaluates several tensors together: what they share is computed once, what one of them is made
/// of is read from there, and each keeps its value. Data that was given up is not written in place.
/// Throws MemoryError.
void eval(std::span<const Tensor> tensors, const EvalOptions& options = {});
/// The same of tensors one by one; returns them.
template <class... Tensors>
requires(std::is_same_v<Tensors, Tensor>&&...) std::array<Tensor, 1 + sizeof...(Tensors)> eval(
    const Tensor& first, const Tensors&... others) {
  std::array<Tensor, 1 + sizeof...(Tensors)> tensors{first, others...};
  eval(std::span<const Tensor>(tensors));
  return tensors;
}

}  // namespace weft
