// SPDX-License-Identifier: Apache-2.0
// What NumPy writes into headers: a few of Python's literals.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::detail {

/// A text, a number, True or False, None, a tuple or list, or a dict.
struct PythonLiteral {
  enum class Kind : std::uint8_t { none, flag, number, text, list, tuple, dict };

  Kind kind = Kind::none;
  std::int64_t number = 0;           ///< of a flag 0 or 1
  std::string text;                  ///< in UTF-8
  std::vector<PythonLiteral> items;  ///< of a dict keys and values in turn

  bool is_text() const { return kind == Kind::text; }
  bool is_number() const { return kind == Kind::number; }
  /// A list or a tuple.
  bool is_sequence() const { return kind == Kind::list || kind == Kind::tuple; }
  bool is_dict() const { return kind == Kind::dict; }
  /// The value of a dict's key, or null.
  const PythonLiteral* find(std::string_view key) const;
};

/// Parses one literal and the blanks around it, UTF-8 text. Throws FormatError, which says at which
/// byte, for anything else: numbers beyond int64, keys that are no text or that a dict has twice,
/// more than 16 of them, and more than 32 levels of brackets.
PythonLiteral parse_python_literal(std::string_view text);

/// A text as Python's repr writes it.
std::string python_quoted(std::string_view text);

}  // namespace weft::detail
