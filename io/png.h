// SPDX-License-Identifier: Apache-2.0
// PNG pictures.
#pragma once

#include <string>

#include <weft/io/options.h>

namespace weft {

/// The picture of a PNG file: `out[row, column, channel]`, u8, or u16 where the file has 16 bits.
///
/// Shape: [height, width, channels]: 1 of grey, 2 with alpha, 3 of colours, 4 with alpha. Palettes
/// are expanded to colours, 1 to 4 bits to 8, a transparent colour to alpha; nothing is done about
/// gamma. Throws FileError, FormatError for what is damaged or cut short and where weft was built
/// without libpng, MemoryError. Cost: the picture is unpacked when it is loaded. Source: libpng's
/// manual.
[[nodiscard]] Tensor load_png(const std::string& path, const LoadOptions& options = {});

/// Writes `x` of u8 or u16, [height, width] or [height, width, channels] with 1 to 4 of them, as
/// `save` does. Throws what `save` throws, DtypeError, and ShapeError for other shapes and empty
/// pictures.
void save_png(const Tensor& x, const std::string& path, const SaveOptions& options = {});

}  // namespace weft
