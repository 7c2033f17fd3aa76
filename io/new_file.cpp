// SPDX-License-Identifier: Apache-2.0
// What is written to a new file, and how it gets to the disk.
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/eval.h>
#include <weft/engine/run/part_options.h>
#include <weft/engine/run/trace.h>
#include <weft/engine/run/workers.h>
#include <weft/engine/view/parts.h>
#include <weft/io/file_error.h>
#include <weft/io/output.h>

namespace weft::detail {
namespace {

/// What is evaluated before the disk is asked to write it.
constexpr std::uint64_t slice_bytes = std::uint64_t{128} << 20;
/// What is waited for at a time.
constexpr std::uint64_t synced_bytes = std::uint64_t{16} << 20;

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

void NewFile::commit(const EvalOptions& options) {
  const TraceScope scope(options.trace, "file", "sync");
#ifdef __linux__
  // Piece by piece, for a stop may be requested meanwhile.
  for (std::uint64_t at = 0; at < position(); at += synced_bytes) {
    check_stop(options);
    ::sync_file_range(
        file_.descriptor(), static_cast<off_t>(at), static_cast<off_t>(synced_bytes),
        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
  }
#endif
  check_stop(options);
  while (::fsync(file_.descriptor()) != 0)
    if (!is_to_repeat(options.should_stop)) throw_errno("save", "cannot write", file_.name());
  tell_done(options);  // what that throws leaves the old file
  file_.take_place();
}

void NewFile::put_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written =
        ::pwrite(file_.descriptor(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_errno("save", "cannot write", file_.name());
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
}

void NewFile::look_at(std::uint64_t offset, std::uint64_t count,
                      const std::function<void(std::span<const std::byte>)>& look) const {
  if (count == 0) return look({});
  const Mapping mapping(file_.descriptor(), offset, count, file_.name());
  look({mapping.elements(), static_cast<std::size_t>(count)});
}

void NewFile::replace(std::uint64_t offset, std::string_view bytes) {
  put_at(offset, std::as_bytes(std::span(bytes.data(), bytes.size())));
}

void NewFile::put(std::span<const std::byte> bytes) { put_at(position(), bytes); }

void NewFile::reserve(std::uint64_t bytes, const EvalOptions& options) {
  if (bytes == 0) return;
  // Written through a mapping, a block that the disk has no room for ends the process.
  do
    errno = ::posix_fallocate(file_.descriptor(), static_cast<off_t>(position()),
                              static_cast<off_t>(bytes));
  while (is_to_repeat(options.should_stop));
  if (errno != 0) throw_errno("save", "cannot write", file_.name());
}

void NewFile::put(const Tensor& x, const EvalOptions& options) {
  if (x.is_stored()) return put_stored(x, options);
  const std::int64_t limit = options.memory_limit ? options.memory_limit : physical_memory();
  if (x.bytes() > limit) return put_parts(x, options);
  try {
    put_mapped(x, options);
  } catch (const MemoryError&) {
    put_parts(x, options);  // what is stored on the way may be less for a part
  }
}

void NewFile::put_stored(const Tensor& x, const EvalOptions& options) {
  const TraceScope scope(options.trace, "file", "write");
  const auto bytes = static_cast<std::uint64_t>(x.bytes());
  for (std::uint64_t at = 0; at < bytes; at += slice_bytes) {
    check_stop(options);
    if (options.progress && at > 0)
      (*options.progress)(static_cast<double>(at) / static_cast<double>(bytes));
    const std::uint64_t count = std::min(slice_bytes, bytes - at);
    put_at(position() + at, {x.node().value().get() + at, static_cast<std::size_t>(count)});
    begin_to_write_back(position() + at + count);
  }
  tell_done(options);
}

void NewFile::begin_to_write_back(std::uint64_t up_to) {
#ifdef __linux__
  if (up_to < written_back_ + slice_bytes / 2) return;
  // What goes wrong, fsync tells.
  ::sync_file_range(file_.descriptor(), static_cast<off_t>(written_back_),
                    static_cast<off_t>(up_to - written_back_), SYNC_FILE_RANGE_WRITE);
  written_back_ = up_to;
#endif
}

void NewFile::put_mapped(const Tensor& x, const EvalOptions& options) {
  const auto bytes = static_cast<std::uint64_t>(x.bytes());
  reserve(bytes, options);
  if (bytes == 0) return eval_into(x, nullptr, 0, options);
  const Mapping mapping(file_.descriptor(), position(), bytes, file_.name());
  const Shape& shape = x.shape();
  std::size_t axis = 0;  // the first that can be cut
  while (axis < shape.size() && shape[axis] == 1) ++axis;
  if (bytes < 2 * slice_bytes || axis == shape.size() || stores_on_the_way(x, options))
    return eval_into(x, mapping.elements(), x.bytes(), options);
  // The disk writes what is there while the rest is computed.
  const std::int64_t extent = shape[axis], row = x.bytes() / extent;
  const std::int64_t rows = std::max<std::int64_t>(static_cast<std::int64_t>(slice_bytes) / row, 1);
  for (std::int64_t start = 0; start < extent; start += rows) {
    const std::int64_t stop = std::min(start + rows, extent);
    const auto whole = static_cast<double>(extent);
    const PartOptions part(options, static_cast<double>(start) / whole,
                           static_cast<double>(stop) / whole);
    eval_into(x.slice({start}, {stop}, none, {axis}), mapping.elements() + start * row,
              (stop - start) * row, part.options());
    begin_to_write_back(position() + static_cast<std::uint64_t>(stop * row));
  }
}

void NewFile::put_parts(const Tensor& x, const EvalOptions& options) {
  reserve(static_cast<std::uint64_t>(x.bytes()), options);
  const Shape& whole = x.shape();
  const auto place_of = [&](const Index& at) {
    return position() + static_cast<std::uint64_t>(linear_index(at, whole) * x.dtype().size());
  };
  eval_in_parts(x, {}, options, [&](const Shape& start, const Tensor& part) {
    const TraceScope scope(options.trace, "file", "write");
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
