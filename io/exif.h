// SPDX-License-Identifier: Apache-2.0
// How a picture was held when it was taken.
#pragma once

#include <cstddef>
#include <span>

#include <weft/graph/tensor.h>

namespace weft::detail {

/// The orientation that a JPEG's APP1 segment tells, 1 to 8; 1 where it tells none.
int exif_orientation(std::span<const std::byte> segment);

/// A picture [height, width, channels] turned and mirrored by its orientation.
Tensor turned_upright(const Tensor& picture, int orientation);

}  // namespace weft::detail
