// SPDX-License-Identifier: Apache-2.0
// Freed blocks that are kept for reuse: the next result of their size finds its pages there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace weft {

/// Blocks of one alignment, up to a bound. Threads may share it.
class BlockPool {
 public:
  using Free = void (*)(std::byte*);
  struct Block {
    std::byte* memory = nullptr;
    std::int64_t bytes = 0;
  };

  BlockPool(std::int64_t bound, Free free);
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  /// The smallest block of `bytes` or at most an eighth more, or none.
  Block take(std::int64_t bytes) noexcept;
  /// Keeps a block in place of the oldest, or frees it where it is larger than the bound.
  void put(Block block) noexcept;
  /// Returns the bound that was; what is beyond the new one is freed, the oldest first.
  std::int64_t set_bound(std::int64_t bytes) noexcept;
  void clear() noexcept;

 private:
  Block take_excess(std::int64_t allowed, std::size_t blocks) noexcept;

  const Free free_;
  std::mutex mutex_;  // guards what follows
  std::int64_t bound_, bytes_ = 0;
  std::vector<Block> blocks_;  // oldest first; never grows beyond its first capacity
};

}  // namespace weft
