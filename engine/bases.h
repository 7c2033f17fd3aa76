// Where a result may be written over what it is made of.
#pragma once

#include <cstddef>

#include <weft/graph/plan.h>

namespace weft {

/// Stored sources that hold the elements of a plan's only output wherever no copy of another source
/// writes, and that are read for nothing else. The result may be written over one of them: as all
/// that is written belongs to the result, that can be done again where it was broken off.
SmallVector<std::size_t, 4> bases(const Plan& plan);

}  // namespace weft
