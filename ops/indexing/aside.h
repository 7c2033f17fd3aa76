// SPDX-License-Identifier: Apache-2.0
// A strip of lines put aside: what lies far apart in memory, by a power of two above all, shares
// few places of a core's cache, and what lies together has all of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#include <weft/graph/kinds.h>

namespace weft {

class Aside {
 public:
  static constexpr std::int64_t most_bytes = 2 * 1024 * 1024;

  /// Of so many rows, of at most `apart` bytes each. There is none where a cache would not keep it,
  /// a part may not take it, or it cannot be had.
  Aside(const ForParts& for_parts, std::int64_t rows, std::int64_t apart)
      : rows_(rows), apart_(apart) {
    if (rows > 0 && apart <= std::min(most_bytes, for_parts.aside_bytes) / rows)
      memory_.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(rows * apart)]);
  }

  std::byte* memory() const { return memory_.get(); }
  std::int64_t apart() const { return apart_; }

  /// Copies `bytes` of each row, which are `next` bytes apart.
  void put(const std::byte* from, std::int64_t next, std::int64_t bytes) {
    for (std::int64_t row = 0; row < rows_; ++row)
      std::memcpy(memory() + row * apart_, from + row * next, static_cast<std::size_t>(bytes));
  }
  void put_back(std::byte* to, std::int64_t next, std::int64_t bytes) const {
    for (std::int64_t row = 0; row < rows_; ++row)
      std::memcpy(to + row * next, memory() + row * apart_, static_cast<std::size_t>(bytes));
  }

 private:
  std::int64_t rows_, apart_;
  std::unique_ptr<std::byte[]> memory_{};
};

}  // namespace weft
