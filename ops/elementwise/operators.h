// SPDX-License-Identifier: Apache-2.0
// Operators of tensors, each an elementwise op; numbers on either side. Comparisons, == and !=
// among them, give tensors of bool; `!`, `&&` and `||` are not overloaded, for a tensor is never a
// bool.
#pragma once

#include <weft/ops/elementwise/arithmetic.h>
#include <weft/ops/elementwise/bitwise.h>
#include <weft/ops/elementwise/comparison.h>
#include <weft/ops/elementwise/division.h>

namespace weft {

[[nodiscard]] inline Tensor operator+(const Tensor& x) { return positive(x); }
[[nodiscard]] inline Tensor operator-(const Tensor& x) { return negative(x); }
[[nodiscard]] inline Tensor operator~(const Tensor& x) { return bitwise_invert(x); }

[[nodiscard]] inline Tensor operator+(const Tensor& x, const Tensor& y) { return add(x, y); }
[[nodiscard]] inline Tensor operator+(const Tensor& x, const Scalar& y) { return add(x, y); }
[[nodiscard]] inline Tensor operator+(const Scalar& x, const Tensor& y) { return add(x, y); }

[[nodiscard]] inline Tensor operator-(const Tensor& x, const Tensor& y) { return subtract(x, y); }
[[nodiscard]] inline Tensor operator-(const Tensor& x, const Scalar& y) { return subtract(x, y); }
[[nodiscard]] inline Tensor operator-(const Scalar& x, const Tensor& y) { return subtract(x, y); }

[[nodiscard]] inline Tensor operator*(const Tensor& x, const Tensor& y) { return multiply(x, y); }
[[nodiscard]] inline Tensor operator*(const Tensor& x, const Scalar& y) { return multiply(x, y); }
[[nodiscard]] inline Tensor operator*(const Scalar& x, const Tensor& y) { return multiply(x, y); }

[[nodiscard]] inline Tensor operator/(const Tensor& x, const Tensor& y) { return divide(x, y); }
[[nodiscard]] inline Tensor operator/(const Tensor& x, const Scalar& y) { return divide(x, y); }
[[nodiscard]] inline Tensor operator/(const Scalar& x, const Tensor& y) { return divide(x, y); }

[[nodiscard]] inline Tensor operator%(const Tensor& x, const Tensor& y) { return remainder(x, y); }
[[nodiscard]] inline Tensor operator%(const Tensor& x, const Scalar& y) { return remainder(x, y); }
[[nodiscard]] inline Tensor operator%(const Scalar& x, const Tensor& y) { return remainder(x, y); }

[[nodiscard]] inline Tensor operator&(const Tensor& x, const Tensor& y) {
  return bitwise_and(x, y);
}
[[nodiscard]] inline Tensor operator&(const Tensor& x, const Scalar& y) {
  return bitwise_and(x, y);
}
[[nodiscard]] inline Tensor operator&(const Scalar& x, const Tensor& y) {
  return bitwise_and(x, y);
}

[[nodiscard]] inline Tensor operator|(const Tensor& x, const Tensor& y) { return bitwise_or(x, y); }
[[nodiscard]] inline Tensor operator|(const Tensor& x, const Scalar& y) { return bitwise_or(x, y); }
[[nodiscard]] inline Tensor operator|(const Scalar& x, const Tensor& y) { return bitwise_or(x, y); }

[[nodiscard]] inline Tensor operator^(const Tensor& x, const Tensor& y) {
  return bitwise_xor(x, y);
}
[[nodiscard]] inline Tensor operator^(const Tensor& x, const Scalar& y) {
  return bitwise_xor(x, y);
}
[[nodiscard]] inline Tensor operator^(const Scalar& x, const Tensor& y) {
  return bitwise_xor(x, y);
}

[[nodiscard]] inline Tensor operator<<(const Tensor& x, const Tensor& y) {
  return bitwise_left_shift(x, y);
}
[[nodiscard]] inline Tensor operator<<(const Tensor& x, const Scalar& y) {
  return bitwise_left_shift(x, y);
}
[[nodiscard]] inline Tensor operator<<(const Scalar& x, const Tensor& y) {
  return bitwise_left_shift(x, y);
}

[[nodiscard]] inline Tensor operator>>(const Tensor& x, const Tensor& y) {
  return bitwise_right_shift(x, y);
}
[[nodiscard]] inline Tensor operator>>(const Tensor& x, const Scalar& y) {
  return bitwise_right_shift(x, y);
}
[[nodiscard]] inline Tensor operator>>(const Scalar& x, const Tensor& y) {
  return bitwise_right_shift(x, y);
}

[[nodiscard]] inline Tensor operator==(const Tensor& x, const Tensor& y) { return equal(x, y); }
[[nodiscard]] inline Tensor operator==(const Tensor& x, const Scalar& y) { return equal(x, y); }
[[nodiscard]] inline Tensor operator==(const Scalar& x, const Tensor& y) { return equal(x, y); }

[[nodiscard]] inline Tensor operator!=(const Tensor& x, const Tensor& y) { return not_equal(x, y); }
[[nodiscard]] inline Tensor operator!=(const Tensor& x, const Scalar& y) { return not_equal(x, y); }
[[nodiscard]] inline Tensor operator!=(const Scalar& x, const Tensor& y) { return not_equal(x, y); }

[[nodiscard]] inline Tensor operator<(const Tensor& x, const Tensor& y) { return less(x, y); }
[[nodiscard]] inline Tensor operator<(const Tensor& x, const Scalar& y) { return less(x, y); }
[[nodiscard]] inline Tensor operator<(const Scalar& x, const Tensor& y) { return less(x, y); }

[[nodiscard]] inline Tensor operator<=(const Tensor& x, const Tensor& y) {
  return less_equal(x, y);
}
[[nodiscard]] inline Tensor operator<=(const Tensor& x, const Scalar& y) {
  return less_equal(x, y);
}
[[nodiscard]] inline Tensor operator<=(const Scalar& x, const Tensor& y) {
  return less_equal(x, y);
}

[[nodiscard]] inline Tensor operator>(const Tensor& x, const Tensor& y) { return greater(x, y); }
[[nodiscard]] inline Tensor operator>(const Tensor& x, const Scalar& y) { return greater(x, y); }
[[nodiscard]] inline Tensor operator>(const Scalar& x, const Tensor& y) { return greater(x, y); }

[[nodiscard]] inline Tensor operator>=(const Tensor& x, const Tensor& y) {
  return greater_equal(x, y);
}
[[nodiscard]] inline Tensor operator>=(const Tensor& x, const Scalar& y) {
  return greater_equal(x, y);
}
[[nodiscard]] inline Tensor operator>=(const Scalar& x, const Tensor& y) {
  return greater_equal(x, y);
}

}  // namespace weft
