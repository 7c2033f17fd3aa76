// SPDX-License-Identifier: Apache-2.0
// Memory for the lists of one plan, which come and go with every op.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

namespace weft {

/// Thrown where a plan would take more memory than it may; the planner says of which op.
struct PlanTooLarge : std::runtime_error {
  PlanTooLarge() : std::runtime_error("planning takes too much memory") {}
};

/// The bytes that one plan may still take.
class PlanBudget {
 public:
  explicit PlanBudget(std::int64_t bytes = INT64_MAX) : left_(bytes) {}
  /// Throws PlanTooLarge where so many, so often, are not left.
  void check(std::size_t bytes, std::size_t times = 1) const {
    if (std::cmp_greater(times, left_ / static_cast<std::int64_t>(bytes))) throw PlanTooLarge();
  }
  void take(std::size_t bytes) {
    check(bytes);
    left_ -= static_cast<std::int64_t>(bytes);
  }
  /// How often so many bytes are left.
  std::size_t fitting(std::size_t bytes) const { return static_cast<std::size_t>(left_) / bytes; }

 private:
  std::int64_t left_;
};

/// Blocks whose sizes are powers of two, each used again once it is given back. The first few lie
/// in the arena itself, so that a small plan asks nobody.
class Arena {
 public:
  /// What it asks for beyond its first blocks is taken from the budget, which outlives it.
  explicit Arena(PlanBudget& budget) : budget_(budget) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  void* allocate(std::size_t bytes) {
    const std::size_t size = size_class(bytes);
    if (Block* const spare = spare_[size]) {
      spare_[size] = spare->next;
      return spare;
    }
    const std::size_t block = smallest << size;
    if (static_cast<std::size_t>(end_ - free_) < block) take_chunk(block);
    return std::exchange(free_, free_ + block);
  }
  void give_back(void* memory, std::size_t bytes) noexcept {
    Block*& spare = spare_[size_class(bytes)];
    spare = new (memory) Block{spare};
  }

 private:
  struct Block {
    Block* next;
  };
  static constexpr std::size_t smallest = 64;
  static constexpr std::size_t first_bytes = 24 * 1024;

  /// The smallest blocks are of class 0, those of each next are twice as large; of 1 byte or more.
  static std::size_t size_class(std::size_t bytes) {
    return static_cast<std::size_t>(std::bit_width((bytes - 1) / smallest));
  }
  /// For a block of so many bytes, which does not fit into what is left.
  void take_chunk(std::size_t bytes);

  PlanBudget& budget_;
  std::array<Block*, 40> spare_{};
  alignas(std::max_align_t) std::byte first_[first_bytes];
  std::byte* free_ = first_;
  std::byte* end_ = first_ + first_bytes;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
};

/// For std::vector; without an arena it takes from the heap. Lists may be moved and swapped freely.
template <class T>
struct ArenaAllocator {
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;

  Arena* arena = nullptr;

  ArenaAllocator() = default;
  ArenaAllocator(Arena* of) : arena(of) {}
  template <class Other>
  ArenaAllocator(const ArenaAllocator<Other>& other) : arena(other.arena) {}

  T* allocate(std::size_t count) {
    if (!arena) return std::allocator<T>().allocate(count);
    return static_cast<T*>(arena->allocate(count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    if (!arena) return std::allocator<T>().deallocate(memory, count);
    arena->give_back(memory, count * sizeof(T));
  }
  template <class Other>
  bool operator==(const ArenaAllocator<Other>& other) const {
    return arena == other.arena;
  }
};

}  // namespace weft
