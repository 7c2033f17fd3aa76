// SPDX-License-Identifier: Apache-2.0
// Text that files bring.
#pragma once

#include <string>
#include <string_view>

namespace weft::detail {

/// Whether all of it is characters in their shortest form, no surrogates among them.
bool is_utf8(std::string_view text);

/// A byte a character, as UTF-8.
std::string utf8_of_latin1(std::string_view text);

/// As it may be shown on a terminal: control characters and bytes that are no UTF-8 are \xNN.
std::string printable(std::string_view text);

}  // namespace weft::detail
