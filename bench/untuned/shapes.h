// SPDX-License-Identifier: Apache-2.0
// Extents of what nobody had tuned: weft's way and the loops by hand are compiled with them.
#pragma once

#include <cstdint>

namespace weft::bench::untuned {

/// A batch of pictures, and the part of each that is cut out.
inline constexpr std::int64_t pictures = 16, height = 480, width = 640, channels = 3;
inline constexpr std::int64_t top = 16, left = 32, cut_height = 448, cut_width = 576;
/// Activations, mirrored at their borders.
inline constexpr std::int64_t planes = 8 * 64, side = 112, border = 3, padded = side + 2 * border;
/// Planes that are stacked on their last axis.
inline constexpr std::int64_t plane_height = 1080, plane_width = 1920, field = 1024;
/// Squares of the others.
inline constexpr std::int64_t n = 4096, triangle = 2048, batch = 256;
/// What is rolled whole.
inline constexpr std::int64_t long_count = std::int64_t{1} << 24, long_shift = 12345;
inline constexpr std::int64_t short_shift = 5000, count_64k = 16 * 1024, count_256k = 64 * 1024;

}  // namespace weft::bench::untuned
