// SPDX-License-Identifier: Apache-2.0
// Evaluation with more say than Tensor::eval.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <weft/engine/run/options.h>
#include <weft/graph/tensor.h>

namespace weft {

/// DtypeError, in the name of `what`, unless elements of `tensor` can be seen as of that type.
void check_element_type(std::string_view what, const Tensor& tensor, DType asked);

/// Computes the value of `tensor` into `bytes` bytes at `out`, which may be used again and again;
/// the tensor keeps no value, but its plan, which the next call uses again. Of what is computed
/// some calls try another plan, until it is known which takes least (EvalOptions::may_measure); all
/// make the same bits. Memory that the expression reads is safe: where `out` overlaps it the value
/// is computed aside first. What `out` holds after an error is not specified. Throws ShapeError
/// where the size differs, MemoryError.
void eval_into(const Tensor& tensor, void* out, std::int64_t bytes,
               const EvalOptions& options = {});
/// The same of an expression that goes afterwards: no plan is kept with it.
void eval_into(Tensor&& tensor, void* out, std::int64_t bytes, const EvalOptions& options = {});
/// The same into elements of a type. Throws DtypeError where it is not the tensor's.
template <Element T, std::size_t Extent>
requires(!std::is_const_v<T>) void eval_into(const Tensor& tensor, std::span<T, Extent> out,
                                             const EvalOptions& options = {}) {
  check_element_type("eval_into", tensor, dtype_of<T>);
  eval_into(tensor, out.data(), static_cast<std::int64_t>(out.size_bytes()), options);
}

template <Element T, std::size_t Extent>
requires(!std::is_const_v<T>) void eval_into(Tensor&& tensor, std::span<T, Extent> out,
                                             const EvalOptions& options = {}) {
  check_element_type("eval_into", tensor, dtype_of<T>);
  eval_into(std::move(tensor), out.data(), static_cast<std::int64_t>(out.size_bytes()), options);
}

template <Element T>
void eval_into(Tensor&& tensor, std::vector<T>& out, const EvalOptions& options = {}) {
  eval_into(std::move(tensor), std::span(out), options);
}
template <Element T>
void eval_into(const Tensor& tensor, std::vector<T>& out, const EvalOptions& options = {}) {
  eval_into(tensor, std::span(out), options);
}

/// Tensors that were evaluated together: a std::array whose elements outlive a temporary.
template <std::size_t N>
struct Evaluated : std::array<Tensor, N> {
  [[nodiscard]] Tensor& operator[](std::size_t k) & { return this->data()[k]; }
  [[nodiscard]] const Tensor& operator[](std::size_t k) const& { return this->data()[k]; }
  [[nodiscard]] Tensor operator[](std::size_t k) && { return std::move(this->data()[k]); }
};

/// Evaluates several tensors together: what they share is computed once, what one of them is made
/// of is read from there, and each keeps its value. Data that was given up is not written in place.
/// Throws MemoryError.
void eval(std::span<const Tensor> tensors, const EvalOptions& options = {});
/// The same of tensors one by one; returns them.
template <class... Tensors>
requires(std::is_same_v<Tensors, Tensor>&&...) Evaluated<1 + sizeof...(Tensors)> eval(
    const Tensor& first, const Tensors&... others) {
  Evaluated<1 + sizeof...(Tensors)> tensors{{first, others...}};
  eval(std::span<const Tensor>(tensors));
  return tensors;
}

}  // namespace weft

// For `auto [a, b] = eval(...)`.
template <std::size_t N>
struct std::tuple_size<weft::Evaluated<N>> : std::integral_constant<std::size_t, N> {};
template <std::size_t I, std::size_t N>
struct std::tuple_element<I, weft::Evaluated<N>> {
  using type = weft::Tensor;
};
