// SPDX-License-Identifier: Apache-2.0
// unstack: what it refuses, and the slices it is.
#include <weft/ops/pick/unstack.h>

#include <fmt/format.h>

#include <weft/graph/value/partial_shape.h>
#include <weft/ops/pick/slice.h>
#include <weft/ops/pick/split.h>
#include <weft/ops/shape/squeeze.h>

namespace weft {

Results unstack(const Tensor& x, const Ints& axis) {
  x.held("unstack");
  check_single("unstack", "axis", axis);
  static_cast<void>(x.rank());  // OpenError where it is not known
  const PartialShape shape = x.partial_shape();
  const std::size_t dropped = check_axis("unstack", axis, 0, shape.lowest());
  if (!shape[dropped].is_known())
    throw OpenError(fmt::format("unstack: the extent of axis {} of {} depends on a placeholder",
                                dropped, to_string(shape)));
  const std::int64_t extent = shape[dropped].low();
  if (extent > most_parts)
    throw OverflowError(
        fmt::format("unstack: {} parts, at most {} are allowed", extent, most_parts));
  std::vector<Tensor> parts;
  for (std::int64_t k = 0; k < extent; ++k)
    parts.push_back(squeeze(slice(x, {k}, {k + 1}, none, {dropped}), dropped));
  return parts;
}

Results Tensor::unstack(const Ints& axis) const { return weft::unstack(*this, axis); }

}  // namespace weft
