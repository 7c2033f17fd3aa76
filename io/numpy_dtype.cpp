// SPDX-License-Identifier: Apache-2.0
// NumPy's types and weft's.
#include <weft/io/numpy_dtype.h>

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include <weft/graph/value/error.h>
#include <weft/io/numpy_layout.h>

namespace weft::detail {
namespace {

constexpr std::string_view numpy_prefix = "numpy:";

struct Entry {
  DType dtype;
  char kind;
};
constexpr Entry entries[] = {{bool_, 'b'}, {i8, 'i'},  {i16, 'i'}, {i32, 'i'}, {i64, 'i'},
                             {u8, 'u'},    {u16, 'u'}, {u32, 'u'}, {u64, 'u'}, {f16, 'f'},
                             {f32, 'f'},   {f64, 'f'}, {c64, 'c'}, {c128, 'c'}};

/// Those that NumPy goes by names for, since they differ from machine to machine.
struct LongType {
  std::string_view description, descr;
};
constexpr LongType long_types[] = {{"numpy.float128", "<f16"},
                                   {"numpy.longdouble", "<f16"},
                                   {"numpy.complex256", "<c32"},
                                   {"numpy.clongdouble", "<c32"}};

DType described_as(std::uint64_t size, const std::string& description) {
  return described(static_cast<std::uint32_t>(size), description);
}

DType little_endian(const PlainType& type, const std::string& text) {
  for (const Entry& entry : entries)
    if (entry.kind == type.kind && entry.dtype.size() == static_cast<std::int64_t>(type.size))
      return entry.dtype;
  const char order = type.kind == 'S' || type.kind == 'V' ? '|' : '<';
  const std::string native = order + text.substr(text.find(type.kind));
  for (const LongType& known : long_types)
    if (known.descr == native) return described_as(type.size, std::string(known.description));
  if (type.kind == 'V') return opaque(static_cast<std::uint32_t>(type.size));
  return described_as(type.size, fmt::format("{}{}", numpy_prefix, python_quoted(native)));
}

/// The bytes of the numbers that a big-endian element consists of.
std::int64_t swapped_bytes(const PlainType& type) {
  if (type.order != '>' || type.kind == 'S' || type.kind == 'V') return 0;
  const std::uint64_t bytes = type.kind == 'c' ? type.size / 2 : type.kind == 'U' ? 4 : type.size;
  return bytes == 1 ? 0 : static_cast<std::int64_t>(bytes);
}

}  // namespace

NumpyType dtype_of_descr(const PythonLiteral& descr, bool bfloat16) {
  const NumpyLayout layout = parse_layout(descr);
  if (!layout.shape.empty())
    throw FormatError("descr: the elements are arrays, expected a type or fields");
  if (layout.plain.empty()) {
    const std::string text = fmt::format("{}{}", numpy_prefix, description_text(layout));
    if (text.size() > most_description_bytes)
      throw FormatError(
          fmt::format("descr: the fields need {} bytes to be told, at most {} are kept",
                      text.size(), most_description_bytes));
    return {described_as(layout.size, text), 0};
  }
  const PlainType type = parse_plain_type(layout.plain);
  if (bfloat16 && type.kind == 'V' && type.size == 2) return {bf16, 0};
  return {little_endian(type, layout.plain), swapped_bytes(type)};
}

std::string descr_of(DType dtype) {
  for (const Entry& entry : entries)
    if (entry.dtype == dtype)
      return fmt::format("'{}{}{}'", dtype.size() == 1 ? '|' : '<', entry.kind, dtype.size());
  const std::string_view description = dtype.description();
  for (const LongType& known : long_types)
    if (known.description == description) return fmt::format("'{}'", known.descr);
  if (description.starts_with(numpy_prefix)) {
    std::optional<NumpyLayout> layout;
    try {
      layout = parse_layout(parse_python_literal(description.substr(numpy_prefix.size())));
    } catch (const FormatError&) {  // somebody else's words
    }
    if (layout && layout->shape.empty() && layout->size == static_cast<std::uint64_t>(dtype.size()))
      return descr_text(*layout);
  }
  const bool is_named = dtype == bf16 || description.starts_with("ml_dtypes.");
  return fmt::format("'{}V{}'", is_named ? '<' : '|', dtype.size());
}

}  // namespace weft::detail
