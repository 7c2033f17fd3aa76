// SPDX-License-Identifier: Apache-2.0
// Pictures as tensors.
#include <weft/io/picture.h>

#include <fmt/format.h>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/view/region.h>
#include <weft/graph/value/error.h>

namespace weft::detail {

std::shared_ptr<std::byte> memory_for(const FileBytes& file, const Picture& picture,
                                      std::uint64_t ratio) {
  const std::uint64_t bytes = file.bytes_of(picture.dtype, picture.shape());
  if (bytes / ratio > file.size())
    file.refuse(fmt::format("it claims {} by {} pixels, which {} bytes cannot hold", picture.height,
                            picture.width, file.size()));
  return allocate(static_cast<std::int64_t>(bytes));
}

Picture picture_of(std::string_view format, const Tensor& x, bool takes_u16,
                   std::int64_t most_channels) {
  if (x.dtype() != u8 && !(takes_u16 && x.dtype() == u16))
    throw DtypeError(fmt::format("save: {} takes u8{}, the elements are {}", format,
                                 takes_u16 ? " or u16" : "", x.dtype().name()));
  const Shape& shape = x.shape();
  const bool has_channels = shape.size() == 3;
  const std::int64_t channels = has_channels ? shape[2] : 1;
  if ((shape.size() != 2 && !has_channels) || channels < 1 || channels > most_channels ||
      (most_channels == 3 && channels == 2) || x.size() == 0)
    throw ShapeError(
        fmt::format("save: {} takes [height, width] or [height, width, channels] with {}"
                    " channels, the shape is {}",
                    format, most_channels == 3 ? "1 or 3" : "1 to 4", to_string(shape)));
  return {shape[0], shape[1], channels, x.dtype()};
}

Tensor value_of(const Tensor& x, const EvalOptions& options) {
  if (x.is_stored()) return x;
  return eval_region(x, Index(x.rank(), 0), x.shape(), options);
}

}  // namespace weft::detail
