// Where memory for elements comes from.
#include <weft/engine/buffer.h>

#include <fmt/format.h>
#include <new>
#include <unistd.h>

#include <weft/graph/error.h>

namespace weft {

std::int64_t physical_memory() {
  return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::int64_t>(sysconf(_SC_PAGE_SIZE));
}

std::shared_ptr<std::byte> allocate(std::int64_t bytes) {
  constexpr std::align_val_t alignment{cache_line};
  // More than the machine has would be granted now and killed later.
  void* memory = nullptr;
  if (bytes <= physical_memory())
    memory = ::operator new(static_cast<std::size_t>(bytes), alignment, std::nothrow);
  if (!memory)
    throw MemoryError(
        fmt::format("{} bytes cannot be allocated, the machine has {}", bytes, physical_memory()));
  return {static_cast<std::byte*>(memory),
          [](std::byte* p) { ::operator delete (p, std::align_val_t{cache_line}); }};
}

}  // namespace weft
