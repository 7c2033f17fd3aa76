// SPDX-License-Identifier: Apache-2.0
// Printing tensors as NumPy prints arrays; tensors, shapes and types for fmt and streams.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <iosfwd>
#include <string>
#include <string_view>

#include <weft/engine/run/options.h>
#include <weft/graph/tensor.h>
#include <weft/graph/value/partial_shape.h>

namespace weft {

/// The elements as numpy's str() shows them. Where there are more than 1000 only the first and last
/// three of long axes are shown, and nothing else is evaluated (but by ops that compute their
/// elements, as eval_region says): the tensor then keeps no value, and may be larger than memory.
/// Otherwise it is evaluated and keeps its value.
[[nodiscard]] std::string to_string(const Tensor& tensor);

/// The same with each element (of complex ones each part) in a format of fmt's, as ".2f" or "x",
/// without the colon, right-aligned. `fmt::format("{:.2f}", tensor)` does it. Throws FormatError
/// where the type has no such format; structs have none.
[[nodiscard]] std::string to_string(const Tensor& tensor, std::string_view format,
                                    const EvalOptions& options = {});

/// "f32", as DType::name().
[[nodiscard]] inline std::string to_string(DType dtype) { return dtype.name(); }

std::ostream& operator<<(std::ostream& stream, const Tensor& tensor);
std::ostream& operator<<(std::ostream& stream, const Shape& shape);
std::ostream& operator<<(std::ostream& stream, const PartialShape& shape);
std::ostream& operator<<(std::ostream& stream, DType dtype);

namespace detail {

/// Writes the text of a value, with fmt's formats of strings.
template <class T>
struct TextFormatter : fmt::formatter<fmt::string_view> {
  template <class Context>
  auto format(const T& value, Context& context) const {
    return fmt::formatter<fmt::string_view>::format(to_string(value), context);
  }
};

}  // namespace detail
}  // namespace weft

template <>
struct fmt::formatter<weft::Tensor> {
  constexpr auto parse(fmt::format_parse_context& context) {
    const auto end = std::find(context.begin(), context.end(), '}');
    format_ = {context.begin(), static_cast<std::size_t>(end - context.begin())};
    return end;
  }
  template <class Context>
  auto format(const weft::Tensor& tensor, Context& context) const {
    const std::string text = weft::to_string(tensor, {format_.data(), format_.size()});
    return std::copy(text.begin(), text.end(), context.out());
  }

 private:
  fmt::string_view format_;  // of the format string, which outlives this
};

template <>
struct fmt::formatter<weft::Shape> : weft::detail::TextFormatter<weft::Shape> {};
template <>
struct fmt::formatter<weft::PartialShape> : weft::detail::TextFormatter<weft::PartialShape> {};
template <>
struct fmt::formatter<weft::DType> : weft::detail::TextFormatter<weft::DType> {};
