// Where memory for elements comes from.
#include <weft/engine/buffer.h>

#include <algorithm>
#include <fmt/format.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

#include <weft/graph/error.h>

namespace weft {

std::int64_t physical_memory() {
  static const std::int64_t bytes = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) *
                                    static_cast<std::int64_t>(sysconf(_SC_PAGE_SIZE));
  return bytes;
}

std::int64_t last_cache_bytes() {
  static const std::int64_t bytes = [] {
    std::int64_t largest = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
    for (const int level : {_SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE})
      largest = std::max<std::int64_t>(largest, sysconf(level));
#endif
    return largest > 0 ? largest : std::int64_t{32} * 1024 * 1024;
  }();
  return bytes;
}

namespace {

// From here on memory is asked for in huge pages: a first write costs a fault for each page, and
// transposes touch one page a row.
constexpr std::int64_t huge_from = 1024 * 1024;
constexpr std::int64_t huge_page = 2 * 1024 * 1024;

/// Frees a block; its type is what tells weft's own memory from any other.
struct Block {
  const std::byte* start;
  std::int64_t bytes;
  std::align_val_t alignment;
  void operator()(std::byte* memory) const { ::operator delete(memory, alignment); }
};

}  // namespace

std::shared_ptr<std::byte> allocate(std::int64_t bytes) {
  const bool is_huge = bytes >= huge_from;
  const std::align_val_t alignment{static_cast<std::size_t>(is_huge ? huge_page : cache_line)};
  // More than the machine has would be granted now and killed later.
  void* memory = nullptr;
  if (bytes <= physical_memory())
    memory = ::operator new(static_cast<std::size_t>(bytes), alignment, std::nothrow);
  if (!memory)
    throw MemoryError(
        fmt::format("{} bytes cannot be allocated, the machine has {}", bytes, physical_memory()));
#ifdef MADV_HUGEPAGE
  // A wish: where it is not granted the memory is as good as any.
  if (is_huge) madvise(memory, static_cast<std::size_t>(bytes), MADV_HUGEPAGE);
#endif
  std::byte* const start = static_cast<std::byte*>(memory);
  return {start, Block{start, bytes, alignment}};
}

bool is_whole_block(const std::shared_ptr<const std::byte>& memory, std::int64_t bytes) {
  const Block* const block = std::get_deleter<Block>(memory);
  return block && block->start == memory.get() && block->bytes == bytes;
}

bool is_allocated(const std::shared_ptr<const void>& owner) {
  return std::get_deleter<Block>(owner) != nullptr;
}

}  // namespace weft
