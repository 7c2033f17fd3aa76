// What programs in files are held to beyond what the ops demand.
#pragma once

#include <cstddef>

namespace weft {

/// Extents hand their names on from call to call: a long one would take its bytes again in each.
inline constexpr std::size_t most_name_bytes = 256;

}  // namespace weft
