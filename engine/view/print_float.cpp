// SPDX-License-Identifier: Apache-2.0
// Floats as NumPy writes them; the rules are those of numpy/_core/arrayprint.py since NumPy 2.3.
#include <weft/engine/view/print_float.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <type_traits>

namespace weft {
namespace {

/// (-1)^is_negative * d.ddd * 10^exponent.
struct Decimal {
  bool is_negative;
  std::string digits;
  int exponent;
};

Decimal read_decimal(const char* first, const char* last) {
  Decimal decimal{*first == '-', {}, 0};
  for (; *first != 'e'; ++first)
    if (*first != '-' && *first != '.') decimal.digits += *first;
  first += first[1] == '+' ? 2 : 1;
  std::from_chars(first, last, decimal.exponent);
  return decimal;
}

/// The exact value, rounded to `digits` after the first.
Decimal rounded(double value, int digits) {
  char text[400];
  const auto end =
      std::to_chars(text, text + sizeof(text), value, std::chars_format::scientific, digits);
  return read_decimal(text, end.ptr);
}

/// The fewest digits that no other number of the type is closer to.
template <class T>
Decimal shortest(T value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof(text), value, std::chars_format::scientific);
  return read_decimal(text, end.ptr);
}

/// The same for types of two bytes, by trial: they never need more than five digits.
template <class T>
requires(sizeof(T) == 2) Decimal shortest(T value) {
  const auto number = [](std::uint16_t bits) {
    return static_cast<double>(static_cast<float>(std::bit_cast<T>(bits)));
  };
  const auto magnitude = static_cast<std::uint16_t>(std::bit_cast<std::uint16_t>(value) & 0x7fff);
  const double exact = number(magnitude);
  if (magnitude == 0) return rounded(static_cast<double>(static_cast<float>(value)), 0);
  // What lies between these rounds to the value, ties to even: exact in double.
  const double below = (number(magnitude - 1) + exact) / 2;
  const double next = number(magnitude + 1);
  const double above = exact + (std::isfinite(next) ? (next - exact) / 2 : exact - below);
  const bool is_even = magnitude % 2 == 0;
  for (int digits = 0;; ++digits) {
    Decimal decimal = rounded(exact, digits);
    decimal.is_negative = std::signbit(static_cast<float>(value));
    // At powers of two there is more room above, so the next decimal may do where the nearest
    // fails.
    for (const int up : {0, 1}) {
      decimal.digits = std::to_string(std::stoi(decimal.digits) + up);
      const std::string text = fmt::format("{}e{}", decimal.digits, decimal.exponent - digits);
      const double candidate = std::strtod(text.c_str(), nullptr);
      if ((candidate > below && candidate < above) ||
          (is_even && (candidate == below || candidate == above)))
        return decimal;
    }
  }
}

void trim_zeros(std::string& fraction) { fraction.erase(fraction.find_last_not_of('0') + 1); }

std::string sign(bool is_negative, bool has_plus) {
  return is_negative ? "-" : has_plus ? "+" : "";
}

/// The digits before and after the point of d.ddd.
void point_after_first(const Decimal& decimal, std::string& whole, std::string& fraction) {
  whole += decimal.digits[0];
  fraction = decimal.digits.substr(1);
  trim_zeros(fraction);
}

/// The digits before and after the point of the number written without an exponent.
void point_in_place(const Decimal& decimal, std::string& whole, std::string& fraction) {
  if (decimal.exponent < 0) {
    whole += '0';
    fraction = std::string(static_cast<std::size_t>(-decimal.exponent - 1), '0') + decimal.digits;
  } else {
    std::string digits = decimal.digits;
    const std::size_t count = static_cast<std::size_t>(decimal.exponent) + 1;
    if (digits.size() < count) digits.append(count - digits.size(), '0');
    whole += digits.substr(0, count);
    fraction = digits.substr(count);
  }
  trim_zeros(fraction);
}

/// "+05" needs two digits.
std::string exponent_text(int exponent, std::size_t digits) {
  return fmt::format("{}{:0{}}", exponent < 0 ? '-' : '+', std::abs(exponent), digits);
}

template <class T>
double widen(T value) {
  if constexpr (sizeof(T) == 2) return static_cast<double>(static_cast<float>(value));
  else return static_cast<double>(value);
}

std::string not_finite(double value, bool has_plus) {
  if (std::isnan(value)) return has_plus ? "+nan" : "nan";
  return sign(std::signbit(value), has_plus) + "inf";
}

/// From here on there are more digits before the point than the type knows: 1e3 for f16, 1e6 for
/// f32.
template <class T>
double unknown_digits_from() {
  if constexpr (std::is_same_v<T, float16_t>) return 1e3;
  else if constexpr (std::is_same_v<T, bfloat16_t>) return 1e2;
  else return std::pow(10.0, std::numeric_limits<T>::digits10);
}

}  // namespace

template <class T>
FloatColumn<T>::FloatColumn(const std::vector<T>& values, bool has_plus) : has_plus_(has_plus) {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (const T value : values) {
    const double magnitude = std::abs(widen(value));
    if (!std::isfinite(magnitude) || magnitude == 0) continue;
    smallest = std::min(smallest, magnitude);
    largest = std::max(largest, magnitude);
  }
  // NumPy compares and divides in the type itself.
  if (largest > 0)
    is_exponential_ =
        largest >= std::min(1e8, unknown_digits_from<T>()) ||
        static_cast<T>(smallest) < static_cast<T>(1e-4) ||
        static_cast<T>(static_cast<T>(largest) / static_cast<T>(smallest)) > static_cast<T>(1000);

  std::size_t fraction = 0;
  bool has_not_finite = false, has_minus_infinity = false;
  for (const T value : values) {
    const double wide = widen(value);
    if (!std::isfinite(wide)) {
      has_not_finite = true;
      has_minus_infinity |= std::isinf(wide) && wide < 0;
      continue;
    }
    const Parts text = parts(value);
    left_ = std::max(left_, text.whole.size());
    fraction = std::max(fraction, text.fraction.size());
    if (is_exponential_) exponent_digits_ = std::max(exponent_digits_, text.exponent.size() - 1);
  }
  right_ = fraction;
  if (is_exponential_) {
    least_digits_ = most_digits_ = fraction;
    right_ += exponent_digits_ + 2;
  }
  if (has_not_finite) {
    const std::size_t infinity = has_minus_infinity || has_plus_ ? 4 : 3;
    while (left_ + 1 + right_ < infinity) ++left_;
  }
}

template <class T>
typename FloatColumn<T>::Parts FloatColumn<T>::parts(T value) const {
  Decimal decimal = shortest(value);
  const int before = is_exponential_ ? 0 : decimal.exponent;
  const int after = static_cast<int>(decimal.digits.size()) - 1 - before;
  const int least = static_cast<int>(least_digits_), most = static_cast<int>(most_digits_);
  // Digits beyond the shortest are those of the exact value, not zeros.
  if (after > most) decimal = rounded(widen(value), before + most);
  else if (is_exponential_ && after < least) decimal = rounded(widen(value), least);

  Parts text{sign(decimal.is_negative, has_plus_), {}, {}};
  if (is_exponential_) {
    point_after_first(decimal, text.whole, text.fraction);
    text.fraction.resize(std::max(text.fraction.size(), least_digits_), '0');
    text.exponent = exponent_text(decimal.exponent, std::max<std::size_t>(2, exponent_digits_));
  } else {
    point_in_place(decimal, text.whole, text.fraction);
  }
  return text;
}

template <class T>
std::string FloatColumn<T>::word(T value) const {
  if (!std::isfinite(widen(value)))
    return fmt::format("{:>{}}", not_finite(widen(value), has_plus_), left_ + 1 + right_);
  const Parts text = parts(value);
  std::string word = fmt::format("{:>{}}.{}", text.whole, left_, text.fraction);
  if (is_exponential_) return word + "e" + text.exponent;
  word.resize(left_ + 1 + right_, ' ');
  return word;
}

template <class T>
std::string lone_float(T value, bool has_plus, bool has_point) {
  const double wide = widen(value);
  if (!std::isfinite(wide)) return not_finite(wide, has_plus);
  const Decimal decimal = shortest(value);
  const double unknown = std::is_same_v<T, double> ? 1e16 : unknown_digits_from<T>();
  std::string whole = sign(decimal.is_negative, has_plus), fraction;
  if (wide != 0 && (std::abs(wide) < 1e-4 || std::abs(wide) >= unknown)) {
    point_after_first(decimal, whole, fraction);
    if (!fraction.empty()) fraction.insert(0, 1, '.');
    return whole + fraction + "e" + exponent_text(decimal.exponent, 2);
  }
  point_in_place(decimal, whole, fraction);
  if (fraction.empty() && has_point) fraction.push_back('0');
  return fraction.empty() ? whole : whole + "." + fraction;
}

template class FloatColumn<float>;
template class FloatColumn<double>;
template class FloatColumn<float16_t>;
template class FloatColumn<bfloat16_t>;
template std::string lone_float(float, bool, bool);
template std::string lone_float(double, bool, bool);
template std::string lone_float(float16_t, bool, bool);
template std::string lone_float(bfloat16_t, bool, bool);

}  // namespace weft
