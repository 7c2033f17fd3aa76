// SPDX-License-Identifier: Apache-2.0
// select: what it refuses, and the slice it is.
#include <weft/ops/pick/select.h>

#include <fmt/format.h>
#include <utility>

#include <weft/graph/op.h>
#include <weft/ops/pick/slice.h>
#include <weft/ops/shape/squeeze.h>

namespace weft {
namespace {

/// The index counted from the front.
std::int64_t place_of(const Ints& index, std::size_t axis, std::int64_t extent) {
  if (index[0] < -extent || index[0] >= extent)
    throw IndexError(fmt::format("select: index {} is out of range for axis {} of extent {}",
                                 index.text(0), axis, extent));
  return index[0] < 0 ? index[0] + extent : index[0];
}

/// An axis that is not known opens all extents.
PartialShape infer(const Arguments& arguments) {
  const PartialShape x = arguments.operands[0].partial_shape();
  const Ints &axis = arguments.ints(0), &index = arguments.ints(1);
  if (!x.has_rank() || x.rank() == 0) return PartialShape::any();
  if (axis.is_open()) return PartialShape::of_rank(x.rank() - 1);
  check_single("select", "axis", axis);
  const std::size_t dropped = check_axis("select", axis, 0, x.lowest());
  if (x[dropped].is_known() && !index.is_open()) place_of(index, dropped, x[dropped].low());
  std::vector<Dim> dims = x.dims();
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(dropped));
  return PartialShape(std::move(dims));
}

}  // namespace

const Op select_op{"select", {"x"}, {"axis", "index"}, call<weft::select>, infer};

Tensor select(const Tensor& x, const Ints& axis, const Ints& index) {
  if (is_any_open(select_op, x, axis, index)) return defer(select_op, {{x}, {axis, index}});
  check_singles("select", {{"axis", axis}, {"index", index}});
  const std::size_t dropped = check_axis("select", axis, 0, x.shape());
  const std::int64_t place = place_of(index, dropped, x.shape()[dropped]);
  return squeeze(slice(x, {place}, {place + 1}, none, {dropped}), dropped);
}

Tensor Tensor::select(const Ints& axis, const Ints& index) const {
  return weft::select(*this, axis, index);
}

}  // namespace weft
