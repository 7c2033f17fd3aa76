// SPDX-License-Identifier: Apache-2.0
// What formats of pictures have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <weft/graph/tensor.h>
#include <weft/io/file_bytes.h>

namespace weft::detail {

/// Rows of pixels, [height, width, channels].
struct Picture {
  std::int64_t height = 0, width = 0, channels = 0;
  DType dtype = u8;

  std::vector<std::int64_t> shape() const { return {height, width, channels}; }
  std::size_t row_bytes() const {
    return static_cast<std::size_t>(width * channels * dtype.size());
  }
};

/// Memory for its pixels. Throws FormatError in the name of the file where `packed` bytes, of which
/// each becomes `ratio` at most, cannot hold so many; MemoryError.
std::shared_ptr<std::byte> memory_for(const FileBytes& file, const Picture& picture,
                                      std::uint64_t ratio);

/// What `x` is as a picture. Throws, in the name of the format, DtypeError unless it is of u8 (or
/// u16, where that is taken), ShapeError unless it is [height, width] or [height, width, channels]
/// with 1 to `most_channels`, none of them 0.
Picture picture_of(std::string_view format, const Tensor& x, bool takes_u16,
                   std::int64_t most_channels);

/// The value of `x`, which itself keeps none.
Tensor value_of(const Tensor& x, const EvalOptions& options);

}  // namespace weft::detail
