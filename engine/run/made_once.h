// SPDX-License-Identifier: Apache-2.0
// What repeats is made once where that takes long, and copied from there.
#pragma once

#include <optional>

#include <weft/graph/plan/plan.h>

namespace weft {

struct MadeOnce {
  Copy once;
  Copy again;  ///< reads the output of its own pass
};
/// `copy` as its first repetition and copies of what that wrote, if these are long runs.
std::optional<MadeOnce> made_once(const Copy& copy, std::int64_t element);

}  // namespace weft
