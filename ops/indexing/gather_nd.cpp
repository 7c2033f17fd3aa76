// SPDX-License-Identifier: Apache-2.0
// gather_nd: what it refuses, and how a box is pulled back through it.
#include <weft/ops/indexing/gather_nd.h>

#include <fmt/format.h>

#include <weft/graph/indexed.h>
#include <weft/graph/map/box.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/op.h>
#include <weft/ops/indexing/tuples.h>
#include <weft/ops/shape/reshape.h>

namespace weft {
namespace {

/// Of an x whose named axes are joined to the first.
class GatherNd final : public Indexed {
 public:
  GatherNd(const Tensor& joined, const Tensor& indices, Shape shape, const Shape& source,
           std::size_t length)
      : Indexed(joined.dtype(), std::move(shape), inputs_of(joined, indices)),
        source_(source),
        length_(length) {}

  std::string_view op() const noexcept override { return "gather_nd"; }

  void pull_back(const Box& box, PullBack& to) const override {
    lookup(box, 0, places(), to.plain(0));
  }

  std::size_t trace(Index& index) const override {
    index[0] = places()[static_cast<std::size_t>(index[0])];
    return 0;
  }

 private:
  std::vector<IndexBounds> bounds() const override { return tuple_bounds(source_, length_); }
  bool is_arranged() const noexcept override { return true; }
  void arrange(std::vector<std::int64_t>& places) const override {
    join_tuples(source_, length_, places);
  }

  Shape source_;
  std::size_t length_;
};

PartialShape infer(const Arguments& arguments) {
  const PartialShape x = arguments.operands[0].partial_shape();
  const PartialShape indices = arguments.operands[1].partial_shape();
  if (!x.has_rank() || !indices.has_rank() || indices.rank() == 0) return PartialShape::any();
  const Dim& length = indices[indices.rank() - 1];
  if (!length.is_known() || length.low() < 1 || length.low() > static_cast<std::int64_t>(x.rank()))
    return PartialShape::any();
  std::vector<Dim> dims(indices.dims().begin(), indices.dims().end() - 1);
  dims.insert(dims.end(), x.dims().begin() + length.low(), x.dims().end());
  return PartialShape(std::move(dims));
}

}  // namespace

const Op gather_nd_op{.name = "gather_nd",
                      .operands = {"x", "indices"},
                      .parameters = {},
                      .build = call<weft::gather_nd>,
                      .infer = infer,
                      .index = 1};

Tensor gather_nd(const Tensor& x, const Tensor& indices) {
  if (is_any_open(gather_nd_op, x, indices)) return defer(gather_nd_op, {{x, indices}, {}});
  const std::size_t length = tuple_length("gather_nd", "x", x, indices);
  const Shape joined = joined_shape("gather_nd", x.shape(), length);
  Shape shape, flat = joined;
  for (std::size_t k = 0; k + 1 < indices.rank(); ++k) shape.push_back(indices.shape()[k]);
  for (std::size_t k = length; k < x.rank(); ++k) shape.push_back(x.shape()[k]);
  flat[0] = indices.size() / indices.shape().back();
  check_shape("gather_nd", shape, x.dtype());
  return make_indexed<GatherNd>(indices, x.reshape(joined), indices, flat, x.shape(), length)
      .reshape(shape);
}

Tensor Tensor::gather_nd(const Tensor& indices) const { return weft::gather_nd(*this, indices); }

}  // namespace weft
