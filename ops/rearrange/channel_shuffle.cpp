// SPDX-License-Identifier: Apache-2.0
// channel_shuffle: what it refuses, and which reshapes and transposes it is.
#include <weft/ops/rearrange/channel_shuffle.h>

#include <fmt/format.h>

#include <weft/graph/op.h>
#include <weft/ops/shape/reshape.h>
#include <weft/ops/shape/transpose.h>

namespace weft {

const Op channel_shuffle_op{
    "channel_shuffle", {"x"}, {"groups", "axis"}, call<weft::channel_shuffle>, first_shape};

Tensor channel_shuffle(const Tensor& x, const Ints& groups, const Ints& axis) {
  if (is_any_open(channel_shuffle_op, x, groups, axis))
    return defer(channel_shuffle_op, {{x}, {groups, axis}});
  const std::int64_t count = check_single("channel_shuffle", "groups", groups);
  check_single("channel_shuffle", "axis", axis);
  const std::size_t at = check_axis("channel_shuffle", axis, 0, x.shape());
  const std::int64_t extent = x.shape()[at];
  if (count < 1 || extent % count != 0)
    throw ShapeError(fmt::format(
        "channel_shuffle: groups is {}, expected a divisor of {}, the extent of axis {} "
        "(shape {})",
        groups.text(), extent, at, to_string(x.shape())));
  if (x.size() == 0) return x;  // products of the other extents may pass int64
  std::int64_t before = 1;
  for (std::size_t k = 0; k < at; ++k) before *= x.shape()[k];
  return x.reshape({before, count, extent / count, x.size() / (before * extent)})
      .transpose({0, 2, 1, 3})
      .reshape(x.shape());
}

Tensor Tensor::channel_shuffle(const Ints& groups, const Ints& axis) const {
  return weft::channel_shuffle(*this, groups, axis);
}

}  // namespace weft
