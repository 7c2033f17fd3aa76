// SPDX-License-Identifier: Apache-2.0
// Where memory for elements comes from.
#include <weft/engine/memory/buffer.h>

#include <algorithm>
#include <fmt/format.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

#include <weft/engine/memory/block_pool.h>
#include <weft/graph/value/error.h>

namespace weft {

std::int64_t physical_memory() {
  static const std::int64_t bytes = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) *
                                    static_cast<std::int64_t>(sysconf(_SC_PAGE_SIZE));
  return bytes;
}

namespace {

// From here on memory is asked for in huge pages: a first write costs a fault for each page, and
// transposes touch one page a row.
constexpr std::int64_t huge_from = 1024 * 1024;
constexpr std::int64_t huge_page = 2 * 1024 * 1024;

constexpr std::align_val_t huge_alignment{static_cast<std::size_t>(huge_page)};
// Small blocks are aligned by hand: glibc takes 700 instructions to give 100 bytes at a cache line,
// and 60 to give them anywhere.
constexpr std::int64_t slack = cache_line - std::int64_t{__STDCPP_DEFAULT_NEW_ALIGNMENT__};

/// Huge blocks between two uses. Never destroyed: tensors may outlive any static object.
BlockPool& pool() {
  static BlockPool& blocks =
      *new BlockPool(std::min<std::int64_t>(std::int64_t{256} * 1024 * 1024, physical_memory() / 8),
                     [](std::byte* memory) { ::operator delete(memory, huge_alignment); });
  return blocks;
}

/// Lets go of a block; its type is what tells weft's own memory from any other.
struct Block {
  const std::byte* start;
  std::int64_t bytes, capacity;
  void operator()(std::byte* memory) const noexcept {
    if (capacity >= huge_from) pool().put({memory, capacity});  // a small one goes with its counts
  }
};

/// Room in front of the elements of a small block, for what a shared_ptr counts with.
constexpr std::int64_t front = 2 * cache_line;

/// Puts it there, which spares an allocation.
template <class T>
struct InFront {
  using value_type = T;
  std::byte* whole;  // the block, which goes with this

  explicit InFront(std::byte* memory) noexcept : whole(memory) {}
  template <class Other>
  InFront(const InFront<Other>& other) noexcept : whole(other.whole) {}
  T* allocate(std::size_t) noexcept {
    static_assert(sizeof(T) <= front && alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    return reinterpret_cast<T*>(whole);
  }
  void deallocate(T*, std::size_t) noexcept { ::operator delete(whole); }
  bool operator==(const InFront&) const = default;
};

std::byte* at_cache_line(std::byte* memory) {
  const auto past = reinterpret_cast<std::uintptr_t>(memory) % cache_line;
  return past == 0 ? memory : memory + (cache_line - past);
}

/// Null where there is no memory; not aligned where it is not huge.
std::byte* allocate_new(std::int64_t bytes, bool is_huge) noexcept {
  const auto size = static_cast<std::size_t>(is_huge ? bytes : front + bytes + slack);
  void* const memory = is_huge ? ::operator new(size, huge_alignment, std::nothrow)
                               : ::operator new(size, std::nothrow);
#ifdef MADV_HUGEPAGE
  // A wish: where it is not granted the memory is as good as any.
  if (is_huge && memory) madvise(memory, static_cast<std::size_t>(bytes), MADV_HUGEPAGE);
#endif
  return static_cast<std::byte*>(memory);
}

}  // namespace

namespace {

/// `label` is called for what an error begins with.
template <class Label>
std::shared_ptr<std::byte> allocate_for(std::int64_t bytes, const Label& label) {
  const bool is_huge = bytes >= huge_from;
  BlockPool::Block block{nullptr, bytes};
  // More than the machine has would be granted now and killed later.
  if (bytes <= physical_memory()) {
    if (is_huge) block = pool().take(bytes);
    if (!block.memory) block = {allocate_new(bytes, is_huge), bytes};
    if (!block.memory) {
      pool().clear();
      block.memory = allocate_new(bytes, is_huge);
    }
  }
  if (!block.memory)
    throw MemoryError(fmt::format("{}{} bytes cannot be allocated, the machine has {}", label(),
                                  bytes, physical_memory()));
  if (is_huge) return {block.memory, Block{block.memory, bytes, block.bytes}};
  std::byte* const start = at_cache_line(block.memory + front);
  return {start, Block{start, bytes, bytes}, InFront<std::byte>(block.memory)};
}

}  // namespace

std::shared_ptr<std::byte> allocate(std::int64_t bytes) {
  return allocate_for(bytes, [] { return ""; });
}

std::shared_ptr<std::byte> allocate(std::int64_t bytes, std::string_view op, const Shape& shape) {
  return allocate_for(bytes, [&] { return fmt::format("{} {}: ", op, to_string(shape)); });
}

std::int64_t set_kept_bytes(std::int64_t bytes) {
  if (bytes < 0)
    throw ParameterError("bad_option",
                         fmt::format("set_kept_bytes: {} bytes, expected 0 or more", bytes));
  return pool().set_bound(bytes);
}

void release_kept() { pool().clear(); }

bool is_whole_block(const std::shared_ptr<const std::byte>& memory, std::int64_t bytes) {
  const Block* const block = std::get_deleter<Block>(memory);
  return block && block->start == memory.get() && block->bytes == bytes;
}

bool is_allocated(const std::shared_ptr<const void>& owner) {
  return std::get_deleter<Block>(owner) != nullptr;
}

}  // namespace weft
