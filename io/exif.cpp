// SPDX-License-Identifier: Apache-2.0
// One entry of a TIFF directory. What is not as it should be tells nothing.
#include <weft/io/exif.h>

#include <cstdint>
#include <string_view>

#include <weft/graph/tensor.h>

namespace weft::detail {
namespace {

constexpr std::string_view exif_magic{"Exif\0\0", 6};
constexpr std::uint32_t orientation_tag = 0x0112, entry_bytes = 12;

/// Numbers of either byte order; 0 outside.
class Tiff {
 public:
  explicit Tiff(std::span<const std::byte> bytes) : bytes_(bytes) {
    is_big_ = !bytes.empty() && bytes[0] == std::byte{'M'};
  }
  std::uint32_t number(std::uint32_t at, std::uint32_t count) const {
    if (at > bytes_.size() || count > bytes_.size() - at) return 0;
    std::uint32_t value = 0;
    for (std::uint32_t k = 0; k < count; ++k)
      value =
          value << 8 | std::to_integer<std::uint32_t>(bytes_[at + (is_big_ ? k : count - 1 - k)]);
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
  bool is_big_;
};

}  // namespace

int exif_orientation(std::span<const std::byte> segment) {
  if (segment.size() < exif_magic.size() ||
      std::string_view(reinterpret_cast<const char*>(segment.data()), exif_magic.size()) !=
          exif_magic)
    return 1;
  const Tiff tiff(segment.subspan(exif_magic.size()));
  const std::uint32_t directory = tiff.number(4, 4);
  if (tiff.number(2, 2) != 42 || directory > segment.size()) return 1;
  const std::uint32_t entries = tiff.number(directory, 2);
  for (std::uint32_t k = 0; k < entries; ++k) {
    const std::uint32_t entry = directory + 2 + k * entry_bytes;
    if (tiff.number(entry, 2) != orientation_tag) continue;
    const std::uint32_t value = tiff.number(entry + 8, 2);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

Tensor turned_upright(const Tensor& picture, int orientation) {
  // 5 to 8 are 1 to 4 with rows as columns, the mirrored axes exchanged.
  const Tensor x = orientation > 4 ? picture.transpose({1, 0, 2}) : picture;
  switch (orientation) {
    case 2:
    case 6:
      return x.flip(1);
    case 3:
    case 7:
      return x.flip({0, 1});
    case 4:
    case 8:
      return x.flip(0);
    default:
      return x;
  }
}

}  // namespace weft::detail
