// SPDX-License-Identifier: Apache-2.0
// Lists of places, read as they lie.
#pragma once

#include <cstddef>
#include <cstdint>

#include <weft/graph/value/dtype.h>

namespace weft {

/// Integers of any type, aligned to nothing, that name one of `extent` places; those below 0 count
/// from the end.
struct PlaceList {
  const std::byte* bytes;
  DType type;
  std::int64_t extent;  ///< at most 2^62
};

/// Writes how `count` of them count, from the first one on. False where one names no place; what is
/// written is not to be used then.
bool read_places(const PlaceList& list, std::int64_t first, std::int64_t count, std::int64_t* to);

}  // namespace weft
