// SPDX-License-Identifier: Apache-2.0
// JPEG pictures.
#pragma once

#include <string>

#include <weft/io/options.h>

namespace weft {

/// The picture of a JPEG file: `out[row, column, channel]`, u8.
///
/// Shape: [height, width, channels]: 1 of grey, 3 of red, green and blue, 4 of CMYK as it is
/// stored. The EXIF orientation is told by `file_info`; with `options.apply_orientation` the
/// picture is turned by it, without a copy. Throws FileError, FormatError for what is damaged or
/// cut short and where weft was built without libjpeg, MemoryError. Cost: the picture is decoded
/// when it is loaded. Source: libjpeg's manual.
[[nodiscard]] Tensor load_jpeg(const std::string& path, const LoadOptions& options = {});

/// Writes `x` of u8, [height, width] or [height, width, channels] with 1 or 3 of them, with
/// `options.quality`, as `save` does. Throws what `save` throws, DtypeError, ShapeError for other
/// shapes, ParameterError for a quality below 1 or above 100.
void save_jpeg(const Tensor& x, const std::string& path, const SaveOptions& options = {});

}  // namespace weft
