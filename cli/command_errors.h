// SPDX-License-Identifier: Apache-2.0
// What went wrong, told to people.
#pragma once

#include <cstddef>
#include <string>

namespace CLI {
class App;
}

namespace weft {

inline constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

/// "weft: " and the message on standard error, and, where a place of a pipeline is given, that text
/// with a caret below it: three lines at most. The colour is auto, always or never.
void tell(const std::string& message, const std::string& color = "auto",
          const std::string& pipeline = {}, std::size_t at = nowhere);

/// What --color says, also where other arguments are wrong.
std::string color_of(int argc, const char* const* argv);

/// Of arguments that name no command.
std::string no_command_text(const CLI::App& app, int argc, const char* const* argv);

}  // namespace weft
