// SPDX-License-Identifier: Apache-2.0
// Floats as NumPy writes them: shortest digits, and columns with their points below each other.
#pragma once

#include <string>
#include <vector>

#include <weft/graph/value/float16.h>

namespace weft {

/// Decides on the form of the floats of an array (of a type T: float, double, float16_t,
/// bfloat16_t), with at most 8 digits after the point, and writes each in it.
template <class T>
class FloatColumn {
 public:
  /// `has_plus`: positive numbers get a sign, too.
  FloatColumn(const std::vector<T>& values, bool has_plus);
  std::string word(T value) const;

 private:
  struct Parts {
    std::string whole, fraction, exponent;
  };
  Parts parts(T value) const;

  bool has_plus_;
  bool is_exponential_ = false;
  std::size_t least_digits_ = 0;  // after the point
  std::size_t most_digits_ = 8;
  std::size_t left_ = 0;   // characters before the point
  std::size_t right_ = 0;  // after it, with the exponent
  std::size_t exponent_digits_ = 0;
};

/// A float that stands alone, with all the digits that tell it from others of its type.
/// `has_point`: whole numbers end in ".0".
template <class T>
std::string lone_float(T value, bool has_plus, bool has_point);

extern template class FloatColumn<float>;
extern template class FloatColumn<double>;
extern template class FloatColumn<float16_t>;
extern template class FloatColumn<bfloat16_t>;
extern template std::string lone_float(float, bool, bool);
extern template std::string lone_float(double, bool, bool);
extern template std::string lone_float(float16_t, bool, bool);
extern template std::string lone_float(bfloat16_t, bool, bool);

}  // namespace weft
