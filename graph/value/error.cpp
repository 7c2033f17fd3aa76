// SPDX-License-Identifier: Apache-2.0
// How long an error may talk.
#include <weft/graph/value/error.h>

namespace weft {
namespace {

/// Whether a character of UTF-8 goes on here.
bool goes_on(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

std::string Error::shortened(const std::string& message) {
  if (message.size() <= longest_message) return message;
  constexpr std::string_view gap = " [...] ";
  // The first words name the op and the operand, the last what was expected.
  std::size_t head = 2 * longest_message / 3 - gap.size();
  std::size_t tail = message.size() - longest_message / 3;
  while (head > 0 && goes_on(message[head])) --head;
  while (tail < message.size() && goes_on(message[tail])) ++tail;
  return message.substr(0, head).append(gap).append(message, tail);
}

}  // namespace weft
