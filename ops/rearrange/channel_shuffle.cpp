// SPDX-License-Identifier: Apache-2.0
// channel_shuffle: what it refuses, and which reshapes and transposes it is.
#include <weft/ops/rearrange/channel_shuffle.h>

#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/ops/shape/reshape.h>
#include <weft/ops/shape/transpose.h>

namespace weft {
namespace {

struct ChannelShuffle {
  static constexpr std::string_view name = "channel_shuffle";
  static constexpr const Op& op = channel_shuffle_op;
  static constexpr std::tuple fields{
      operand("x", "whose positions are dealt out"),
      parameter("groups", "how many groups; a divisor of the extent"),
      parameter("axis", "the axis that counts the positions", 1)};

  static KnownType infer(const KnownType& x, const Ints& groups, const Ints& axis) {
    const std::optional<std::int64_t> count = check_one(name, "groups", groups);
    if (!check_one(name, "axis", axis) || !x.shape.has_rank()) return x;
    const std::size_t at = check_axis(name, axis, 0, x.shape);
    const Extent& extent = x.shape[at];
    if (count && (*count < 1 || (extent.is_known() && extent.low % *count != 0)))
      throw ShapeError(fmt::format(
          "channel_shuffle: groups is {}, expected a divisor of {}, the extent of axis {} "
          "(shape {})",
          groups.text(), to_string(extent), at, to_string(x.shape)));
    return x;
  }

  static Tensor make(const TensorType& type, const Tensor& x, const Ints& groups,
                     const Ints& axis) {
    if (x.size() == 0) return x;  // products of the other extents may pass int64
    const std::size_t at = check_axis(name, axis, 0, type.shape);
    const std::int64_t extent = type.shape[at], count = groups[0];
    std::int64_t before = 1;
    for (std::size_t k = 0; k < at; ++k) before *= type.shape[k];
    return x.reshape({before, count, extent / count, x.size() / (before * extent)})
        .transpose({0, 2, 1, 3})
        .reshape(type.shape);
  }
};

}  // namespace

constinit const Op channel_shuffle_op = op_of<ChannelShuffle>();

Tensor channel_shuffle(const Tensor& x, const Ints& groups, const Ints& axis) {
  return build<ChannelShuffle>(x, groups, axis);
}

Tensor Tensor::channel_shuffle(const Ints& groups, const Ints& axis) const {
  return weft::channel_shuffle(*this, groups, axis);
}

}  // namespace weft
