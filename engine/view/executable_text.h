// SPDX-License-Identifier: Apache-2.0
// An executable in words.
#pragma once

#include <string>

#include <weft/engine/run/executable.h>
#include <weft/engine/view/plan_summary.h>

namespace weft {

/// What one that is ready does, for what it makes, with a line about writing in place or none.
std::string executable_text(const Executable& executable, const std::string& what,
                            const std::string& in_place);
/// The same as fields.
PlanSummary summary_of(const Executable& executable);

}  // namespace weft
