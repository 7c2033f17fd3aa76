// SPDX-License-Identifier: Apache-2.0
// Groups: some bytes that follow one another in the output, all made in the same way of bytes that
// lie near one another in the source, as the channels of pixels that are reversed or rolled.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <weft/engine/kernels/move/kernels.h>
#include <weft/graph/plan/plan.h>

namespace weft {

struct Grouping {
  static constexpr std::int64_t most_bytes = most_shuffled_bytes;
  std::size_t at;           ///< the loop over groups; what lies further in is one group
  std::int64_t bytes;       ///< of a group
  std::int64_t out_offset;  ///< of the first group, in elements
  ShuffledBytes from{};     ///< of each byte, beside the source of the first copy
};

/// How copies that read the same source, with the same loops but for those within a group, make
/// whole groups; none where they leave out bytes of them or are better made otherwise.
std::optional<Grouping> find_grouping(std::span<const Copy* const> copies, std::int64_t element);

}  // namespace weft
