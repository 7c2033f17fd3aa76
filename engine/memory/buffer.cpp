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

// From here on freed blocks are kept. What glibc has free beyond twice its largest block so far it
// gives back: two results of 900 KiB, made again and again, took 307 us each for the faults of
// their pages, and 15 where they are kept.
constexpr std::int64_t kept_from = 32 * 1024;

/// Blocks between two uses. Never destroyed: tensors may outlive any static object.
struct Kept {
  BlockPool huge, small;

  /// Of so many bytes in all, small ones have a share, so that many of them displace no huge one.
  static std::int64_t small_share(std::int64_t bytes) {
    return std::min<std::int64_t>(bytes / 16, std::int64_t{16} * 1024 * 1024);
  }
  explicit Kept(std::int64_t bytes)
      : huge(bytes - small_share(bytes),
             [](std::byte* memory) { ::operator delete(memory, huge_alignment); }),
        small(small_share(bytes), [](std::byte* memory) { ::operator delete(memory); }) {}

  BlockPool& of(bool is_huge) { return is_huge ? huge : small; }
  std::int64_t set_bound(std::int64_t bytes) {
    const std::int64_t small_before = small.set_bound(small_share(bytes));
    return small_before + huge.set_bound(bytes - small_share(bytes));
  }
  void clear() {
    small.clear();
    huge.clear();
  }
};
Kept& kept() {
  static Kept& blocks =
      *new Kept(std::min<std::int64_t>(std::int64_t{272} * 1024 * 1024, physical_memory() / 8));
  return blocks;
}

/// Lets go of a block; its type is what tells weft's own memory from any other.
struct Block {
  const std::byte* start;
  std::int64_t bytes, huge_bytes;  ///< those of a huge one, which is kept whole; of a small one 0
  void operator()(std::byte* memory) const noexcept {
    if (huge_bytes > 0) kept().huge.put({memory, huge_bytes});  // small ones go with their counts
  }
};

/// Room in front of the elements of a small block, for what a shared_ptr counts with.
constexpr std::int64_t front = 2 * cache_line;

/// Puts it there, which spares an allocation.
template <class T>
struct InFront {
  using value_type = T;
  BlockPool::Block whole;  // which goes with this

  explicit InFront(BlockPool::Block block) noexcept : whole(block) {}
  template <class Other>
  InFront(const InFront<Other>& other) noexcept : whole(other.whole) {}
  T* allocate(std::size_t) noexcept {
    static_assert(sizeof(T) <= front && alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    return reinterpret_cast<T*>(whole.memory);
  }
  void deallocate(T*, std::size_t) noexcept {
    if (whole.bytes >= kept_from) kept().small.put(whole);
    else ::operator delete(whole.memory);
  }
  bool operator==(const InFront& other) const { return whole.memory == other.whole.memory; }
};

std::byte* at_cache_line(std::byte* memory) {
  const auto past = reinterpret_cast<std::uintptr_t>(memory) % cache_line;
  return past == 0 ? memory : memory + (cache_line - past);
}

/// Null where there is no memory; not aligned where it is not huge.
std::byte* allocate_new(std::int64_t bytes, bool is_huge) noexcept {
  const auto size = static_cast<std::size_t>(bytes);
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
  // More than the machine has would be granted now and killed later.
  BlockPool::Block block{};
  if (bytes <= physical_memory()) {
    const std::int64_t capacity = is_huge ? bytes : front + bytes + slack;
    if (capacity >= kept_from) block = kept().of(is_huge).take(capacity);
    if (!block.memory) block = {allocate_new(capacity, is_huge), capacity};
    if (!block.memory) {
      kept().clear();
      block.memory = allocate_new(capacity, is_huge);
    }
  }
  if (!block.memory)
    throw MemoryError(fmt::format("{}{} bytes cannot be allocated, the machine has {}", label(),
                                  bytes, physical_memory()));
  if (is_huge) return {block.memory, Block{block.memory, bytes, block.bytes}};
  std::byte* const start = at_cache_line(block.memory + front);
  return {start, Block{start, bytes, 0}, InFront<std::byte>(block)};
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
  return kept().set_bound(bytes);
}

void release_kept() { kept().clear(); }

bool is_whole_block(const std::shared_ptr<const std::byte>& memory, std::int64_t bytes) {
  const Block* const block = std::get_deleter<Block>(memory);
  return block && block->start == memory.get() && block->bytes == bytes;
}

bool is_allocated(const std::shared_ptr<const void>& owner) {
  return std::get_deleter<Block>(owner) != nullptr;
}

bool is_fixed(const std::shared_ptr<const void>& owner) {
  return is_allocated(owner) || std::get_deleter<TakenOver>(owner) != nullptr;
}

}  // namespace weft
