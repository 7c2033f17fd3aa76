// SPDX-License-Identifier: Apache-2.0
// pixel_unshuffle: what it refuses, and which reshapes and transposes it is.
#include <weft/ops/rearrange/pixel_unshuffle.h>

#include <weft/graph/define.h>
#include <weft/ops/rearrange/depth_to_space.h>
#include <weft/ops/shape/reshape.h>
#include <weft/ops/shape/transpose.h>

namespace weft {
namespace {

struct PixelUnshuffle {
  static constexpr std::string_view name = "pixel_unshuffle";
  static constexpr const Op& op = pixel_unshuffle_op;
  static constexpr std::tuple fields{
      operand("x", "whose blocks are stacked, of shape [..., C, H, W]"),
      parameter("factor", "how often smaller the image gets on both axes")};

  static KnownType infer(const KnownType& x, const Ints& factor) {
    detail::check_has_spatial_axes(name, x);
    const std::optional<std::int64_t> by = detail::check_one_block(name, "factor", factor);
    if (!x.shape.has_rank()) return x;
    const std::size_t height = x.shape.rank() - 2, width = height + 1;
    KnownType result = x;
    Extent stacked = x.shape[height - 1];
    for (int i = 0; i < 2; ++i) stacked = detail::check_product(name, stacked, by, x.shape);
    result.shape.set(height - 1, stacked);
    for (const std::size_t axis : {height, width})
      result.shape.set(axis, detail::check_quotient(name, x.shape, axis, by));
    return result;
  }

  static Tensor make(const TensorType& type, const Tensor& x, const Ints& factor) {
    if (x.size() == 0) return x.reshape(type.shape);  // products of the others may pass int64
    const std::int64_t h = type.shape[x.rank() - 2], w = type.shape[x.rank() - 1], by = factor[0];
    return x.reshape({x.size() / (h * by * w * by), h, by, w, by})
        .transpose({0, 2, 4, 1, 3})
        .reshape(type.shape);
  }
};

}  // namespace

constinit const Op pixel_unshuffle_op = op_of<PixelUnshuffle>();

Tensor pixel_unshuffle(const Tensor& x, const Ints& factor) {
  return build<PixelUnshuffle>(x, factor);
}

Tensor Tensor::pixel_unshuffle(const Ints& factor) const {
  return weft::pixel_unshuffle(*this, factor);
}

}  // namespace weft
