// SPDX-License-Identifier: Apache-2.0
// select_scatter: what it refuses, and which slice_scatter it is.
#include <weft/ops/write/select_scatter.h>

#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/ops/shape/expand_dims.h>
#include <weft/ops/write/slice_scatter.h>

namespace weft {
namespace {

struct SelectScatter {
  static constexpr std::string_view name = "select_scatter";
  static constexpr const Op& op = select_scatter_op;
  static constexpr std::tuple fields{operand("data", "what is copied"),
                                     operand("updates", "what replaces a position of it"),
                                     parameter("axis", "the axis that counts the positions"),
                                     parameter("index", "the position that is replaced")};

  /// That of data; where its rank is not known, one more than that of updates.
  static KnownType infer(const KnownType& data, const KnownType& updates, const Ints& axis,
                         const Ints& index) {
    if (updates.dtype != data.dtype)
      throw DtypeError(fmt::format("{}: updates are {}, expected {} as data", name,
                                   updates.dtype.name(), data.dtype.name()));
    if (data.shape.has_rank() && data.shape.rank() == 0)
      throw ParameterError("bad_rank",
                           fmt::format("{}: data has rank 0, expected at least 1", name));
    check_singles(name, {{"axis", axis}, {"index", index}});
    if (!data.shape.has_rank())
      return {data.dtype,
              updates.shape.has_rank() ? Extents::of_rank(updates.shape.rank() + 1) : data.shape};
    Extents expected = Extents::of_rank(data.shape.rank() - 1);
    if (!axis.is_open()) {
      const std::size_t at = check_axis(name, axis, 0, data.shape);
      const Extent& extent = data.shape[at];
      if (extent.is_known() && !index.is_open() &&
          (index[0] < -extent.low || index[0] >= extent.low))
        throw IndexError(
            fmt::format("{}: index {} is out of range for extent {} of axis {} (shape {})", name,
                        index.text(0), extent.low, at, to_string(data.shape)));
      expected = data.shape;
      expected.erase(at);
    }
    if (!can_be_equal(updates.shape, expected))
      throw ShapeError(fmt::format("{}: updates have shape {}, expected {} (shape {})", name,
                                   to_string(updates.shape), to_string(expected),
                                   to_string(data.shape)));
    return data;
  }

  static Tensor make(const TensorType& type, const Tensor& data, const Tensor& updates,
                     const Ints& axis, const Ints& index) {
    const std::size_t at = check_axis(name, axis, 0, type.shape);
    const std::int64_t start = index[0] < 0 ? index[0] + type.shape[at] : index[0];
    return slice_scatter(data, updates.expand_dims(at), {start}, {start + 1}, {1}, {at});
  }
};

}  // namespace

constinit const Op select_scatter_op = op_of<SelectScatter>();

Tensor select_scatter(const Tensor& data, const Tensor& updates, const Ints& axis,
                      const Ints& index) {
  return build<SelectScatter>(data, updates, axis, index);
}

Tensor select_scatter(Tensor&& data, Tensor updates, const Ints& axis, const Ints& index) {
  Tensor result = select_scatter(data, updates, axis, index);
  const Tensor given_up = std::move(data),
               made_of = std::move(updates);  // not before what may throw
  return result;
}

Tensor Tensor::select_scatter(const Tensor& updates, const Ints& axis, const Ints& index) const& {
  return weft::select_scatter(*this, updates, axis, index);
}

Tensor Tensor::select_scatter(Tensor updates, const Ints& axis, const Ints& index) && {
  return weft::select_scatter(std::move(*this), std::move(updates), axis, index);
}

}  // namespace weft
