// SPDX-License-Identifier: Apache-2.0
// The layout of a NumPy struct, between its two texts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weft/io/python_literal.h>

namespace weft::detail {

struct NumpyField;

/// A type of NumPy's: a plain one by its text ('<f4'), or fields; of either an array.
struct NumpyLayout {
  std::string plain;                ///< empty where there are fields
  std::vector<NumpyField> fields;   ///< in any order
  std::uint64_t size = 0;           ///< bytes, of all elements of the array
  std::uint64_t item = 0;           ///< bytes of one
  std::vector<std::int64_t> shape;  ///< of an array in a field
};

struct NumpyField {
  std::string name, title;  ///< without a title: empty
  NumpyLayout layout;
  std::uint64_t offset = 0;
};

/// What '<f4', '|V12' or '>M8[D]' is.
struct PlainType {
  char order;  ///< '<', '>' or '|'
  char kind;   ///< b i u f c m M S U V
  std::uint64_t size;
};
/// Throws FormatError for what is no type, and those that weft has no elements for.
PlainType parse_plain_type(const std::string& text);

/// Reads either form: of headers, [('a', '<f4'), ('', '|V4'), ...], or of descriptions, {'names':
/// [...], 'formats': ...}. Throws FormatError.
NumpyLayout parse_layout(const PythonLiteral& literal);

/// The form of descriptions, which numpy.dtype takes.
std::string description_text(const NumpyLayout& layout);
/// The form of headers. Throws DtypeError where fields overlap.
std::string descr_text(const NumpyLayout& layout);

}  // namespace weft::detail
