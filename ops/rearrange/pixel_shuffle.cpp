// SPDX-License-Identifier: Apache-2.0
// pixel_shuffle: what it refuses, and which reshapes and transposes it is.
#include <weft/ops/rearrange/pixel_shuffle.h>

#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/ops/rearrange/depth_to_space.h>
#include <weft/ops/shape/reshape.h>
#include <weft/ops/shape/transpose.h>

namespace weft {
namespace {

struct PixelShuffle {
  static constexpr std::string_view name = "pixel_shuffle";
  static constexpr const Op& op = pixel_shuffle_op;
  static constexpr std::tuple fields{
      operand("x", "whose channels are spread, of shape [..., C, H, W]"),
      parameter("factor", "how often larger the image gets on both axes")};

  static KnownType infer(const KnownType& x, const Ints& factor) {
    detail::check_has_spatial_axes(name, x);
    const std::optional<std::int64_t> by = detail::check_one_block(name, "factor", factor);
    if (!x.shape.has_rank()) return x;
    const std::size_t height = x.shape.rank() - 2, width = height + 1, channels = height - 1;
    KnownType result = x;
    for (const std::size_t axis : {height, width})
      result.shape.set(axis, detail::check_product(name, x.shape[axis], by, x.shape));
    const Extent left = x.shape[channels];
    if (by && left.is_known() && (left.low % *by != 0 || left.low / *by % *by != 0))
      throw ShapeError(
          fmt::format("{}: extent {} of axis {}, expected a multiple of {}^2 (shape {})", name,
                      left.low, channels, *by, to_string(x.shape)));
    result.shape.set(channels, by ? left / *by / *by : Extent(0, left.high));
    return result;
  }

  static Tensor make(const TensorType& type, const Tensor& x, const Ints& factor) {
    if (x.size() == 0) return x.reshape(type.shape);  // products of the others may pass int64
    const std::int64_t h = x.shape()[x.rank() - 2], w = x.shape()[x.rank() - 1], by = factor[0];
    return x.reshape({x.size() / (by * by * h * w), by, by, h, w})
        .transpose({0, 3, 1, 4, 2})
        .reshape(type.shape);
  }
};

}  // namespace

constinit const Op pixel_shuffle_op = op_of<PixelShuffle>();

Tensor pixel_shuffle(const Tensor& x, const Ints& factor) { return build<PixelShuffle>(x, factor); }

Tensor Tensor::pixel_shuffle(const Ints& factor) const {
  return weft::pixel_shuffle(*this, factor);
}

}  // namespace weft
