// SPDX-License-Identifier: Apache-2.0
// window_partition: what it refuses, and which reshapes and transposes it is.
#include <weft/ops/rearrange/window_partition.h>

#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/ops/rearrange/depth_to_space.h>
#include <weft/ops/shape/reshape.h>
#include <weft/ops/shape/transpose.h>

namespace weft {
namespace detail {

std::optional<std::array<std::int64_t, 2>> check_window(std::string_view op, const Ints& window) {
  check_integer(op, "window", window);
  check_scalar_or_list(op, "window", window);
  const std::int64_t length = known_length(window);
  if (length >= 0 && length != 1 && length != 2)
    throw ParameterError("length_mismatch",
                         fmt::format("{}: window {} has {} entries, expected one or two", op,
                                     window.text(), length));
  if (window.is_open()) return std::nullopt;
  return std::array{check_block(op, "window", window),
                    check_block(op, "window", window, window.size() - 1)};
}

void check_has_four_axes(std::string_view op, std::string_view axes, const KnownType& x) {
  if (x.shape.has_rank() && x.shape.rank() != 4)
    throw ParameterError("bad_rank", fmt::format("{}: x has rank {}, expected 4, {} (shape {})", op,
                                                 x.shape.rank(), axes, to_string(x.shape)));
}

}  // namespace detail

namespace {

struct WindowPartition {
  static constexpr std::string_view name = "window_partition";
  static constexpr const Op& op = window_partition_op;
  static constexpr std::tuple fields{
      operand("x", "images, of shape [B, H, W, C]"),
      parameter("window", "its height and width, or one number for both")};

  static KnownType infer(const KnownType& x, const Ints& window) {
    detail::check_has_four_axes(name, "[B, H, W, C]", x);
    const auto parts = detail::check_window(name, window);
    const Extent at_least_one(1, Dim::unbounded);
    KnownType result{x.dtype, Extents::of_rank(4)};
    for (std::size_t k = 0; k < 2; ++k)
      result.shape.set(k + 1, parts ? Extent((*parts)[k]) : at_least_one);
    if (!x.shape.has_rank()) return result;
    result.shape.set(3, x.shape[3]);
    if (!parts) return result;
    const auto [height, width] = *parts;
    const Extent rows = x.shape[1] / height, columns = x.shape[2] / width;
    result.shape.set(0, count_of(count_of(x.shape[0], rows, x.shape), columns, x.shape));
    const auto is_cut = [](const Extent& extent, std::int64_t by) {
      return extent.is_known() && extent.low % by != 0;
    };
    if (is_cut(x.shape[1], height) || is_cut(x.shape[2], width))
      throw ShapeError(fmt::format(
          "{}: windows of {} x {} do not cover {} x {} (shape {}, read as [B, H, W, C])", name,
          height, width, to_string(x.shape[1]), to_string(x.shape[2]), to_string(x.shape)));
    return result;
  }

  static Extent count_of(const Extent& images, const Extent& windows, const Extents& shape) {
    if (windows.is_known()) return detail::check_product(name, images, windows.low, shape);
    return images * windows;
  }

  static Tensor make(const TensorType& type, const Tensor& x, const Ints&) {
    const Shape& shape = x.shape();
    const std::int64_t height = type.shape[1], width = type.shape[2];
    return x.reshape({shape[0], shape[1] / height, height, shape[2] / width, width, shape[3]})
        .transpose({0, 1, 3, 2, 4, 5})
        .reshape(type.shape);
  }
};

}  // namespace

constinit const Op window_partition_op = op_of<WindowPartition>();

Tensor window_partition(const Tensor& x, const Ints& window) {
  return build<WindowPartition>(x, window);
}

Tensor Tensor::window_partition(const Ints& window) const {
  return weft::window_partition(*this, window);
}

}  // namespace weft
