// SPDX-License-Identifier: Apache-2.0
// Files that are whole or not there.
#include <algorithm>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <random>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/eval.h>
#include <weft/engine/view/parts.h>
#include <weft/io/file_error.h>
#include <weft/io/output.h>

namespace weft::detail {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;  // as many as Linux follows

/// What is evaluated before the disk is asked to write it.
constexpr std::uint64_t slice_bytes = std::uint64_t{64} << 20;

/// What symbolic links lead to, whether or not it is there.
fs::path behind_links(fs::path path, const std::string& name) {
  std::error_code error;
  for (int k = 0; fs::is_symlink(fs::symlink_status(path, error)); ++k) {
    if (k == most_links) {
      errno = ELOOP;
      throw_errno("save", "cannot write", name);
    }
    const fs::path link = fs::read_symlink(path, error);
    path = link.is_absolute() ? link : path.parent_path() / link;
  }
  return path;
}

std::string folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path().string() : ".";
}

/// A name that nothing has, in the folder of the target.
std::string temporary_name(const fs::path& target) {
  std::random_device device;
  const std::uint64_t number = std::uint64_t{device()} << 32 | device();
  // A name of the longest kind has no room for more.
  const std::string name = fmt::format(".{:.200}.{:016x}.part", target.filename().string(), number);
  return (target.parent_path() / name).string();
}

/// A part of a new file, seen until the end of a scope.
class Mapping {
 public:
  Mapping(int descriptor, std::uint64_t offset, std::uint64_t bytes, const std::string& name) {
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    const std::uint64_t before = offset % page;
    bytes_ = static_cast<std::size_t>(bytes + before);
    start_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor,
                    static_cast<off_t>(offset - before));
    if (start_ == MAP_FAILED) throw_errno("save", "cannot map", name);
    elements_ = static_cast<std::byte*>(start_) + before;
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { ::munmap(start_, bytes_); }

  std::byte* elements() const { return elements_; }

 private:
  void* start_;
  std::size_t bytes_;
  std::byte* elements_;
};

}  // namespace

NewFile::NewFile(const std::string& path) : name_(path) {
  const fs::path target = behind_links(path, path);
  target_ = target.string();
  struct stat there {};
  const bool exists = ::stat(target_.c_str(), &there) == 0;
  if (exists && S_ISDIR(there.st_mode)) errno = EISDIR;
  if (exists && (S_ISDIR(there.st_mode) || ::access(target_.c_str(), W_OK) != 0))
    throw_errno("save", "cannot write", path);
  for (int k = 0; descriptor_ < 0 && k < 100; ++k) {
    temporary_ = temporary_name(target);
    descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) break;
  }
  if (descriptor_ < 0) {
    temporary_.clear();
    throw_errno("save", "cannot write beside", path);
  }
  if (!exists) return;
  // Who may not give it away keeps it.
  if (::fchown(descriptor_, there.st_uid, there.st_gid) != 0) errno = 0;
  if (::fchmod(descriptor_, there.st_mode & 07777) != 0) {
    const int error = errno;
    ::unlink(temporary_.c_str());
    ::close(descriptor_);
    errno = error;
    throw_errno("save", "cannot set the mode of", path);
  }
}

NewFile::~NewFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void NewFile::commit() {
  if (::fsync(descriptor_) != 0) throw_errno("save", "cannot write", name_);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0)
    throw_errno("save", "cannot replace", name_);
  temporary_.clear();
  // The new name may be lost with the machine until its folder is written, too.
  const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;  // one that may be written, but not read
  const bool is_written = ::fsync(folder) == 0 || errno == EINVAL;  // not all file systems can
  const int error = errno;
  ::close(folder);
  errno = error;
  if (!is_written) throw_errno("save", "cannot write the folder of", name_);
}

void NewFile::put_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_errno("save", "cannot write", name_);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
}

void NewFile::look_at(std::uint64_t offset, std::uint64_t count,
                      const std::function<void(std::span<const std::byte>)>& look) const {
  if (count == 0) return look({});
  const Mapping mapping(descriptor_, offset, count, name_);
  look({mapping.elements(), static_cast<std::size_t>(count)});
}

void NewFile::replace(std::uint64_t offset, std::string_view bytes) {
  put_at(offset, std::as_bytes(std::span(bytes.data(), bytes.size())));
}

void NewFile::put(std::span<const std::byte> bytes) { put_at(position(), bytes); }

void NewFile::reserve(std::uint64_t bytes) {
  if (bytes == 0) return;
  // Written through a mapping, a block that the disk has no room for ends the process.
  errno = ::posix_fallocate(descriptor_, static_cast<off_t>(position()), static_cast<off_t>(bytes));
  if (errno != 0) throw_errno("save", "cannot write", name_);
}

void NewFile::put(const Tensor& x, const EvalOptions& options) {
  if (x.is_stored()) return put({x.node().value().get(), static_cast<std::size_t>(x.bytes())});
  reserve(static_cast<std::uint64_t>(x.bytes()));
  const std::int64_t limit = options.memory_limit ? options.memory_limit : physical_memory();
  if (x.bytes() > limit) return put_parts(x, options);
  try {
    put_mapped(x, options);
  } catch (const MemoryError&) {
    put_parts(x, options);  // what is stored on the way may be less for a part
  }
}

void NewFile::begin_to_write_back(std::uint64_t up_to) {
#ifdef __linux__
  if (up_to < written_back_ + slice_bytes) return;
  // What goes wrong, fsync tells.
  ::sync_file_range(descriptor_, static_cast<off_t>(written_back_),
                    static_cast<off_t>(up_to - written_back_), SYNC_FILE_RANGE_WRITE);
  written_back_ = up_to;
#endif
}

void NewFile::put_mapped(const Tensor& x, const EvalOptions& options) {
  const auto bytes = static_cast<std::uint64_t>(x.bytes());
  if (bytes == 0) return eval_into(x, nullptr, 0, options);
  const Mapping mapping(descriptor_, position(), bytes, name_);
  const Shape& shape = x.shape();
  std::size_t axis = 0;  // the first that can be cut
  while (axis < shape.size() && shape[axis] == 1) ++axis;
  if (bytes < 2 * slice_bytes || axis == shape.size() || stores_on_the_way(x, options))
    return eval_into(x, mapping.elements(), x.bytes(), options);
  // The disk writes what is there while the rest is computed.
  const std::int64_t row = x.bytes() / shape[axis];
  const std::int64_t rows = std::max<std::int64_t>(static_cast<std::int64_t>(slice_bytes) / row, 1);
  for (std::int64_t start = 0; start < shape[axis]; start += rows) {
    const std::int64_t stop = std::min(start + rows, shape[axis]);
    eval_into(x.slice({start}, {stop}, none, {axis}), mapping.elements() + start * row,
              (stop - start) * row, options);
    begin_to_write_back(position() + static_cast<std::uint64_t>(stop * row));
  }
}

void NewFile::put_parts(const Tensor& x, const EvalOptions& options) {
  const Shape& whole = x.shape();
  const auto place_of = [&](const Index& at) {
    return position() + static_cast<std::uint64_t>(linear_index(at, whole) * x.dtype().size());
  };
  eval_in_parts(x, {}, options, [&](const Shape& start, const Tensor& part) {
    // Runs: the last axes that the part has whole, and some of the axis before them.
    const Shape& shape = part.shape();
    std::size_t axis = shape.size();
    std::int64_t run = x.dtype().size();
    while (axis > 0) {
      --axis;
      run *= shape[axis];
      if (shape[axis] != whole[axis]) break;
    }
    Index at = start;
    const std::byte* elements = part.node().value().get();
    for (std::int64_t left = part.bytes(); left > 0; left -= run, elements += run) {
      put_at(place_of(at), {elements, static_cast<std::size_t>(run)});
      for (std::size_t k = axis; k-- > 0;) {
        if (++at[k] < start[k] + shape[k]) break;
        at[k] = start[k];
      }
    }
    // Parts follow one another along the last axes first.
    Index complete(shape.size(), 0);
    for (std::size_t k = 0; k < shape.size(); ++k) {
      complete[k] = start[k];
      if (shape[k] > 1) break;
    }
    begin_to_write_back(place_of(complete));
  });
}

}  // namespace weft::detail
