// SPDX-License-Identifier: Apache-2.0
// Blocks are freed outside of the lock: giving pages back takes long.
#include <weft/engine/memory/block_pool.h>

#include <utility>

namespace weft {
namespace {

// So many blocks are looked through in less time than a page fault takes.
constexpr std::size_t most_blocks = 256;

}  // namespace

BlockPool::BlockPool(std::int64_t bound, Free free) : free_(free), bound_(bound) {
  blocks_.reserve(most_blocks);
}

BlockPool::Block BlockPool::take(std::int64_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  auto best = blocks_.end();
  for (auto at = blocks_.begin(); at != blocks_.end(); ++at)
    if (at->bytes >= bytes && at->bytes - bytes <= bytes / 8 &&
        (best == blocks_.end() || at->bytes <= best->bytes))
      best = at;
  if (best == blocks_.end()) return {};
  const Block block = *best;
  bytes_ -= block.bytes;
  blocks_.erase(best);
  return block;
}

void BlockPool::put(Block block) noexcept {
  for (;;) {
    Block freed = block;
    {
      const std::lock_guard lock(mutex_);
      if (block.bytes <= bound_) {
        freed = take_excess(bound_ - block.bytes, most_blocks - 1);
        if (!freed.memory) {
          blocks_.push_back(block);
          bytes_ += block.bytes;
          return;
        }
      }
    }
    free_(freed.memory);
    if (freed.memory == block.memory) return;
  }
}

std::int64_t BlockPool::set_bound(std::int64_t bytes) noexcept {
  std::int64_t before;
  {
    const std::lock_guard lock(mutex_);
    before = std::exchange(bound_, bytes);
  }
  for (;;) {
    Block freed;
    {
      const std::lock_guard lock(mutex_);
      freed = take_excess(bound_, most_blocks);
    }
    if (!freed.memory) return before;
    free_(freed.memory);
  }
}

void BlockPool::clear() noexcept {
  for (;;) {
    Block freed;
    {
      const std::lock_guard lock(mutex_);
      freed = take_excess(0, 0);
    }
    if (!freed.memory) return;
    free_(freed.memory);
  }
}

/// The oldest block where there are more bytes or blocks than told. The lock is held.
BlockPool::Block BlockPool::take_excess(std::int64_t allowed, std::size_t blocks) noexcept {
  if (bytes_ <= allowed && blocks_.size() <= blocks) return {};
  const Block oldest = blocks_.front();
  blocks_.erase(blocks_.begin());
  bytes_ -= oldest.bytes;
  return oldest;
}

}  // namespace weft
