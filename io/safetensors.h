// SPDX-License-Identifier: Apache-2.0
// safetensors files, as weights of models come in.
#pragma once

#include <string>

#include <weft/io/options.h>

namespace weft {

/// The tensor `options.member` of a safetensors file, or its only one, mapped as by `load`
/// (file.h).
///
/// F8_E4M3, F8_E5M2 and F8_E8M0 are bytes that are described by their names in ml_dtypes, and are
/// saved as what they were. Throws FileError; FormatError, which names the tensor, for unknown
/// element types, and unless the ranges of the tensors cover the data exactly, each as long as
/// shape and type say, under names that differ; a header has 100 MB at most. Cost: the header.
/// Source: the README of safetensors.
[[nodiscard]] Tensor load_safetensors(const std::string& path, const LoadOptions& options = {});

/// Writes tensors, those of larger elements first, as `save` does. Throws what `save` throws,
/// ParameterError where two have one name, DtypeError for structs and c128, which the format has no
/// name for.
void save_safetensors(const NamedTensors& tensors, const std::string& path,
                      const SaveOptions& options = {});

}  // namespace weft
