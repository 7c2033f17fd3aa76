// SPDX-License-Identifier: Apache-2.0
// What a command reads: files, standard input, numbers.
#pragma once

#include <string>
#include <vector>

#include <weft/cli/parse_pipeline.h>
#include <weft/io/file.h>
#include <weft/io/file_format.h>

namespace weft {

/// A file that was opened, once: a pipe gives its bytes to the first alone.
struct NamedFile {
  detail::FileBytes bytes;
  const detail::FileFormat* format;
  LoadOptions options;  ///< with the member that was named

  bool is_raw() const { return format == &detail::raw_format; }
  Tensor load() const { return format->load(bytes, options); }
};

/// A file, a member of one ("weights.npz:bias", unless a file has that whole name), or standard
/// input ("-"). Throws what load() does.
NamedFile open_named(const std::string& name, LoadOptions options);

/// The same, where a type and a shape are for this file alone: refused unless it is raw.
NamedFile open_only(const std::string& name, const LoadOptions& options);

/// What "NAME=FILE", "NAME:=2" and "NAME:=[1, 2]" say, with "_" for the file before them, if any. A
/// type and a shape are for those that are raw. Throws ParameterError for what is not written so,
/// and where no file takes them.
PipelineInputs command_inputs(const std::string& first, const std::vector<std::string>& named,
                              const LoadOptions& options);

/// "3,4,5", of --shape, as a shape. Throws ParameterError.
std::vector<std::int64_t> shape_from(const std::string& text);

}  // namespace weft
