// SPDX-License-Identifier: Apache-2.0
// take: what it refuses, and how a box is pulled back through it.
#include <weft/ops/indexing/take.h>

#include <weft/graph/define.h>
#include <weft/graph/map/box.h>
#include <weft/ops/create/fills.h>
#include <weft/ops/gradient/in_wide.h>
#include <weft/ops/indexing/take_rows.h>
#include <weft/ops/shape/reshape.h>

namespace weft {
namespace {

/// With a list of indices.
struct Take {
  std::int64_t axis, extent;

  static constexpr std::string_view name = "take";
  static constexpr const Op& op = take_op;
  static constexpr std::tuple fields{
      operand("x", "whose positions are picked"), index_operand("indices", "the positions"),
      parameter("axis", &Take::axis, "the axis they count along; none: x is read flat", none),
      derived(&Take::extent)};

  static KnownType infer(const KnownType& x, const KnownType& indices, const Ints& axis) {
    check_index(name, "indices", indices.dtype);
    if (axis.is_none()) return {x.dtype, indices.shape};
    check_one(name, "axis", axis);
    if (!x.shape.has_rank()) return {x.dtype, Extents::any()};
    if (!axis.is_open()) check_axis(name, axis, 0, x.shape);
    if (x.shape.rank() == 0 || !indices.shape.has_rank()) return {x.dtype, Extents::any()};
    if (axis.is_open())
      return {x.dtype, Extents::of_rank(x.shape.rank() - 1 + indices.shape.rank())};
    KnownType result = x;
    std::size_t at = check_axis(name, axis, 0, x.shape);
    result.shape.erase(at);
    for (std::size_t k = 0; k < indices.shape.rank(); ++k)
      result.shape.insert(at++, indices.shape[k]);
    return result;
  }

  static Tensor make(const TensorType& type, const Tensor& x, const Tensor& indices,
                     const Ints& axis) {
    const Tensor source = axis.is_none() ? x.reshape(x.size()) : x;
    const std::size_t at = axis.is_none() ? 0 : check_axis(name, axis, 0, x.shape());
    TensorType taken{type.dtype, source.shape()};
    const std::int64_t extent = std::exchange(taken.shape[at], indices.size());
    return tensor_of(Take{static_cast<std::int64_t>(at), extent}, std::move(taken), source, indices)
        .reshape(type.shape);
  }

  std::vector<IndexBounds> bounds(const Shape&) const { return {{-extent, extent - 1, "index"}}; }

  void pull_back(const Places& places, const Shape&, const Box& box, PullBack& to) const {
    const std::function<std::int64_t(std::int64_t)> place_of = [&](std::int64_t j) {
      return places[static_cast<std::size_t>(j)];
    };
    lookup(box, static_cast<std::int32_t>(axis), place_of, to.plain(0));
  }

  static constexpr bool checks_places = true, is_computed_alone = true;
  Computation computation(const Places& places, const TensorType& type) const {
    return [taking = TakeRows(places, type, static_cast<std::size_t>(axis), extent)](
               auto operands, std::byte* out, const ForParts& for_parts) {
      taking.run(operands[0], out, for_parts);
    };
  }

  std::size_t trace(const Places& places, const Shape&, Index& index) const {
    std::int64_t& at = index[static_cast<std::size_t>(axis)];
    at = places[static_cast<std::size_t>(at)];
    return 0;
  }

  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors& operands) const {
    const DType type = wide(cotangent.dtype());
    const Tensor sum = zeros(operands[0].shape(), type)
                           .index_put(operands[1].reshape(-1), cotangent.astype(type), axis, "add");
    return {sum.astype(cotangent.dtype()), {}};
  }
};

}  // namespace

constinit const Op take_op = op_of<Take>();

Tensor take(const Tensor& x, const Tensor& indices, const Ints& axis) {
  return build<Take>(x, indices, axis);
}

Tensor take(const Tensor& x, const Ints& indices, const Ints& axis) {
  return take(x, index_tensor("take", "indices", indices), axis);
}

Tensor Tensor::take(const Tensor& indices, const Ints& axis) const {
  return weft::take(*this, indices, axis);
}
Tensor Tensor::take(const Ints& indices, const Ints& axis) const {
  return weft::take(*this, indices, axis);
}

}  // namespace weft
