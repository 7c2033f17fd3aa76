// SPDX-License-Identifier: Apache-2.0
// PNG files as tensors: u8 [height, width, 3], red, green, blue.
#pragma once

#include <string>

#include <weft/weft.h>

/// Reads any PNG as 8-bit RGB; what is transparent becomes white. Throws std::runtime_error.
weft::Tensor read_png(const std::string& path);

/// Writes a u8 [height, width, 3]; evaluates. Throws std::runtime_error.
void write_png(const std::string& path, const weft::Tensor& picture);
