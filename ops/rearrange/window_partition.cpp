// SPDX-License-Identifier: Apache-2.0
// window_partition: what it refuses, and which reshapes and transposes it is.
#include <weft/ops/rearrange/window_partition.h>

#include <fmt/format.h>

#include <weft/graph/op.h>
#include <weft/ops/rearrange/depth_to_space.h>
#include <weft/ops/shape/reshape.h>
#include <weft/ops/shape/transpose.h>

namespace weft {
namespace detail {

std::array<std::int64_t, 2> check_window(std::string_view op, const Ints& window) {
  check_integer(op, "window", window);
  check_scalar_or_list(op, "window", window);
  if (window.size() != 1 && window.size() != 2)
    throw ParameterError("length_mismatch",
                         fmt::format("{}: window {} has {} entries, expected one or two", op,
                                     window.text(), window.size()));
  return {check_block(op, "window", window), check_block(op, "window", window, window.size() - 1)};
}

void check_has_four_axes(std::string_view op, std::string_view axes, const Tensor& x) {
  if (x.rank() != 4)
    throw ParameterError("bad_rank", fmt::format("{}: x has rank {}, expected 4, {} (shape {})", op,
                                                 x.rank(), axes, to_string(x.shape())));
}

}  // namespace detail

namespace {

/// The extents that two of these multiply to.
Dim product(const Dim& a, const Dim& b) {
  if (a.is_known() || b.is_known()) return a.is_known() ? b * a.low() : a * b.low();
  const bool is_bounded = b.high() != Dim::unbounded;
  return Dim((a * b.low()).low(), is_bounded ? (a * b.high()).high() : Dim::unbounded);
}

/// Of rank 4, also where that of x is not known.
PartialShape infer(const Arguments& arguments) {
  const PartialShape x = arguments.operands[0].partial_shape();
  const Ints& window = arguments.ints(0);
  const Dim at_least_one(1, Dim::unbounded);
  PartialShape shape{Dim(), at_least_one, at_least_one, x.has_rank() ? x[3] : Dim()};
  if (window.is_open()) return shape;
  const auto [height, width] = detail::check_window("window_partition", window);
  shape[1] = height;
  shape[2] = width;
  if (x.has_rank())
    shape[0] =
        product(product(x[0], detail::quotient(x[1], height)), detail::quotient(x[2], width));
  return shape;
}

}  // namespace

const Op window_partition_op{
    "window_partition", {"x"}, {"window"}, call<weft::window_partition>, infer};

Tensor window_partition(const Tensor& x, const Ints& window) {
  constexpr std::string_view name = "window_partition";
  if (is_any_open(window_partition_op, x, window))
    return defer(window_partition_op, {{x}, {window}});
  detail::check_has_four_axes(name, "[B, H, W, C]", x);
  const auto [height, width] = detail::check_window(name, window);
  const Shape& shape = x.shape();
  const std::int64_t rows = shape[1] / height, columns = shape[2] / width;
  const std::int64_t count =
      detail::check_product(name, detail::check_product(name, shape[0], rows, x), columns, x);
  if (shape[1] % height != 0 || shape[2] % width != 0)
    throw ShapeError(
        fmt::format("{}: windows of {} x {} do not cover {} x {} (shape {}, read as [B, H, W, C])",
                    name, height, width, shape[1], shape[2], to_string(shape)));
  return x.reshape({shape[0], rows, height, columns, width, shape[3]})
      .transpose({0, 1, 3, 2, 4, 5})
      .reshape({count, height, width, shape[3]});
}

Tensor Tensor::window_partition(const Ints& window) const {
  return weft::window_partition(*this, window);
}

}  // namespace weft
