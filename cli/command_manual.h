// SPDX-License-Identifier: Apache-2.0
// Completions and the manual page, made of the options and of the table of ops.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace weft {

/// For "bash" or "zsh": words of the command, their options, and ops where one is asked for.
std::string completion_text(const CLI::App& app, const std::string& shell);

/// The page weft(1), for man.
std::string manual_text(const CLI::App& app);

}  // namespace weft
