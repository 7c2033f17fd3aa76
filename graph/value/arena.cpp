// SPDX-License-Identifier: Apache-2.0
// Where an arena gets its blocks from.
#include <weft/graph/value/arena.h>

#include <algorithm>

namespace weft {

void Arena::take_chunk(std::size_t bytes) {
  const std::size_t chunk = std::max(bytes, 4 * first_bytes);
  budget_.take(chunk);
  // What is left of the old chunk is lost; it was too small, and chunks are few.
  free_ = chunks_.emplace_back(std::make_unique_for_overwrite<std::byte[]>(chunk)).get();
  end_ = free_ + chunk;
}

}  // namespace weft
