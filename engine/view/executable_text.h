// SPDX-License-Identifier: Apache-2.0
// An executable in words.
#pragma once

#include <string>

#include <weft/engine/run/executable.h>

namespace weft {

/// What one that is ready does, for what it makes, with a line about writing in place or none.
std::string executable_text(const Executable& executable, const std::string& what,
                            const std::string& in_place);

}  // namespace weft
