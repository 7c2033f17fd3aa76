// SPDX-License-Identifier: Apache-2.0
// Elements and nothing else.
#pragma once

#include <string>

#include <weft/io/options.h>

namespace weft {

/// The bytes of a file as elements of `options.dtype`, row-major, mapped as by `load` (file.h).
///
/// Shape: `options.shape`, or one axis of as many elements as there are. Throws ParameterError
/// without a type, FileError, and FormatError where the file has more or fewer bytes. Cost: none.
[[nodiscard]] Tensor load_raw(const std::string& path, const LoadOptions& options);

/// Writes the elements of `x`, row-major, as `save` does, and throws what that throws.
void save_raw(const Tensor& x, const std::string& path, const SaveOptions& options = {});

}  // namespace weft
