// SPDX-License-Identifier: Apache-2.0
// The texts of single elements: which type needs which, and the columns that they form.
#include <weft/engine/view/print_number.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <fmt/format.h>
#include <utility>

#include <weft/engine/view/print_float.h>
#include <weft/graph/value/error.h>

namespace weft {
namespace {

// Elements are copied out: those of a borrowed buffer need not be aligned.
template <class T>
T load(const std::byte* element) {
  T value;
  std::memcpy(&value, element, sizeof(T));
  return value;
}

std::string hex_word(DType dtype, const std::byte* element) {
  std::string word = "0x";
  for (std::int64_t i = 0; i < dtype.size(); ++i)
    word += fmt::format("{:02x}", static_cast<unsigned>(element[i]));
  return word;
}

/// Calls `use` with a value of the C++ type of a named dtype.
template <class Use>
auto with_type(DType dtype, Use&& use) {
  if (dtype.is_integer()) return with_integer(dtype, use);
  using Kind = DType::Kind;
  switch (dtype.kind()) {
    case Kind::f16:
      return use(float16_t{});
    case Kind::bf16:
      return use(bfloat16_t{});
    case Kind::f32:
      return use(float{});
    case Kind::f64:
      return use(double{});
    case Kind::c64:
      return use(std::complex<float>{});
    case Kind::c128:
      return use(std::complex<double>{});
    default:
      return use(std::uint8_t{});
  }
}

template <class T>
constexpr bool is_complex = false;
template <class T>
constexpr bool is_complex<std::complex<T>> = true;

template <class T>
std::vector<std::string> words_of(const std::vector<T>& values) {
  std::vector<std::string> words;
  words.reserve(values.size());
  if constexpr (is_complex<T>) {
    using Part = typename T::value_type;
    std::vector<Part> real, imaginary;
    for (const T& value : values) {
      real.push_back(value.real());
      imaginary.push_back(value.imag());
    }
    const FloatColumn<Part> left(real, false), right(imaginary, true);
    for (const T& value : values) {
      std::string word = right.word(value.imag());
      word.insert(word.find_last_not_of(' ') + 1, 1,
                  'j');  // close to the digits, before the padding
      words.push_back(left.word(value.real()) + word);
    }
  } else if constexpr (std::integral<T>) {
    std::size_t width = 0;
    for (const T value : values) {
      words.push_back(fmt::format("{:d}", value));
      width = std::max(width, words.back().size());
    }
    for (std::string& word : words) word.insert(0, width - word.size(), ' ');
  } else {
    const FloatColumn<T> column(values, false);
    for (const T value : values) words.push_back(column.word(value));
  }
  return words;
}

template <class T>
std::string lone_word(const T& value) {
  if constexpr (is_complex<T>) {
    const bool is_imaginary = value.real() == 0 && !std::signbit(value.real());
    std::string imaginary = lone_float(value.imag(), !is_imaginary, false) + "j";
    if (is_imaginary) return imaginary;
    return fmt::format("({}{})", lone_float(value.real(), false, false), imaginary);
  } else if constexpr (std::integral<T>) {
    return fmt::format("{:d}", value);
  } else {
    return lone_float(value, false, true);
  }
}

/// A number in a format of fmt's.
template <class T>
std::string formatted(const T& value, const std::string& format) {
  if constexpr (is_complex<T>) {
    std::string imaginary = formatted(value.imag(), format);
    const std::size_t digits = std::min(imaginary.find_first_not_of(' '), imaginary.size());
    if (imaginary[digits] != '+' && imaginary[digits] != '-') imaginary.insert(digits, 1, '+');
    return formatted(value.real(), format) + imaginary + "j";
  } else if constexpr (!std::integral<T> && sizeof(T) == 2) {
    return fmt::format(fmt::runtime(format), static_cast<float>(value));
  } else {
    return fmt::format(fmt::runtime(format), value);
  }
}

/// Truth values are text, but in formats of integers.
std::string formatted_bool(bool value, const std::string& format) {
  const bool is_integer =
      std::string_view("bBdoxX").find(format[format.size() - 2]) != std::string_view::npos;
  if (is_integer) return fmt::format(fmt::runtime(format), static_cast<int>(value));
  return fmt::format(fmt::runtime(format), value ? "True" : "False");
}

std::string formatted_word(DType dtype, const std::byte* element, std::string_view format) {
  const std::string whole = fmt::format("{{:{}}}", format);
  const auto refuse = [&](std::string_view why) {
    throw FormatError(fmt::format("print: {} is no format of {}: {}", whole, dtype.name(), why));
  };
  if (dtype.kind() == DType::Kind::opaque) refuse("structs have none");
  try {
    if (dtype == bool_) return formatted_bool(*element != std::byte{0}, whole);
    return with_type(dtype,
                     [&](auto type) { return formatted(load<decltype(type)>(element), whole); });
  } catch (const fmt::format_error& error) {
    refuse(error.what());
  }
  return {};
}

}  // namespace

std::vector<std::string> array_words(DType dtype, std::span<const std::byte> elements,
                                     std::string_view format) {
  const std::size_t size = static_cast<std::size_t>(dtype.size());
  if (!format.empty() || dtype == bool_ || dtype.kind() == DType::Kind::opaque) {
    std::vector<std::string> words;
    std::size_t width = dtype == bool_ && format.empty() ? 5 : 0;
    for (std::size_t at = 0; at < elements.size(); at += size) {
      words.push_back(scalar_word(dtype, &elements[at], format));
      width = std::max(width, words.back().size());
    }
    for (std::string& word : words) word.insert(0, width - word.size(), ' ');
    return words;
  }
  return with_type(dtype, [&](auto type) {
    std::vector<decltype(type)> values;
    values.reserve(elements.size() / size);
    for (std::size_t at = 0; at < elements.size(); at += size)
      values.push_back(load<decltype(type)>(&elements[at]));
    return words_of(values);
  });
}

std::string scalar_word(DType dtype, const std::byte* element, std::string_view format) {
  if (!format.empty()) return formatted_word(dtype, element, format);
  if (dtype.kind() == DType::Kind::opaque) return hex_word(dtype, element);
  if (dtype == bool_) return *element == std::byte{0} ? "False" : "True";
  return with_type(dtype, [&](auto type) { return lone_word(load<decltype(type)>(element)); });
}

}  // namespace weft
