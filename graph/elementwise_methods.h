// SPDX-License-Identifier: Apache-2.0
// The methods of tensors that compute elements: each is the free function of its name.
#pragma once

namespace weft {

class Scalar;
class Tensor;

/// What Tensor has from the elementwise ops; the full story of each is in ops/elementwise.
class ElementwiseMethods {
 public:
  [[nodiscard]] Tensor add(const Tensor& y) const;
  [[nodiscard]] Tensor add(const Scalar& y) const;
  [[nodiscard]] Tensor subtract(const Tensor& y) const;
  [[nodiscard]] Tensor subtract(const Scalar& y) const;
  [[nodiscard]] Tensor multiply(const Tensor& y) const;
  [[nodiscard]] Tensor multiply(const Scalar& y) const;
  [[nodiscard]] Tensor fma(const Tensor& y, const Tensor& z) const;
  [[nodiscard]] Tensor fma(const Scalar& y, const Scalar& z) const;
  [[nodiscard]] Tensor fma(const Scalar& y, const Tensor& z) const;
  [[nodiscard]] Tensor fma(const Tensor& y, const Scalar& z) const;
  [[nodiscard]] Tensor negative() const;
  [[nodiscard]] Tensor positive() const;
  [[nodiscard]] Tensor abs() const;
  [[nodiscard]] Tensor sign() const;
  [[nodiscard]] Tensor square() const;
  [[nodiscard]] Tensor minimum(const Tensor& y) const;
  [[nodiscard]] Tensor minimum(const Scalar& y) const;
  [[nodiscard]] Tensor maximum(const Tensor& y) const;
  [[nodiscard]] Tensor maximum(const Scalar& y) const;
  [[nodiscard]] Tensor clip(const Tensor& low, const Tensor& high) const;
  [[nodiscard]] Tensor clip(const Scalar& low, const Scalar& high) const;
  [[nodiscard]] Tensor clip(const Scalar& low, const Tensor& high) const;
  [[nodiscard]] Tensor clip(const Tensor& low, const Scalar& high) const;
  [[nodiscard]] Tensor divide(const Tensor& y) const;
  [[nodiscard]] Tensor divide(const Scalar& y) const;
  [[nodiscard]] Tensor floor_divide(const Tensor& y) const;
  [[nodiscard]] Tensor floor_divide(const Scalar& y) const;
  [[nodiscard]] Tensor remainder(const Tensor& y) const;
  [[nodiscard]] Tensor remainder(const Scalar& y) const;
  [[nodiscard]] Tensor reciprocal() const;
  [[nodiscard]] Tensor pow(const Tensor& y) const;
  [[nodiscard]] Tensor pow(const Scalar& y) const;
  [[nodiscard]] Tensor sqrt() const;
  [[nodiscard]] Tensor rsqrt() const;
  [[nodiscard]] Tensor cbrt() const;
  [[nodiscard]] Tensor hypot(const Tensor& y) const;
  [[nodiscard]] Tensor hypot(const Scalar& y) const;
  [[nodiscard]] Tensor exp() const;
  [[nodiscard]] Tensor exp2() const;
  [[nodiscard]] Tensor expm1() const;
  [[nodiscard]] Tensor log() const;
  [[nodiscard]] Tensor log2() const;
  [[nodiscard]] Tensor log10() const;
  [[nodiscard]] Tensor log1p() const;
  [[nodiscard]] Tensor logaddexp(const Tensor& y) const;
  [[nodiscard]] Tensor logaddexp(const Scalar& y) const;
  [[nodiscard]] Tensor sin() const;
  [[nodiscard]] Tensor cos() const;
  [[nodiscard]] Tensor tan() const;
  [[nodiscard]] Tensor asin() const;
  [[nodiscard]] Tensor acos() const;
  [[nodiscard]] Tensor atan() const;
  [[nodiscard]] Tensor atan2(const Tensor& y) const;
  [[nodiscard]] Tensor atan2(const Scalar& y) const;
  [[nodiscard]] Tensor sinh() const;
  [[nodiscard]] Tensor cosh() const;
  [[nodiscard]] Tensor tanh() const;
  [[nodiscard]] Tensor erf() const;
  [[nodiscard]] Tensor sigmoid() const;
  [[nodiscard]] Tensor silu() const;
  [[nodiscard]] Tensor gelu() const;
  [[nodiscard]] Tensor gelu_tanh() const;
  [[nodiscard]] Tensor relu() const;
  [[nodiscard]] Tensor softplus() const;
  [[nodiscard]] Tensor floor() const;
  [[nodiscard]] Tensor ceil() const;
  [[nodiscard]] Tensor round() const;
  [[nodiscard]] Tensor trunc() const;
  [[nodiscard]] Tensor equal(const Tensor& y) const;
  [[nodiscard]] Tensor equal(const Scalar& y) const;
  [[nodiscard]] Tensor not_equal(const Tensor& y) const;
  [[nodiscard]] Tensor not_equal(const Scalar& y) const;
  [[nodiscard]] Tensor less(const Tensor& y) const;
  [[nodiscard]] Tensor less(const Scalar& y) const;
  [[nodiscard]] Tensor less_equal(const Tensor& y) const;
  [[nodiscard]] Tensor less_equal(const Scalar& y) const;
  [[nodiscard]] Tensor greater(const Tensor& y) const;
  [[nodiscard]] Tensor greater(const Scalar& y) const;
  [[nodiscard]] Tensor greater_equal(const Tensor& y) const;
  [[nodiscard]] Tensor greater_equal(const Scalar& y) const;
  [[nodiscard]] Tensor isnan() const;
  [[nodiscard]] Tensor isinf() const;
  [[nodiscard]] Tensor isfinite() const;
  [[nodiscard]] Tensor signbit() const;
  [[nodiscard]] Tensor copysign(const Tensor& y) const;
  [[nodiscard]] Tensor copysign(const Scalar& y) const;
  [[nodiscard]] Tensor logical_and(const Tensor& y) const;
  [[nodiscard]] Tensor logical_and(const Scalar& y) const;
  [[nodiscard]] Tensor logical_or(const Tensor& y) const;
  [[nodiscard]] Tensor logical_or(const Scalar& y) const;
  [[nodiscard]] Tensor logical_xor(const Tensor& y) const;
  [[nodiscard]] Tensor logical_xor(const Scalar& y) const;
  [[nodiscard]] Tensor logical_not() const;
  [[nodiscard]] Tensor bitwise_and(const Tensor& y) const;
  [[nodiscard]] Tensor bitwise_and(const Scalar& y) const;
  [[nodiscard]] Tensor bitwise_or(const Tensor& y) const;
  [[nodiscard]] Tensor bitwise_or(const Scalar& y) const;
  [[nodiscard]] Tensor bitwise_xor(const Tensor& y) const;
  [[nodiscard]] Tensor bitwise_xor(const Scalar& y) const;
  [[nodiscard]] Tensor bitwise_invert() const;
  [[nodiscard]] Tensor bitwise_left_shift(const Tensor& y) const;
  [[nodiscard]] Tensor bitwise_left_shift(const Scalar& y) const;
  [[nodiscard]] Tensor bitwise_right_shift(const Tensor& y) const;
  [[nodiscard]] Tensor bitwise_right_shift(const Scalar& y) const;
  [[nodiscard]] Tensor real() const;
  [[nodiscard]] Tensor imag() const;
  [[nodiscard]] Tensor conj() const;

 private:
  const Tensor& tensor() const;
};

}  // namespace weft
