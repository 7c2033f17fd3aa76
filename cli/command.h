// SPDX-License-Identifier: Apache-2.0
// The command: weft run, explain, info, ops, convert.
#pragma once

namespace weft {

/// Carries out what the arguments say and returns the exit status: 0; 1 for what the user can mend,
/// told in three lines at most on standard error; 2 for a defect of weft; 130 after Ctrl-C.
int run_command(int argc, const char* const* argv);

}  // namespace weft
