// SPDX-License-Identifier: Apache-2.0
// space_to_depth: what it refuses, and which reshapes and transposes it is.
#include <weft/ops/rearrange/space_to_depth.h>

#include <algorithm>

#include <weft/graph/define.h>
#include <weft/ops/rearrange/depth_to_space.h>
#include <weft/ops/shape/reshape.h>
#include <weft/ops/shape/transpose.h>

namespace weft {
namespace {

constexpr std::size_t channels = 1, first_spatial = 2;

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

struct SpaceToDepth {
  static constexpr std::string_view name = "space_to_depth";
  static constexpr const Op& op = space_to_depth_op;
  static constexpr std::tuple fields{
      operand("x", "whose blocks are stacked, of shape [N, C, D0, D1, ...]"),
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
    Extent stacked = x.shape[channels];
    for (std::size_t axis = first_spatial; axis < x.shape.rank(); ++axis)
      stacked = detail::check_product(name, stacked, by, x.shape);
    result.shape.set(channels, stacked);
    for (std::size_t axis = first_spatial; axis < x.shape.rank(); ++axis)
      result.shape.set(axis, detail::check_quotient(name, x.shape, axis, by));
    return result;
  }

  static Tensor make(const TensorType& type, const Tensor& x, const Ints& block,
                     const std::string& mode) {
    if (x.size() == 0) return x.reshape(type.shape);  // products of the others may pass int64
    // The blocks that stand innermost among the channels go first: in front of them those of the
    // last spatial axes, behind them those of the first.
    const bool blocks_first = detail::is_blocks_first(name, mode);
    const std::size_t count = x.rank() - first_spatial;
    Tensor result = x;
    for (std::size_t done = 0; done < count;) {
      const std::size_t now = std::min(count - done, detail::most_cut_at_once);
      const std::size_t first = blocks_first ? count - done - now : done;
      result = stack(result, block[0], blocks_first, first_spatial + first, now);
      done += now;
    }
    return result;
  }
};

}  // namespace

constinit const Op space_to_depth_op = op_of<SpaceToDepth>();

Tensor space_to_depth(const Tensor& x, const Ints& block, const std::string& mode) {
  return build<SpaceToDepth>(x, block, mode);
}

Tensor Tensor::space_to_depth(const Ints& block, const std::string& mode) const {
  return weft::space_to_depth(*this, block, mode);
}

}  // namespace weft
