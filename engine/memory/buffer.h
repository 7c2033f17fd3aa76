// SPDX-License-Identifier: Apache-2.0
// Memory for elements, aligned to cache lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include <weft/graph/value/shape.h>

namespace weft {

inline constexpr std::int64_t cache_line = 64;

/// How many bytes of freed memory are kept for reuse at most, in blocks from 32 KiB up; returns
/// what it was. 272 MiB or an eighth of the machine's memory, whichever is less, unless set; a
/// sixteenth of it, 16 MiB at most, is for blocks below 1 MiB; 0 keeps nothing. Throws
/// ParameterError where it is negative.
std::int64_t set_kept_bytes(std::int64_t bytes);

/// Gives back to the system what is kept.
void release_kept();

/// Uninitialised memory of `bytes` bytes (never null, also for 0) at a cache line; MemoryError
/// where it cannot be had.
std::shared_ptr<std::byte> allocate(std::int64_t bytes);
/// The same, for a tensor of that shape, which the error names with the op that it is for.
std::shared_ptr<std::byte> allocate(std::int64_t bytes, std::string_view op, const Shape& shape);

/// Whether `memory` starts at a block that allocate() gave for so many bytes.
bool is_whole_block(const std::shared_ptr<const std::byte>& memory, std::int64_t bytes);

/// Whether allocate() made what `owner` keeps alive.
bool is_allocated(const std::shared_ptr<const void>& owner);

/// What frees memory that a tensor took over with who held it: nobody else writes to it.
struct TakenOver {
  std::shared_ptr<const void> owner;
  void operator()(const void*) const noexcept {}
};

/// Whether nobody writes to what `owner` keeps alive: weft's own, or taken over.
bool is_fixed(const std::shared_ptr<const void>& owner);

/// The machine's memory in bytes.
std::int64_t physical_memory();

}  // namespace weft
