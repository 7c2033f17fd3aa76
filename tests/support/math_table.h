// SPDX-License-Identifier: Apache-2.0
// The functions of vectors as functions of arrays, for each instruction set of the machine.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace weft::testing {

template <class T>
using ArrayFunction = void (*)(const T* x, const T* y, T* out, std::size_t count);

struct MathFunction {
  std::string_view name;
  int operands;
  ArrayFunction<float> f32;
  ArrayFunction<double> f64;

  template <class T>
  ArrayFunction<T> of() const {
    if constexpr (std::is_same_v<T, float>) return f32;
    else return f64;
  }
};

/// The functions on one instruction set, in the same order for each.
struct MathTarget {
  std::string_view name;
  std::span<const MathFunction> functions;
};

/// For each instruction set that the machine has, the best first.
std::vector<MathTarget> math_targets();

}  // namespace weft::testing
