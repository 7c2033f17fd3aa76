// SPDX-License-Identifier: Apache-2.0
// expand_dims: what it refuses, and how a box is pulled back through it.
#include <weft/ops/shape/expand_dims.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/ops/shape/axis_map.h>

namespace weft {
namespace {

struct ExpandDims {
  std::string axes;  // as they were given
  AxisMap map;

  static constexpr std::string_view name = "expand_dims";
  static constexpr const Op& op = expand_dims_op;
  static constexpr bool keeps_order = true;
  static constexpr std::tuple fields{
      operand("x", "what gets more axes"),
      shown("axes", &ExpandDims::axes, "where they are in the result"), hidden(&ExpandDims::map)};

  static KnownType infer(const KnownType& x, const Ints& axes) {
    check_integer(name, "axes", axes);
    check_scalar_or_list(name, "axes", axes);
    const std::int64_t length = known_length(axes);
    if (!x.shape.has_rank() || length < 0) return {x.dtype, Extents::any()};
    const std::size_t added = static_cast<std::size_t>(length), rank = x.shape.rank() + added;
    if (rank > max_rank)
      throw ParameterError(
          "bad_rank",
          fmt::format("expand_dims: the result would have rank {}, at most {} is allowed", rank,
                      max_rank));
    if (axes.is_open()) return {x.dtype, Extents::of_rank(rank)};
    KnownType result{x.dtype, {}};
    const auto places = check_unique_axes(name, axes, x.shape, added);
    for (std::size_t axis = 0, taken = 0; axis < rank; ++axis)
      result.shape.push_back(is_among(places, axis) ? Extent(1) : x.shape[taken++]);
    return result;
  }

  static Tensor make(TensorType type, const Tensor& x, const Ints& axes) {
    const auto places = check_unique_axes(name, axes, x.shape(), axes.size());
    ExpandDims expand{axes.text(), {}};
    for (std::size_t axis = 0; axis < type.shape.size(); ++axis)
      if (!is_among(places, axis)) expand.map.axes.push_back(static_cast<std::int32_t>(axis));
    return tensor_of(std::move(expand), std::move(type), x);
  }

  static bool is_among(const SmallVector<std::size_t, 8>& axes, std::size_t axis) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
  }

  void pull_back(const Shape&, const Box& box, PullBack& to) const { map.pull_back(box, to); }
  std::size_t trace(const Shape&, Index& index) const { return map.trace(index); }

  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors& operands) const {
    return {cotangent.reshape(operands[0].shape())};
  }
};

}  // namespace

constinit const Op expand_dims_op = op_of<ExpandDims>();

Tensor expand_dims(const Tensor& x, const Ints& axes) { return build<ExpandDims>(x, axes); }

Tensor Tensor::expand_dims(const Ints& axes) const { return weft::expand_dims(*this, axes); }

}  // namespace weft
