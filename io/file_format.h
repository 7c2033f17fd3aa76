// SPDX-License-Identifier: Apache-2.0
// What a format of files is.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <weft/io/file_bytes.h>
#include <weft/io/options.h>
#include <weft/io/output.h>

namespace weft::detail {

using TakeTensor = std::function<void(const std::string& name, Tensor x)>;

/// A format as data; each is told in a file of its own, and file.cpp lists them.
struct FileFormat {
  std::string_view name;
  std::span<const std::string_view> extensions;      ///< ".npy", in lower case
  bool (*begins)(std::span<const std::byte> bytes);  ///< whether a file that begins so is one
  Tensor (*load)(const FileBytes& file, const LoadOptions& options);
  /// Of formats of several tensors: takes each, in the order of the file.
  void (*load_each)(const FileBytes& file, const LoadOptions& options, const TakeTensor& take);
  FileInfo (*info)(const FileBytes& file, const LoadOptions& options);
  void (*save)(const Tensor& x, Output& to, const SaveOptions& options);
};

extern const FileFormat npy_format, npz_format, safetensors_format, png_format, jpeg_format,
    raw_format;

/// Whether the bytes begin with these.
inline bool begin_with(std::span<const std::byte> bytes, std::string_view magic) {
  return bytes.size() >= magic.size() &&
         std::string_view(reinterpret_cast<const char*>(bytes.data()), magic.size()) == magic;
}

/// The format of a file: what the options say, what its extension or its first bytes tell, or raw
/// where nothing does and a type is given. Throws as load() does.
const FileFormat& format_of(const FileBytes& file, const std::string& path,
                            const LoadOptions& options);
/// Refuses what only raw bytes take, in the name of a file of another format.
void refuse_raw_options(const FileBytes& file, const FileFormat& format,
                        const LoadOptions& options);
/// Loads a file of that format.
Tensor load_as(const FileFormat& format, const std::string& path, const LoadOptions& options);
/// A file that is being written, whole or not at all; what is there and no file, in order.
class FileWriter {
 public:
  /// Throws FileError where that may not be written, and Cancelled where it is to stop while a FIFO
  /// waits for a reader.
  FileWriter(const std::string& path, const std::function<bool()>* should_stop);
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  ~FileWriter();

  Output& output() { return file_ ? static_cast<Output&>(*file_) : *ordered_; }
  /// Once it is whole.
  void commit(const EvalOptions& options);

 private:
  const std::string path_;
  int descriptor_ = -1;  // of what is written in order
  std::optional<OrderedOutput> ordered_;
  std::optional<NewFile> file_;
};

/// Writes a file whole or not at all; what is there and no file, in order.
void write_file(const std::string& path, const EvalOptions& options,
                const std::function<void(Output& to)>& write);
/// The same of one tensor.
void save_as(const FileFormat& format, const Tensor& x, const std::string& path,
             const SaveOptions& options);

}  // namespace weft::detail
