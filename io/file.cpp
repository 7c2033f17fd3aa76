// SPDX-License-Identifier: Apache-2.0
// The list of formats, and which of them a file has.
#include <weft/io/file.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <new>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <weft/engine/run/part_options.h>
#include <weft/engine/run/trace.h>
#include <weft/graph/value/error.h>
#include <weft/io/file_error.h>
#include <weft/io/file_format.h>

namespace weft {
namespace detail {
namespace {

constexpr std::array formats{&npy_format, &npz_format,  &safetensors_format,
                             &png_format, &jpeg_format, &raw_format};

const FileFormat& format_named(std::string_view who, const std::string& name) {
  for (const FileFormat* const format : formats)
    if (format->name == name) return *format;
  std::vector<std::string_view> names;
  for (const FileFormat* const format : formats) names.push_back(format->name);
  throw ParameterError("bad_format", fmt::format("{}: there is no format {:.60}, expected {}", who,
                                                 name, fmt::join(names, ", ")));
}

/// The format of an extension, or null.
const FileFormat* format_of_path(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const FileFormat* const format : formats)
    if (std::count(format->extensions.begin(), format->extensions.end(), extension) > 0)
      return format;
  return nullptr;
}

std::string all_extensions() {
  std::vector<std::string_view> all;
  for (const FileFormat* const format : formats)
    all.insert(all.end(), format->extensions.begin(), format->extensions.end());
  return fmt::format("{}", fmt::join(all, ", "));
}

const FileFormat& format_to_save(const std::string& path, const SaveOptions& options) {
  if (!options.format.empty()) return format_named("save", options.format);
  if (const FileFormat* const format = format_of_path(path)) return *format;
  throw FormatError(fmt::format("save: {:.200}: its extension tells no format, expected one of {}",
                                path, all_extensions()));
}

/// What is kept of a header may be more than there is memory for.
template <class Work>
auto within_memory(const std::string& name, const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw MemoryError(fmt::format("load: {:.200}: there is no memory for what it holds", name));
  }
}

/// What is there and no file: it is written where it is, in order.
bool is_written_in_order(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/// The format of a file that takes the options.
const FileFormat& format_to_load(const FileBytes& file, const std::string& path,
                                 const LoadOptions& options) {
  const FileFormat& format = format_of(file, path, options);
  refuse_raw_options(file, format, options);
  return format;
}

}  // namespace

const FileFormat& format_of(const FileBytes& file, const std::string& path,
                            const LoadOptions& options) {
  if (!options.format.empty()) return format_named("load", options.format);
  if (const FileFormat* const format = format_of_path(path)) return *format;
  for (const FileFormat* const format : formats)
    if (format->begins(file.all())) return *format;
  if (options.dtype) return raw_format;
  file.refuse(
      fmt::format("neither its extension nor its first bytes tell a format; extensions are {}",
                  all_extensions()));
}

void refuse_raw_options(const FileBytes& file, const FileFormat& format,
                        const LoadOptions& options) {
  if (&format == &raw_format || (!options.dtype && !options.shape)) return;
  throw ParameterError("not_raw",
                       fmt::format("load: {:.200}: a {} is given, which is for raw bytes; it is {}",
                                   file.name(), options.dtype ? "dtype" : "shape", format.name));
}

Tensor load_as(const FileFormat& format, const std::string& path, const LoadOptions& options) {
  return within_memory(path, [&] {
    const FileBytes file = FileBytes::open(path, options.should_stop);
    refuse_raw_options(file, format, options);
    return format.load(file, options);
  });
}

FileWriter::FileWriter(const std::string& path, StopQuestion should_stop) : path_(path) {
  if (!is_written_in_order(path)) {
    file_.emplace(path);
    return;
  }
  do descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  while (descriptor_ < 0 && is_to_repeat(should_stop));
  if (descriptor_ < 0) throw_errno("save", "cannot write", path);
  ordered_.emplace(descriptor_, path, should_stop);
}

FileWriter::~FileWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FileWriter::commit(const EvalOptions& options) {
  if (file_) return file_->commit(options);
  tell_done(options);
  if (::close(std::exchange(descriptor_, -1)) != 0) throw_errno("save", "cannot write", path_);
}

void write_file(const std::string& path, const EvalOptions& options,
                const std::function<void(Output& to)>& write) {
  const TraceScope scope(options.trace, "file", "save");
  FileWriter file(path, options.should_stop);
  write(file.output());
  file.commit(options);
}

void save_as(const FileFormat& format, const Tensor& x, const std::string& path,
             const SaveOptions& options) {
  if (x.held("save").known() != Node::Known::all) return void(x.eval());  // refused there
  write_file(path, options.eval, [&](Output& to) { format.save(x, to, options); });
}

}  // namespace detail

using detail::FileBytes;

Tensor load(const std::string& path, const LoadOptions& options) {
  return detail::within_memory(path, [&] {
    const FileBytes file = FileBytes::open(path, options.should_stop);
    return detail::format_to_load(file, path, options).load(file, options);
  });
}

Tensor load_bytes(std::vector<std::byte> bytes, const LoadOptions& options) {
  const std::string name = "the bytes";
  return detail::within_memory(name, [&] {
    const FileBytes file(name, std::move(bytes));
    return detail::format_to_load(file, "", options).load(file, options);
  });
}

FileInfo file_info(const std::string& path, const LoadOptions& options) {
  return detail::within_memory(path, [&] {
    const FileBytes file = FileBytes::open(path, options.should_stop);
    return detail::format_to_load(file, path, options).info(file, options);
  });
}

NamedTensors load_all(const std::string& path, const LoadOptions& options) {
  return detail::within_memory(path, [&]() -> NamedTensors {
    const FileBytes file = FileBytes::open(path, options.should_stop);
    const detail::FileFormat& format = detail::format_to_load(file, path, options);
    if (!format.load_each) return {{"", format.load(file, options)}};
    NamedTensors all;
    format.load_each(file, options, [&](const std::string& name, Tensor x) {
      all.emplace_back(name, std::move(x));
    });
    return all;
  });
}

void save(const Tensor& x, const std::string& path, const SaveOptions& options) {
  detail::save_as(detail::format_to_save(path, options), x, path, options);
}

void save_to(int descriptor, const Tensor& x, const SaveOptions& options) {
  x.held("save_to");
  if (x.is_open()) return void(x.eval());  // refused there
  const detail::FileFormat& format = detail::format_named(
      "save_to", options.format.empty() ? std::string(detail::npy_format.name) : options.format);
  detail::OrderedOutput to(descriptor, "the output", options.eval.should_stop);
  format.save(x, to, options);
}

}  // namespace weft
