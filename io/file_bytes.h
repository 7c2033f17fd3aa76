// SPDX-License-Identifier: Apache-2.0
// The bytes of a file that is read, which nobody has any reason to believe.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <weft/graph/tensor.h>

namespace weft::detail {

static_assert(std::endian::native == std::endian::little, "files are read as they lie in memory");

/// A file's bytes, mapped or in memory, and what keeps them there. Every number that is read from
/// them goes through the checks here.
class FileBytes {
 public:
  /// Maps a regular file; reads anything else to its end. Throws FileError, and Cancelled where it
  /// is to stop meanwhile.
  static FileBytes open(const std::string& path, const std::function<bool()>* should_stop);
  /// What a descriptor gives until its end; it stays open.
  static FileBytes read(int descriptor, const std::string& name,
                        const std::function<bool()>* should_stop);
  FileBytes(std::string name, std::vector<std::byte> bytes);
  FileBytes(std::string name, std::span<const std::byte> bytes, std::shared_ptr<const void> owner)
      : name_(std::move(name)), bytes_(bytes), owner_(std::move(owner)) {}
  /// A file within it.
  FileBytes inside(std::string_view name, std::uint64_t offset, std::uint64_t count) const {
    return {fmt::format("{}:{}", name_, name), part(name, offset, count), owner_};
  }

  const std::string& name() const noexcept { return name_; }
  std::uint64_t size() const noexcept { return bytes_.size(); }
  std::span<const std::byte> all() const noexcept { return bytes_; }

  /// Throws a FormatError that names the file.
  [[noreturn]] void refuse(std::string_view why) const;
  /// `count` bytes from `offset` on; refuses what is not there, in the name of `what`.
  std::span<const std::byte> part(std::string_view what, std::uint64_t offset,
                                  std::uint64_t count) const;
  std::string_view text(std::string_view what, std::uint64_t offset, std::uint64_t count) const {
    const std::span<const std::byte> bytes = part(what, offset, count);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  /// A little-endian number.
  template <class T>
  T number(std::string_view what, std::uint64_t offset) const {
    T value;
    std::memcpy(&value, part(what, offset, sizeof(T)).data(), sizeof(T));
    return value;
  }
  /// The bytes of elements of that shape; refuses shapes that no tensor can have.
  std::uint64_t bytes_of(DType dtype, const std::vector<std::int64_t>& shape) const;
  /// The elements that begin at `offset`, where they are; copied where they lie at no address for
  /// elements of their type.
  Tensor tensor(std::uint64_t offset, DType dtype, const std::vector<std::int64_t>& shape) const;

 private:
  std::string name_;
  std::span<const std::byte> bytes_;
  std::shared_ptr<const void> owner_;
};

}  // namespace weft::detail
