// SPDX-License-Identifier: Apache-2.0
// take: what it refuses, and how a box is pulled back through it.
#include <weft/ops/indexing/take.h>

#include <fmt/format.h>

#include <weft/graph/indexed.h>
#include <weft/graph/map/box.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/op.h>
#include <weft/ops/shape/reshape.h>

namespace weft {
namespace {

/// With a list of indices.
class Take final : public Indexed {
 public:
  Take(const Tensor& x, const Tensor& indices, Shape shape, std::size_t axis)
      : Indexed(x.dtype(), std::move(shape), inputs_of(x, indices)),
        axis_(axis),
        extent_(x.shape()[axis]) {}

  std::string_view op() const noexcept override { return "take"; }
  std::string parameters() const override { return fmt::format("axis={}", axis_); }

  void pull_back(const Box& box, PullBack& to) const override {
    lookup(box, static_cast<std::int32_t>(axis_), places(), to.plain(0));
  }

  std::size_t trace(Index& index) const override {
    index[axis_] = places()[static_cast<std::size_t>(index[axis_])];
    return 0;
  }

 private:
  std::vector<IndexBounds> bounds() const override { return {{-extent_, extent_ - 1, "index"}}; }

  std::size_t axis_;
  std::int64_t extent_;
};

PartialShape infer(const Arguments& arguments) {
  const PartialShape x = arguments.operands[0].partial_shape();
  const PartialShape indices = arguments.operands[1].partial_shape();
  const Ints& axis = arguments.ints(0);
  if (axis.is_none()) return indices;
  if (!x.has_rank() || x.rank() == 0 || !indices.has_rank()) return PartialShape::any();
  if (axis.is_open()) return PartialShape::of_rank(x.rank() - 1 + indices.rank());
  const std::size_t at = check_axis("take", axis, 0, x.lowest());
  std::vector<Dim> dims(x.dims());
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(at));
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(at), indices.dims().begin(),
              indices.dims().end());
  return PartialShape(std::move(dims));
}

}  // namespace

const Op take_op{
    .name = "take",
    .operands = {"x", "indices"},
    .parameters = {"axis"},
    .build = call<static_cast<Tensor (*)(const Tensor&, const Tensor&, const Ints&)>(weft::take)>,
    .infer = infer,
    .index = 1};

Tensor take(const Tensor& x, const Tensor& indices, const Ints& axis) {
  if (is_any_open(take_op, x, indices, axis)) return defer(take_op, {{x, indices}, {axis}});
  check_index("take", "indices", indices);
  std::size_t at = 0;
  if (!axis.is_none()) {
    check_single("take", "axis", axis);
    at = check_axis("take", axis, 0, x.shape());
  }
  const Tensor source = axis.is_none() ? x.reshape(x.size()) : x;
  Shape taken = source.shape(), shape;
  taken[at] = indices.size();
  for (std::size_t k = 0; k < taken.size(); ++k)
    if (k != at) shape.push_back(taken[k]);
    else
      for (const std::int64_t extent : indices.shape()) shape.push_back(extent);
  check_shape("take", shape, x.dtype());
  return make_indexed<Take>(indices, source, indices, taken, at).reshape(shape);
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
