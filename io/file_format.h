// SPDX-License-Identifier: Apache-2.0
// What a format of files is.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include <weft/io/file_bytes.h>
#include <weft/io/options.h>
#include <weft/io/output.h>

namespace weft::detail {

/// A format as data; each is told in a file of its own, and file.cpp lists them.
struct FileFormat {
  std::string_view name;
  std::span<const std::string_view> extensions;      ///< ".npy", in lower case
  bool (*begins)(std::span<const std::byte> bytes);  ///< whether a file that begins so is one
  Tensor (*load)(const FileBytes& file, const LoadOptions& options);
  /// Of formats of several tensors.
  NamedTensors (*load_all)(const FileBytes& file, const LoadOptions& options);
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

/// Loads a file of that format.
Tensor load_as(const FileFormat& format, const std::string& path, const LoadOptions& options);
/// Writes a file whole or not at all; what is there and no file, in order.
void write_file(const std::string& path, const EvalOptions& options,
                const std::function<void(Output& to)>& write);
/// The same of one tensor.
void save_as(const FileFormat& format, const Tensor& x, const std::string& path,
             const SaveOptions& options);

}  // namespace weft::detail
