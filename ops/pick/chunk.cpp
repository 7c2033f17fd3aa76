// SPDX-License-Identifier: Apache-2.0
// chunk: what it refuses, and the slices it is.
#include <weft/ops/pick/chunk.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/graph/value/partial_shape.h>
#include <weft/ops/pick/slice.h>
#include <weft/ops/pick/split.h>

namespace weft {
namespace {

std::int64_t divided_up(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0); }

}  // namespace

Results chunk(const Tensor& x, const Ints& chunks, const Ints& axis) {
  x.held("chunk");
  check_integer("chunk", "chunks", chunks);
  check_integer("chunk", "axis", axis);
  check_scalar_or_list("chunk", "chunks", chunks);
  check_scalar_or_list("chunk", "axis", axis);
  const std::int64_t most = check_single("chunk", "chunks", chunks);
  check_single("chunk", "axis", axis);
  static_cast<void>(x.rank());  // OpenError where it is not known
  const PartialShape shape = x.partial_shape();
  const std::size_t cut = check_axis("chunk", axis, 0, shape.lowest());
  if (most < 1) throw ShapeError(fmt::format("chunk: {} chunks, expected 1 or more", most));
  if (!shape[cut].is_known())
    throw OpenError(fmt::format("chunk: the extent of axis {} of {} depends on a placeholder", cut,
                                to_string(shape)));
  const std::int64_t extent = shape[cut].low();
  const std::int64_t length = divided_up(extent, most);
  const std::int64_t count = extent == 0 ? most : divided_up(extent, length);
  if (count > most_parts)
    throw OverflowError(fmt::format("chunk: {} parts, at most {} are allowed", count, most_parts));
  std::vector<Tensor> parts;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t begin = k * length;
    parts.push_back(slice(x, {begin}, {begin + std::min(length, extent - begin)}, none, {cut}));
  }
  return parts;
}

Results Tensor::chunk(const Ints& chunks, const Ints& axis) const {
  return weft::chunk(*this, chunks, axis);
}

}  // namespace weft
