// SPDX-License-Identifier: Apache-2.0
// The operators new and delete of a test program: malloc, but for those that are to fail.
#include "failing_new.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <malloc.h>
#include <new>

namespace weft::testing {
namespace {

constexpr long never = std::numeric_limits<long>::max();

std::atomic<long> left = never;  // that succeed
std::atomic<bool> all_later = false, has_failed = false;
std::atomic<long> live = 0, made = 0, bytes_alive = 0, most_alive = 0;

void count(void* memory) {
  const long alive = bytes_alive += static_cast<long>(malloc_usable_size(memory));
  for (long most = most_alive; most < alive && !most_alive.compare_exchange_weak(most, alive);) {
  }
}

bool is_to_fail() {
  if (left.load(std::memory_order_relaxed) == never) return false;
  const long before = left.fetch_sub(1);
  const bool fails = before == 0 || (before < 0 && all_later);
  if (fails) has_failed = true;
  return fails;
}

}  // namespace

void fail_allocation(long position, bool and_all_later) {
  has_failed = false;
  all_later = and_all_later;
  left = position;
}

bool stop_failing() {
  left = never;
  return has_failed;
}

long live_blocks() { return live; }
long allocations() { return made; }
long live_bytes() { return bytes_alive; }
long most_live_bytes() { return most_alive; }
void begin_counting() { most_alive = bytes_alive.load(); }

void* allocate_or_null(std::size_t bytes, std::size_t alignment) noexcept {
  if (is_to_fail()) return nullptr;
  alignment = std::max(alignment, sizeof(void*));
  const std::size_t whole = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment;
  void* const memory = std::aligned_alloc(alignment, whole * alignment);
  if (!memory) return nullptr;
  ++live, ++made;
  count(memory);
  return memory;
}

void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  void* const memory = allocate_or_null(bytes, alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}

void give_back(void* memory) noexcept {
  if (memory) --live, bytes_alive -= static_cast<long>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace weft::testing

namespace {

using weft::testing::allocate_or_null;
using weft::testing::allocate_or_throw;
using weft::testing::give_back;

constexpr std::size_t usual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
constexpr std::size_t of(std::align_val_t alignment) { return static_cast<std::size_t>(alignment); }

}  // namespace

void* operator new(std::size_t n) { return allocate_or_throw(n, usual); }
void* operator new[](std::size_t n) { return allocate_or_throw(n, usual); }
void* operator new(std::size_t n, std::align_val_t a) { return allocate_or_throw(n, of(a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return allocate_or_throw(n, of(a)); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept {
  return allocate_or_null(n, usual);
}
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept {
  return allocate_or_null(n, usual);
}
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocate_or_null(n, of(a));
}
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocate_or_null(n, of(a));
}
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete[](void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { give_back(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  give_back(memory);
}
