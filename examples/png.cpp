// SPDX-License-Identifier: Apache-2.0
// PNG files as tensors, through libpng's simplified API.
#include "png.h"

#include <fmt/format.h>
#include <png.h>

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

/// libpng's record of a picture, freed whatever happens.
struct Image : png_image {
  Image() : png_image{} { version = PNG_IMAGE_VERSION; }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
  ~Image() { png_image_free(this); }
};

[[noreturn]] void fail(const char* what, const std::string& path, const Image& image) {
  throw std::runtime_error(fmt::format("cannot {} {}: {}", what, path, image.message));
}

}  // namespace

weft::Tensor read_png(const std::string& path) {
  Image image;
  if (!png_image_begin_read_from_file(&image, path.c_str())) fail("read", path, image);
  image.format = PNG_FORMAT_RGB;
  const std::int64_t height = image.height, width = image.width;
  if (height * width * 3 > UINT32_MAX)  // also of a damaged file that only claims to be so large
    throw std::runtime_error(
        fmt::format("cannot read {}: {} x {} is too large", path, width, height));
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(height * width * 3));
  const png_color white{255, 255, 255};
  if (!png_image_finish_read(&image, &white, bytes.data(), 0, nullptr)) fail("read", path, image);
  return weft::from_vector(std::move(bytes), {height, width, 3});
}

void write_png(const std::string& path, const weft::Tensor& picture) {
  if (picture.rank() != 3 || picture.shape()[2] != 3)
    throw std::runtime_error(fmt::format("cannot write {}: the shape is {}, not [height, width, 3]",
                                         path, weft::to_string(picture.shape())));
  Image image;
  image.format = PNG_FORMAT_RGB;
  image.height = static_cast<png_uint_32>(picture.shape()[0]);
  image.width = static_cast<png_uint_32>(picture.shape()[1]);
  if (!png_image_write_to_file(&image, path.c_str(), 0, picture.data<std::uint8_t>(), 0, nullptr))
    fail("write", path, image);
}
