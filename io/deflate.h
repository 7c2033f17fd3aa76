// SPDX-License-Identifier: Apache-2.0
// Compressed bytes and checksums, by zlib: every system has it, and a stream is all that is needed
// of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include <weft/io/file_bytes.h>

namespace weft::detail {

/// The CRC32 of bytes that follow those of `crc`.
std::uint32_t crc32_of(std::span<const std::byte> bytes, std::uint32_t crc = 0);

/// The bytes that `packed` holds, which have to be `size`. Throws FormatError in the name of the
/// file, MemoryError.
FileBytes inflated(const FileBytes& packed, std::uint64_t size);

/// Compresses what it is given, piece by piece, and hands on what that makes.
class Deflater {
 public:
  using Take = std::function<void(std::span<const std::byte>)>;

  explicit Deflater(Take take);
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  ~Deflater();

  void add(std::span<const std::byte> bytes) { run(bytes, false); }
  void finish() { run({}, true); }

 private:
  struct State;
  void run(std::span<const std::byte> bytes, bool is_last);

  Take take_;
  std::unique_ptr<State> state_;
};

}  // namespace weft::detail
