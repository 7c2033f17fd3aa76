// SPDX-License-Identifier: Apache-2.0
// window_reverse: what it refuses, and which reshapes and transposes it is.
#include <weft/ops/rearrange/window_reverse.h>

#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/ops/rearrange/depth_to_space.h>
#include <weft/ops/rearrange/window_partition.h>
#include <weft/ops/shape/reshape.h>
#include <weft/ops/shape/transpose.h>

namespace weft {
namespace {

struct WindowReverse {
  static constexpr std::string_view name = "window_reverse";
  static constexpr const Op& op = window_reverse_op;
  static constexpr std::tuple fields{
      operand("x", "windows, of shape [windows, w0, w1, C]"),
      parameter("window", "its height and width, or one number for both"),
      parameter("shape", "the height and width of an image")};

  static KnownType infer(const KnownType& x, const Ints& window, const Ints& shape) {
    detail::check_has_four_axes(name, "[windows, w0, w1, C]", x);
    check_integer(name, "window", window);
    check_integer(name, "shape", shape);
    check_scalar_or_list(name, "window", window);
    check_list(name, "shape", shape);
    const std::int64_t length = known_length(shape);
    if (length >= 0 && length != 2)
      throw ParameterError("length_mismatch",
                           fmt::format("{}: shape {} has {} entries, expected two, [H, W]", name,
                                       shape.text(), length));
    const auto parts = detail::check_window(name, window);
    const Extent at_least_one(1, Dim::unbounded);
    KnownType result{x.dtype, Extents::of_rank(4)};
    for (const std::size_t axis : {1, 2}) result.shape.set(axis, at_least_one);
    if (x.shape.has_rank()) {
      result.shape.set(0, Extent(0, x.shape[0].high));
      result.shape.set(3, x.shape[3]);
    }
    if (shape.is_open()) return result;
    const Shape extents = check_extents(name, shape);
    for (std::size_t i = 0; i < 2; ++i) {
      if (parts && (extents[i] == 0 || extents[i] % (*parts)[i] != 0))
        throw ShapeError(fmt::format("{}: extent {} in shape {}, expected a multiple of {} above 0",
                                     name, extents[i], shape.text(), (*parts)[i]));
      result.shape.set(i + 1, extents[i]);
    }
    if (!parts || !x.shape.has_rank()) return result;
    const std::int64_t rows = extents[0] / (*parts)[0], columns = extents[1] / (*parts)[1];
    const Extents& given = x.shape;
    if (!given[1].contains((*parts)[0]) || !given[2].contains((*parts)[1]))
      throw ShapeError(fmt::format("{}: windows are {} x {}, expected {} x {} (shape {})", name,
                                   to_string(given[1]), to_string(given[2]), (*parts)[0],
                                   (*parts)[1], to_string(given)));
    if (given[0].is_known() && (given[0].low % rows != 0 || given[0].low / rows % columns != 0))
      throw ShapeError(fmt::format("{}: {} windows, expected a multiple of {} x {} (shape {})",
                                   name, given[0].low, rows, columns, to_string(given)));
    result.shape.set(0, given[0] / rows / columns);
    return result;
  }

  static Tensor make(const TensorType& type, const Tensor& x, const Ints&, const Ints&) {
    const Shape &given = x.shape(), &made = type.shape;
    return x
        .reshape({made[0], made[1] / given[1], made[2] / given[2], given[1], given[2], given[3]})
        .transpose({0, 1, 3, 2, 4, 5})
        .reshape(made);
  }
};

}  // namespace

constinit const Op window_reverse_op = op_of<WindowReverse>();

Tensor window_reverse(const Tensor& x, const Ints& window, const Ints& shape) {
  return build<WindowReverse>(x, window, shape);
}

Tensor Tensor::window_reverse(const Ints& window, const Ints& shape) const {
  return weft::window_reverse(*this, window, shape);
}

}  // namespace weft
