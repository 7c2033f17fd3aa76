// Staging: what is slow to read and read again and again is put in order once.
#pragma once

#include <weft/graph/plan.h>

namespace weft {

/// Gives copies that repeat elements from places far apart (a tile of a transpose) a pass of their
/// own that reads each once, if repeating runs from there costs less.
void stage_repetitions(Plan& plan);

}  // namespace weft
