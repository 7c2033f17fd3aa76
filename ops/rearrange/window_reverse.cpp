// SPDX-License-Identifier: Apache-2.0
// window_reverse: what it refuses, and which reshapes and transposes it is.
#include <weft/ops/rearrange/window_reverse.h>

#include <fmt/format.h>

#include <weft/graph/op.h>
#include <weft/ops/rearrange/depth_to_space.h>
#include <weft/ops/rearrange/window_partition.h>
#include <weft/ops/shape/reshape.h>
#include <weft/ops/shape/transpose.h>

namespace weft {
namespace {

constexpr std::string_view name = "window_reverse";

/// How images of `height` x `width` are made of `rows` x `columns` windows of `window`.
struct Layout {
  std::array<std::int64_t, 2> window;
  std::int64_t height, width, rows, columns;
};

Layout check_layout(const Ints& window, const Ints& shape) {
  check_integer(name, "window", window);
  check_integer(name, "shape", shape);
  check_scalar_or_list(name, "window", window);
  check_list(name, "shape", shape);
  if (shape.size() != 2)
    throw ParameterError("length_mismatch",
                         fmt::format("{}: shape {} has {} entries, expected two, [H, W]", name,
                                     shape.text(), shape.size()));
  const auto parts = detail::check_window(name, window);
  const Shape extents = check_extents(name, shape);
  for (std::size_t i = 0; i < 2; ++i)
    if (extents[i] == 0 || extents[i] % parts[i] != 0)
      throw ShapeError(fmt::format("{}: extent {} in shape {}, expected a multiple of {} above 0",
                                   name, extents[i], shape.text(), parts[i]));
  return {parts, extents[0], extents[1], extents[0] / parts[0], extents[1] / parts[1]};
}

/// Of rank 4, also where that of x is not known.
PartialShape infer(const Arguments& arguments) {
  const PartialShape x = arguments.operands[0].partial_shape();
  const Ints &window = arguments.ints(0), &shape = arguments.ints(1);
  const Dim at_least_one(1, Dim::unbounded);
  PartialShape result{x.has_rank() ? Dim(0, x[0].high()) : Dim(), at_least_one, at_least_one,
                      x.has_rank() ? x[3] : Dim()};
  if (shape.is_open()) return result;
  if (shape.size() == 2) {
    const Shape extents = check_extents(name, shape);
    result[1] = extents[0];
    result[2] = extents[1];
  }
  if (window.is_open()) return result;
  const Layout layout = check_layout(window, shape);
  if (x.has_rank())
    result[0] = detail::quotient(detail::quotient(x[0], layout.rows), layout.columns);
  return result;
}

}  // namespace

const Op window_reverse_op{
    "window_reverse", {"x"}, {"window", "shape"}, call<weft::window_reverse>, infer};

Tensor window_reverse(const Tensor& x, const Ints& window, const Ints& shape) {
  if (is_any_open(window_reverse_op, x, window, shape))
    return defer(window_reverse_op, {{x}, {window, shape}});
  detail::check_has_four_axes(name, "[windows, w0, w1, C]", x);
  const auto [parts, height, width, rows, columns] = check_layout(window, shape);
  const Shape& given = x.shape();
  if (given[1] != parts[0] || given[2] != parts[1])
    throw ShapeError(fmt::format("{}: windows are {} x {}, expected {} x {} (shape {})", name,
                                 given[1], given[2], parts[0], parts[1], to_string(given)));
  if (given[0] % rows != 0 || given[0] / rows % columns != 0)
    throw ShapeError(fmt::format("{}: {} windows, expected a multiple of {} x {} (shape {})", name,
                                 given[0], rows, columns, to_string(given)));
  const std::int64_t images = given[0] / rows / columns;
  return x.reshape({images, rows, columns, parts[0], parts[1], given[3]})
      .transpose({0, 1, 3, 2, 4, 5})
      .reshape({images, height, width, given[3]});
}

Tensor Tensor::window_reverse(const Ints& window, const Ints& shape) const {
  return weft::window_reverse(*this, window, shape);
}

}  // namespace weft
