// SPDX-License-Identifier: Apache-2.0
// What a command reads: files, standard input, numbers.
#pragma once

#include <string>
#include <vector>

#include <weft/cli/parse_pipeline.h>
#include <weft/io/file.h>

namespace weft {

/// The tensor of a file, of a member of one ("weights.npz:bias", unless a file has that whole
/// name), or of standard input ("-"). Throws what load() does.
Tensor load_named(const std::string& name, LoadOptions options = {});

/// What "NAME=FILE", "NAME:=2" and "NAME:=[1, 2]" say, with "_" for the file before them, if any.
/// Throws ParameterError for what is not written so.
PipelineInputs command_inputs(const std::string& first, const std::vector<std::string>& named,
                              const LoadOptions& options);

/// "3,4,5" as a shape. Throws ParameterError.
std::vector<std::int64_t> shape_from(const std::string& text);

}  // namespace weft
