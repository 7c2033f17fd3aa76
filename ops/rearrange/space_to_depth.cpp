// SPDX-License-Identifier: Apache-2.0
// space_to_depth: what it refuses, and which reshapes and transposes it is.
#include <weft/ops/rearrange/space_to_depth.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/graph/op.h>
#include <weft/ops/rearrange/depth_to_space.h>
#include <weft/ops/shape/reshape.h>
#include <weft/ops/shape/transpose.h>

namespace weft {
namespace {

constexpr std::size_t channels = 1, first_spatial = 2;

PartialShape infer(const Arguments& arguments) {
  PartialShape shape = arguments.operands[0].partial_shape();
  const Ints& block = arguments.ints(0);
  if (!shape.has_rank()) return shape;
  const std::int64_t by =
      block.is_open() ? 0 : detail::check_block("space_to_depth", "block", block);
  const bool has_channels = shape[channels].high() != 0;
  if (block.is_open() && has_channels) shape[channels] = Dim(shape[channels].low(), Dim::unbounded);
  for (std::size_t axis = first_spatial; axis < shape.rank(); ++axis) {
    if (block.is_open()) {
      shape[axis] = Dim(0, shape[axis].high());
    } else {
      shape[channels] = shape[channels] * by;
      shape[axis] = detail::quotient(shape[axis], by);
    }
  }
  return shape;
}

/// Stacks blocks of `count` spatial axes from `first` on. Everything else is three axes: what will
/// stand before the blocks, what between them and the spatial axes, and what follows.
Tensor stack(const Tensor& x, std::int64_t block, bool blocks_first, std::size_t first,
             std::size_t count) {
  Shape shape = x.shape();
  std::int64_t before = shape[0], between = 1, after = 1;
  (blocks_first ? between : before) *= shape[channels];
  for (std::size_t axis = first_spatial; axis < first; ++axis) between *= shape[axis];
  for (std::size_t axis = first + count; axis < shape.size(); ++axis) after *= shape[axis];

  Shape cut{before, between};
  Index order{0};
  for (std::size_t i = 0; i < count; ++i) {
    shape[channels] *= block;
    shape[first + i] /= block;
    cut.push_back(shape[first + i]);
    cut.push_back(block);
    order.push_back(static_cast<std::int64_t>(2 * i + 3));
  }
  cut.push_back(after);
  order.push_back(1);
  for (std::size_t i = 0; i < count; ++i) order.push_back(static_cast<std::int64_t>(2 * i + 2));
  order.push_back(static_cast<std::int64_t>(2 * count + 2));
  return x.reshape(cut).transpose(order).reshape(shape);
}

}  // namespace

const Op space_to_depth_op{"space_to_depth",           {"x"}, {"block", "mode"},
                           call<weft::space_to_depth>, infer, {"mode"}};

Tensor space_to_depth(const Tensor& x, const Ints& block, const std::string& mode) {
  constexpr std::string_view name = "space_to_depth";
  if (is_any_open(space_to_depth_op, x, block))
    return defer(space_to_depth_op, {{x}, {block, mode}});
  detail::check_has_spatial_axes(name, x);
  check_single(name, "block", block);
  const bool blocks_first = detail::is_blocks_first(name, mode);
  const std::int64_t by = detail::check_block(name, "block", block);
  const std::size_t count = x.rank() - first_spatial;
  Shape shape = x.shape();
  for (std::size_t i = 0; i < count; ++i)
    shape[channels] = detail::check_product(name, shape[channels], by, x);
  for (std::size_t axis = first_spatial; axis < x.rank(); ++axis)
    shape[axis] = detail::check_quotient(name, shape[axis], axis, by, x);
  if (x.size() == 0) return x.reshape(shape);  // products of the other extents may pass int64

  // The blocks that stand innermost among the channels go first: in front of them those of the
  // last spatial axes, behind them those of the first.
  Tensor result = x;
  for (std::size_t done = 0; done < count;) {
    const std::size_t now = std::min(count - done, detail::most_cut_at_once);
    const std::size_t first = blocks_first ? count - done - now : done;
    result = stack(result, by, blocks_first, first_spatial + first, now);
    done += now;
  }
  return result;
}

Tensor Tensor::space_to_depth(const Ints& block, const std::string& mode) const {
  return weft::space_to_depth(*this, block, mode);
}

}  // namespace weft
