// SPDX-License-Identifier: Apache-2.0
// select: what it refuses, and the slice it is.
#include <weft/ops/pick/select.h>

#include <fmt/format.h>

#include <weft/graph/define.h>
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

struct Select {
  static constexpr std::string_view name = "select";
  static constexpr const Op& op = select_op;
  static constexpr std::tuple fields{operand("x", "what is cut"),
                                     parameter("axis", "the axis that is dropped"),
                                     parameter("index", "the position that stays")};

  /// An axis that is not known opens all extents.
  static KnownType infer(const KnownType& x, const Ints& axis, const Ints& index) {
    check_singles(name, {{"axis", axis}, {"index", index}});
    if (!x.shape.has_rank()) return x;
    if (axis.is_open())
      return {x.dtype, x.shape.rank() == 0 ? Extents::any() : Extents::of_rank(x.shape.rank() - 1)};
    const std::size_t dropped = check_axis(name, axis, 0, x.shape);
    const Extent& extent = x.shape[dropped];
    if (extent.is_known() && !index.is_open()) place_of(index, dropped, extent.low);
    KnownType result = x;
    result.shape.erase(dropped);
    return result;
  }

  static Tensor make(const TensorType&, const Tensor& x, const Ints& axis, const Ints& index) {
    const std::size_t dropped = check_axis(name, axis, 0, x.shape());
    const std::int64_t place = place_of(index, dropped, x.shape()[dropped]);
    return squeeze(slice(x, {place}, {place + 1}, none, {dropped}), dropped);
  }
};

}  // namespace

constinit const Op select_op = op_of<Select>();

Tensor select(const Tensor& x, const Ints& axis, const Ints& index) {
  return build<Select>(x, axis, index);
}

Tensor Tensor::select(const Ints& axis, const Ints& index) const {
  return weft::select(*this, axis, index);
}

}  // namespace weft
