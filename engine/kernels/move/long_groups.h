// SPDX-License-Identifier: Apache-2.0
// Long groups: the bytes of more than a line that a nest makes with each step of one of its loops.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <weft/engine/kernels/nest.h>

namespace weft {

/// The loops within a group around units; strides in bytes.
class WithinGroup {
 public:
  static constexpr std::int64_t most_bytes = 512;
  /// Where each byte of a group comes from, beside the first unit.
  using Places = std::array<std::int32_t, most_bytes>;

  /// Adds a loop further in; false where there is no room.
  bool add(const NestLoop& loop, std::int64_t element);
  /// Writes the places of all units; false where they are not all of `bytes` bytes.
  bool write(std::int64_t bytes, std::int64_t unit, Places& places) const;

 private:
  struct Loop {
    std::int32_t extent, dst, src;
  };
  bool write(std::size_t k, std::int64_t dst, std::int64_t src, std::int64_t unit,
             std::int64_t bytes, Places& places, std::int64_t& written) const;

  std::array<Loop, 4> loops_{};
  std::int32_t count_ = 0, element_ = 1;
  const std::int64_t* table_ = nullptr;  ///< what the innermost steps by, in elements
};

struct LongGroup {
  std::size_t at;  ///< the loop over groups
  std::int64_t bytes;
  WithinGroup within;
  std::int64_t pieces;  ///< of bytes that follow one another
  std::int64_t loads;
};

/// Groups that stores of lines make, each of a few loads.
std::optional<LongGroup> find_long_group(const Nest& nest);

}  // namespace weft
