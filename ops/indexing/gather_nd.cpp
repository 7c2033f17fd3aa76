// SPDX-License-Identifier: Apache-2.0
// gather_nd: what it refuses, and how a box is pulled back through it.
#include <weft/ops/indexing/gather_nd.h>

#include <weft/graph/define.h>
#include <weft/graph/map/box.h>
#include <weft/ops/create/fills.h>
#include <weft/ops/gradient/in_wide.h>
#include <weft/ops/indexing/tuples.h>
#include <weft/ops/shape/reshape.h>

namespace weft {
namespace {

/// Of an x whose named axes are joined to the first.
struct GatherNd {
  Shape source;
  std::size_t length;

  static constexpr std::string_view name = "gather_nd";
  static constexpr const Op& op = gather_nd_op;
  static constexpr std::tuple fields{operand("x", "what is picked from"),
                                     index_operand("indices", "tuples of them, on the last axis"),
                                     hidden(&GatherNd::source), hidden(&GatherNd::length)};

  static KnownType infer(const KnownType& x, const KnownType& indices) {
    const auto tuple = tuple_length(name, "x", x, indices);
    if (!tuple) return {x.dtype, Extents::any()};
    if (x.shape.is_closed()) joined_shape(name, x.shape.lowest(), *tuple);
    return {x.dtype, picked_by_tuples(x.shape, indices.shape, *tuple)};
  }

  static Tensor make(const TensorType& type, const Tensor& x, const Tensor& indices) {
    const std::size_t tuple = static_cast<std::size_t>(indices.shape().back());
    const Shape joined = joined_shape(name, x.shape(), tuple);
    TensorType flat{type.dtype, joined};
    flat.shape[0] = indices.size() / indices.shape().back();
    return tensor_of(GatherNd{x.shape(), tuple}, std::move(flat), x.reshape(joined), indices)
        .reshape(type.shape);
  }

  std::vector<IndexBounds> bounds(const Shape&) const { return tuple_bounds(source, length); }
  Places arrange(const Shape&, std::vector<std::int64_t> places) const {
    join_tuples(source, length, places);
    return Places(std::move(places));
  }

  void pull_back(const Places& places, const Shape&, const Box& box, PullBack& to) const {
    lookup(box, 0, places, to.plain(0));
  }

  std::size_t trace(const Places& places, const Shape&, Index& index) const {
    index[0] = places[static_cast<std::size_t>(index[0])];
    return 0;
  }

  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors& operands) const {
    const Tensor& indices = operands[1];
    const Tensor tuples = indices.reshape({-1, static_cast<std::int64_t>(length)});
    Shape slices(source.begin() + length, source.end());
    slices.insert(slices.begin(), tuples.shape()[0]);
    const DType type = wide(cotangent.dtype());
    const Tensor sum =
        zeros(source, type).scatter_nd(tuples, cotangent.astype(type).reshape(slices), "add");
    return {sum.astype(cotangent.dtype()).reshape(operands[0].shape()), {}};
  }
};

}  // namespace

constinit const Op gather_nd_op = op_of<GatherNd>();

Tensor gather_nd(const Tensor& x, const Tensor& indices) { return build<GatherNd>(x, indices); }

Tensor Tensor::gather_nd(const Tensor& indices) const { return weft::gather_nd(*this, indices); }

}  // namespace weft
