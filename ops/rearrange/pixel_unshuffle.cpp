// SPDX-License-Identifier: Apache-2.0
// pixel_unshuffle: what it refuses, and which reshapes and transposes it is.
#include <weft/ops/rearrange/pixel_unshuffle.h>

#include <fmt/format.h>

#include <weft/graph/op.h>
#include <weft/ops/rearrange/depth_to_space.h>
#include <weft/ops/shape/reshape.h>
#include <weft/ops/shape/transpose.h>

namespace weft {
namespace {

PartialShape infer(const Arguments& arguments) {
  PartialShape shape = arguments.operands[0].partial_shape();
  const Ints& factor = arguments.ints(0);
  if (!shape.has_rank()) return shape;
  const std::size_t height = shape.rank() - 2, width = height + 1;
  Dim& channels = shape[height - 1];
  if (factor.is_open()) {
    if (channels.high() != 0) channels = Dim(channels.low(), Dim::unbounded);
    for (const std::size_t axis : {height, width}) shape[axis] = Dim(0, shape[axis].high());
    return shape;
  }
  const std::int64_t by = detail::check_block("pixel_unshuffle", "factor", factor);
  channels = channels * by * by;
  for (const std::size_t axis : {height, width}) shape[axis] = detail::quotient(shape[axis], by);
  return shape;
}

}  // namespace

const Op pixel_unshuffle_op{
    "pixel_unshuffle", {"x"}, {"factor"}, call<weft::pixel_unshuffle>, infer};

Tensor pixel_unshuffle(const Tensor& x, const Ints& factor) {
  constexpr std::string_view name = "pixel_unshuffle";
  if (is_any_open(pixel_unshuffle_op, x, factor)) return defer(pixel_unshuffle_op, {{x}, {factor}});
  detail::check_has_spatial_axes(name, x);
  check_single(name, "factor", factor);
  const std::int64_t by = detail::check_block(name, "factor", factor);
  const std::size_t height = x.rank() - 2, width = height + 1, channels = height - 1;
  Shape shape = x.shape();
  for (int i = 0; i < 2; ++i) shape[channels] = detail::check_product(name, shape[channels], by, x);
  for (const std::size_t axis : {height, width})
    shape[axis] = detail::check_quotient(name, shape[axis], axis, by, x);
  if (x.size() == 0) return x.reshape(shape);  // products of the other extents may pass int64
  const std::int64_t h = shape[height], w = shape[width];
  return x.reshape({x.size() / (h * by * w * by), h, by, w, by})
      .transpose({0, 2, 4, 1, 3})
      .reshape(shape);
}

Tensor Tensor::pixel_unshuffle(const Ints& factor) const {
  return weft::pixel_unshuffle(*this, factor);
}

}  // namespace weft
