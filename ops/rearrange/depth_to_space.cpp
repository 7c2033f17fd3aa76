// SPDX-License-Identifier: Apache-2.0
// depth_to_space: what it refuses, and which reshapes and transposes it is.
#include <weft/ops/rearrange/depth_to_space.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/graph/define.h>
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

void check_has_spatial_axes(std::string_view op, const KnownType& x) {
  if (x.shape.has_rank() && x.shape.rank() < 3)
    throw ParameterError("bad_rank",
                         fmt::format("{}: x has rank {}, expected at least 3 (shape {})", op,
                                     x.shape.rank(), to_string(x.shape)));
}

Extent check_product(std::string_view op, const Extent& extent, std::optional<std::int64_t> block,
                     const Extents& shape) {
  if (!block) return extent.is(0) ? extent : Extent(extent.low, Dim::unbounded);
  std::int64_t lowest = 0;
  if (__builtin_mul_overflow(extent.low, *block, &lowest))
    throw OverflowError(fmt::format("{}: extent {} times {} is beyond int64 (shape {})", op,
                                    to_string(extent), *block, to_string(shape)));
  return extent * *block;
}

Extent check_quotient(std::string_view op, const Extents& shape, std::size_t axis,
                      std::optional<std::int64_t> block) {
  const Extent& extent = shape[axis];
  if (!block) return {0, extent.high};
  if (extent.is_known() && extent.low % *block != 0)
    throw ShapeError(fmt::format("{}: extent {} of axis {}, expected a multiple of {} (shape {})",
                                 op, extent.low, axis, *block, to_string(shape)));
  return extent / *block;
}

std::optional<std::int64_t> check_one_block(std::string_view op, std::string_view parameter,
                                            const Ints& block) {
  const std::optional<std::int64_t> given = check_one(op, parameter, block);
  return given ? std::optional(check_block(op, parameter, block)) : given;
}

}  // namespace detail

namespace {

constexpr std::size_t channels = 1, first_spatial = 2;

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

struct DepthToSpace {
  static constexpr std::string_view name = "depth_to_space";
  static constexpr const Op& op = depth_to_space_op;
  static constexpr std::tuple fields{
      operand("x", "whose channels are spread, of shape [N, C, D0, D1, ...]"),
      parameter("block", "the extent of a block on each spatial axis"),
      parameter("mode", "whether channels are counted blocks_first or depth_first",
                "blocks_first")};

  static KnownType infer(const KnownType& x, const Ints& block, const std::string& mode) {
    detail::check_has_spatial_axes(name, x);
    check_one(name, "block", block);
    detail::is_blocks_first(name, mode);
    const std::optional<std::int64_t> by = detail::check_one_block(name, "block", block);
    if (!x.shape.has_rank()) return x;
    KnownType result = x;
    const std::size_t count = x.shape.rank() - first_spatial;
    for (std::size_t axis = first_spatial; axis < x.shape.rank(); ++axis)
      result.shape.set(axis, detail::check_product(name, x.shape[axis], by, x.shape));
    Extent left = x.shape[channels];
    if (!by) left = {0, left.high};
    for (std::size_t i = 0; i < count && by; ++i) {
      if (left.is_known() && left.low % *by != 0)
        throw ShapeError(
            fmt::format("{}: extent {} of axis 1, expected a multiple of {}^{} (shape {})", name,
                        to_string(x.shape[channels]), *by, count, to_string(x.shape)));
      left = left / *by;
    }
    result.shape.set(channels, left);
    return result;
  }

  static Tensor make(const TensorType& type, const Tensor& x, const Ints& block,
                     const std::string& mode) {
    if (x.size() == 0) return x.reshape(type.shape);  // products of the others may pass int64
    // The blocks that stand outermost among the channels go first: those of the first spatial axes
    // in front, those of the last at the back.
    const bool blocks_first = detail::is_blocks_first(name, mode);
    const std::size_t count = x.rank() - first_spatial;
    Tensor result = x;
    for (std::size_t done = 0; done < count;) {
      const std::size_t now = std::min(count - done, detail::most_cut_at_once);
      const std::size_t first = blocks_first ? done : count - done - now;
      result = spread(result, block[0], blocks_first, first_spatial + first, now);
      done += now;
    }
    return result;
  }
};

}  // namespace

constinit const Op depth_to_space_op = op_of<DepthToSpace>();

Tensor depth_to_space(const Tensor& x, const Ints& block, const std::string& mode) {
  return build<DepthToSpace>(x, block, mode);
}

Tensor Tensor::depth_to_space(const Ints& block, const std::string& mode) const {
  return weft::depth_to_space(*this, block, mode);
}

}  // namespace weft
