// SPDX-License-Identifier: Apache-2.0
// Mapping files, and taking elements out of them.
#include <weft/io/file_bytes.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <weft/engine/memory/create.h>
#include <weft/graph/value/error.h>
#include <weft/io/file_error.h>

namespace weft::detail {
namespace {

/// A file that is open until the end of a scope.
struct Descriptor {
  int number;
  explicit Descriptor(int opened) : number(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

/// A file's pages, seen as long as this lives.
struct MappedPages {
  void* start;
  std::size_t bytes;
  MappedPages(void* at, std::size_t count) : start(at), bytes(count) {}
  MappedPages(const MappedPages&) = delete;
  MappedPages& operator=(const MappedPages&) = delete;
  ~MappedPages() { ::munmap(start, bytes); }
};

std::vector<std::byte> read_all(int descriptor, const std::string& path) {
  std::vector<std::byte> all;
  std::vector<std::byte> block(std::size_t{1} << 16);
  for (;;) {
    const ssize_t got = ::read(descriptor, block.data(), block.size());
    if (got == 0) return all;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_errno("load", "cannot read", path);
    all.insert(all.end(), block.begin(), block.begin() + got);
  }
}

/// What the address of an element is a multiple of in memory that weft's views take.
std::uint64_t alignment_of(DType dtype) {
  const auto size = static_cast<std::uint64_t>(dtype.size());
  const std::uint64_t power = size & (~size + 1);
  return power > 8 ? 8 : power;
}

}  // namespace

FileBytes FileBytes::open(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (file.number < 0 || ::fstat(file.number, &status) != 0)
    throw_errno("load", "cannot read", path);
  if (!S_ISREG(status.st_mode) || status.st_size == 0) return {path, read_all(file.number, path)};
  const auto bytes = static_cast<std::size_t>(status.st_size);
  void* const start = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file.number, 0);
  if (start == MAP_FAILED) throw_errno("load", "cannot map", path);
  auto pages = std::make_shared<const MappedPages>(start, bytes);
  return {path, {static_cast<const std::byte*>(start), bytes}, std::move(pages)};
}

FileBytes::FileBytes(std::string name, std::vector<std::byte> bytes) : name_(std::move(name)) {
  const auto kept = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  bytes_ = *kept;
  owner_ = kept;
}

void FileBytes::refuse(std::string_view why) const {
  std::string message = fmt::format("load: {:.200}: {:.300}", name_, why);
  // Names in a file may be written to upset a terminal.
  std::replace_if(
      message.begin(), message.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
  throw FormatError(message);
}

std::span<const std::byte> FileBytes::part(std::string_view what, std::uint64_t offset,
                                           std::uint64_t count) const {
  if (offset > size() || count > size() - offset)
    refuse(fmt::format("{} would be {} bytes from byte {} on, the file has {}", what, count, offset,
                       size()));
  return bytes_.subspan(offset, count);
}

std::uint64_t FileBytes::bytes_of(DType dtype, const std::vector<std::int64_t>& shape) const {
  try {
    return static_cast<std::uint64_t>(element_count(checked_shape("load", shape, dtype))) *
           static_cast<std::uint64_t>(dtype.size());
  } catch (const Error& error) {
    refuse(error.what());
  }
}

Tensor FileBytes::tensor(std::uint64_t offset, DType dtype,
                         const std::vector<std::int64_t>& shape) const {
  const std::span<const std::byte> elements = part("the data", offset, bytes_of(dtype, shape));
  const bool is_aligned =
      reinterpret_cast<std::uintptr_t>(elements.data()) % alignment_of(dtype) == 0;
  return is_aligned ? borrow(elements.data(), dtype, shape, owner_)
                    : copy_from(elements.data(), dtype, shape);
}

}  // namespace weft::detail
