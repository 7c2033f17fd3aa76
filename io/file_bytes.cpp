// SPDX-License-Identifier: Apache-2.0
// Mapping files, and taking elements out of them.
#include <weft/io/file_bytes.h>

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <weft/engine/memory/create.h>
#include <weft/graph/value/error.h>
#include <weft/io/file_error.h>
#include <weft/io/utf8.h>

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

/// What the address of an element is a multiple of in memory that weft's views take.
std::uint64_t alignment_of(DType dtype) {
  const auto size = static_cast<std::uint64_t>(dtype.size());
  const std::uint64_t power = size & (~size + 1);
  return power > 8 ? 8 : power;
}

}  // namespace

FileBytes FileBytes::read(int descriptor, const std::string& name, StopQuestion should_stop) {
  std::vector<std::byte> all;
  std::vector<std::byte> block(std::size_t{1} << 16);
  for (;;) {
    check_asked(should_stop);
    const ssize_t got = ::read(descriptor, block.data(), block.size());
    if (got == 0) return {name, std::move(all)};
    if (got < 0 && is_to_repeat(should_stop)) continue;
    if (got < 0) throw_errno("load", "cannot read", name);
    all.insert(all.end(), block.begin(), block.begin() + got);
  }
}

FileBytes FileBytes::open(const std::string& path, StopQuestion should_stop) {
  int opened = -1;
  do opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);  // of a FIFO, it waits for a writer
  while (opened < 0 && is_to_repeat(should_stop));
  const Descriptor file(opened);
  struct stat status {};
  if (file.number < 0 || ::fstat(file.number, &status) != 0)
    throw_errno("load", "cannot read", path);
  if (!S_ISREG(status.st_mode) || status.st_size == 0) return read(file.number, path, should_stop);
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
  // Names in a file may be written to upset a terminal.
  throw FormatError(printable(fmt::format("load: {:.200}: {:.300}", name_, why)));
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
    const std::string_view why = error.what();
    refuse(why.substr(why.find(": ") + 2));  // which says that it is to load, too
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
