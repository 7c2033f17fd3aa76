// SPDX-License-Identifier: Apache-2.0
// pixel_shuffle: what it refuses, and which reshapes and transposes it is.
#include <weft/ops/rearrange/pixel_shuffle.h>

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
    channels = Dim(0, channels.high());
    for (const std::size_t axis : {height, width})
      if (shape[axis].high() != 0) shape[axis] = Dim(shape[axis].low(), Dim::unbounded);
    return shape;
  }
  const std::int64_t by = detail::check_block("pixel_shuffle", "factor", factor);
  channels = detail::quotient(detail::quotient(channels, by), by);
  for (const std::size_t axis : {height, width}) shape[axis] = shape[axis] * by;
  return shape;
}

}  // namespace

const Op pixel_shuffle_op{"pixel_shuffle", {"x"}, {"factor"}, call<weft::pixel_shuffle>, infer};

Tensor pixel_shuffle(const Tensor& x, const Ints& factor) {
  constexpr std::string_view name = "pixel_shuffle";
  if (is_any_open(pixel_shuffle_op, x, factor)) return defer(pixel_shuffle_op, {{x}, {factor}});
  detail::check_has_spatial_axes(name, x);
  check_single(name, "factor", factor);
  const std::int64_t by = detail::check_block(name, "factor", factor);
  const std::size_t height = x.rank() - 2, width = height + 1, channels = height - 1;
  Shape shape = x.shape();
  for (const std::size_t axis : {height, width})
    shape[axis] = detail::check_product(name, shape[axis], by, x);
  if (shape[channels] % by != 0 || shape[channels] / by % by != 0)
    throw ShapeError(fmt::format("{}: extent {} of axis {}, expected a multiple of {}^2 (shape {})",
                                 name, shape[channels], channels, by, to_string(x.shape())));
  shape[channels] = shape[channels] / by / by;
  if (x.size() == 0) return x.reshape(shape);  // products of the other extents may pass int64
  const std::int64_t h = x.shape()[height], w = x.shape()[width];
  return x.reshape({x.size() / (by * by * h * w), by, by, h, w})
      .transpose({0, 3, 1, 4, 2})
      .reshape(shape);
}

Tensor Tensor::pixel_shuffle(const Ints& factor) const {
  return weft::pixel_shuffle(*this, factor);
}

}  // namespace weft
