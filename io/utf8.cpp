// SPDX-License-Identifier: Apache-2.0
// UTF-8, checked.
#include <weft/io/utf8.h>

#include <cstddef>
#include <cstdint>
#include <fmt/format.h>

namespace weft::detail {

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = [&](std::size_t k) {
      return at + k < text.size()
                 ? static_cast<std::uint32_t>(static_cast<unsigned char>(text[at + k]))
                 : 0u;
    };
    const std::uint32_t first = byte(0);
    const std::size_t more = first < 0x80 ? 0 : first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    if (more > 0 && (first < 0xC2 || first > 0xF4)) return false;
    std::uint32_t code = more == 0 ? first : first & (0x3Fu >> more);
    for (std::size_t k = 1; k <= more; ++k) {
      if ((byte(k) & 0xC0) != 0x80) return false;
      code = code << 6 | (byte(k) & 0x3F);
    }
    constexpr std::uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    if (code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
    at += more + 1;
  }
  return true;
}

std::string utf8_of_latin1(std::string_view text) {
  std::string utf8;
  utf8.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      utf8 += c;
    } else {
      utf8 += static_cast<char>(0xC0 | byte >> 6);
      utf8 += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return utf8;
}

std::string printable(std::string_view text) {
  std::string shown;
  constexpr std::size_t longest = 4;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t count = 1;
    while (count <= longest && !is_utf8(text.substr(at, count))) ++count;
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[at + k]); };
    const bool is_broken = count > longest;
    if (is_broken) count = 1;
    const bool is_control = byte(0) < 0x20 || byte(0) == 0x7F ||
                            (count == 2 && byte(0) == 0xC2 && byte(1) < 0xA0);  // to U+009F
    if (!is_broken && !is_control) shown += text.substr(at, count);
    else
      for (std::size_t k = 0; k < count; ++k) shown += fmt::format("\\x{:02x}", byte(k));
    at += count;
  }
  return shown;
}

}  // namespace weft::detail
