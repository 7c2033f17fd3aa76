// SPDX-License-Identifier: Apache-2.0
// depth_to_space: what it refuses, and which reshapes and transposes it is.
#include <weft/ops/rearrange/depth_to_space.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/graph/op.h>
#include <weft/ops/shape/reshape.h>
#include <weft/ops/shape/transpose.h>

namespace weft {
namespace detail {

std::int64_t check_block(std::string_view op, std::string_view parameter, const Ints& values,
                         std::size_t i) {
  if (values.exceeds_int64(i))
    throw OverflowError(fmt::format("{}: {} {} is beyond int64", op, parameter, values.text(i)));
  if (values[i] < 1)
    throw ShapeError(
        fmt::format("{}: {} {} is given, expected 1 or more", op, parameter, values[i]));
  return values[i];
}

bool is_blocks_first(std::string_view op, const std::string& mode) {
  if (mode != "blocks_first" && mode != "depth_first")
    throw ParameterError(
        "bad_mode",
        fmt::format("{}: mode is \"{}\", expected \"blocks_first\" or \"depth_first\"", op, mode));
  return mode == "blocks_first";
}

void check_has_spatial_axes(std::string_view op, const Tensor& x) {
  if (x.rank() < 3)
    throw ParameterError(
        "bad_rank", fmt::format("{}: x has rank {}, expected at least 3 (shape {})", op, x.rank(),
                                to_string(x.shape())));
}

std::int64_t check_product(std::string_view op, std::int64_t extent, std::int64_t block,
                           const Tensor& x) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(extent, block, &product))
    throw OverflowError(fmt::format("{}: extent {} times {} is beyond int64 (shape {})", op, extent,
                                    block, to_string(x.shape())));
  return product;
}

std::int64_t check_quotient(std::string_view op, std::int64_t extent, std::size_t axis,
                            std::int64_t block, const Tensor& x) {
  if (extent % block != 0)
    throw ShapeError(fmt::format("{}: extent {} of axis {}, expected a multiple of {} (shape {})",
                                 op, extent, axis, block, to_string(x.shape())));
  return extent / block;
}

Dim quotient(const Dim& extent, std::int64_t by) {
  if (by == 1) return extent;
  const bool is_bounded = extent.high() != Dim::unbounded;
  return Dim(extent.low() / by, is_bounded ? extent.high() / by : Dim::unbounded);
}

}  // namespace detail

namespace {

constexpr std::size_t channels = 1, first_spatial = 2;

PartialShape infer(const Arguments& arguments) {
  PartialShape shape = arguments.operands[0].partial_shape();
  const Ints& block = arguments.ints(0);
  if (!shape.has_rank()) return shape;
  const std::int64_t by =
      block.is_open() ? 0 : detail::check_block("depth_to_space", "block", block);
  const auto is_zero = [](const Dim& dim) { return dim.high() == 0; };
  if (block.is_open()) shape[channels] = Dim(0, shape[channels].high());
  for (std::size_t axis = first_spatial; axis < shape.rank(); ++axis) {
    if (!block.is_open()) {
      shape[channels] = detail::quotient(shape[channels], by);
      shape[axis] = shape[axis] * by;
    } else if (!is_zero(shape[axis])) {
      shape[axis] = Dim(shape[axis].low(), Dim::unbounded);
    }
  }
  return shape;
}

/// Spreads the channels over `count` spatial axes from `first` on. Everything else is three axes:
/// what stands before the blocks, what stands between them and the spatial axes, and what follows.
Tensor spread(const Tensor& x, std::int64_t block, bool blocks_first, std::size_t first,
              std::size_t count) {
  Shape shape = x.shape();
  std::int64_t before = shape[0], between = 1, after = 1;
  for (std::size_t i = 0; i < count; ++i) shape[channels] /= block;
  (blocks_first ? between : before) *= shape[channels];
  for (std::size_t axis = first_spatial; axis < first; ++axis) between *= shape[axis];
  for (std::size_t axis = first + count; axis < shape.size(); ++axis) after *= shape[axis];

  Shape cut{before};
  Index order{0, static_cast<std::int64_t>(count) + 1};
  for (std::size_t i = 0; i < count; ++i) cut.push_back(block);
  cut.push_back(between);
  for (std::size_t i = 0; i < count; ++i) {
    cut.push_back(shape[first + i]);
    shape[first + i] *= block;
    order.push_back(static_cast<std::int64_t>(count + 2 + i));
    order.push_back(static_cast<std::int64_t>(i + 1));
  }
  cut.push_back(after);
  order.push_back(static_cast<std::int64_t>(2 * count + 2));
  return x.reshape(cut).transpose(order).reshape(shape);
}

}  // namespace

const Op depth_to_space_op{"depth_to_space",           {"x"}, {"block", "mode"},
                           call<weft::depth_to_space>, infer, {"mode"}};

Tensor depth_to_space(const Tensor& x, const Ints& block, const std::string& mode) {
  constexpr std::string_view name = "depth_to_space";
  if (is_any_open(depth_to_space_op, x, block))
    return defer(depth_to_space_op, {{x}, {block, mode}});
  detail::check_has_spatial_axes(name, x);
  check_single(name, "block", block);
  const bool blocks_first = detail::is_blocks_first(name, mode);
  const std::int64_t by = detail::check_block(name, "block", block);
  const std::size_t count = x.rank() - first_spatial;
  Shape shape = x.shape();
  for (std::size_t axis = first_spatial; axis < x.rank(); ++axis)
    shape[axis] = detail::check_product(name, shape[axis], by, x);
  for (std::size_t i = 0; i < count; ++i) {
    if (shape[channels] % by != 0)
      throw ShapeError(
          fmt::format("{}: extent {} of axis 1, expected a multiple of {}^{} (shape {})", name,
                      x.shape()[channels], by, count, to_string(x.shape())));
    shape[channels] /= by;
  }
  if (x.size() == 0) return x.reshape(shape);  // products of the other extents may pass int64

  // The blocks that stand outermost among the channels go first: those of the first spatial axes
  // in front, those of the last at the back.
  Tensor result = x;
  for (std::size_t done = 0; done < count;) {
    const std::size_t now = std::min(count - done, detail::most_cut_at_once);
    const std::size_t first = blocks_first ? done : count - done - now;
    result = spread(result, by, blocks_first, first_spatial + first, now);
    done += now;
  }
  return result;
}

Tensor Tensor::depth_to_space(const Ints& block, const std::string& mode) const {
  return weft::depth_to_space(*this, block, mode);
}

}  // namespace weft
