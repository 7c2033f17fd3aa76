// SPDX-License-Identifier: Apache-2.0
// expand_dims: what it refuses, and how a box is pulled back through it.
#include <weft/ops/shape/expand_dims.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/graph/op.h>
#include <weft/ops/shape/axis_map.h>

namespace weft {
namespace {

class ExpandDims final : public AxisMap {
 public:
  ExpandDims(const Tensor& x, const Shape& shape, const Axes& kept, std::string added)
      : AxisMap(x, shape, kept), added_(std::move(added)) {}

  std::string_view op() const noexcept override { return "expand_dims"; }
  std::string parameters() const override { return fmt::format("axes={}", added_); }
  bool keeps_order() const noexcept override { return true; }

 private:
  std::string added_;
};

PartialShape infer(const Arguments& arguments) {
  const PartialShape x = arguments.operands[0].partial_shape();
  const Ints& axes = arguments.ints(0);
  const std::int64_t length = known_length(axes);
  if (!x.has_rank() || length < 0) return PartialShape::any();
  PartialShape shape = PartialShape::of_rank(x.rank() + static_cast<std::size_t>(length));
  if (axes.is_open()) return shape;
  const auto added = check_unique_axes("expand_dims", axes, x.lowest(), axes.size());
  for (std::size_t axis = 0, taken = 0; axis < shape.rank(); ++axis) {
    const bool is_added = std::find(added.begin(), added.end(), axis) != added.end();
    shape[axis] = is_added ? Dim(1) : x[taken++];
  }
  return shape;
}

}  // namespace

const Op expand_dims_op{"expand_dims", {"x"}, {"axes"}, call<weft::expand_dims>, infer};

Tensor expand_dims(const Tensor& x, const Ints& axes) {
  if (is_any_open(expand_dims_op, x, axes)) return defer(expand_dims_op, {{x}, {axes}});
  check_integer("expand_dims", "axes", axes);
  check_scalar_or_list("expand_dims", "axes", axes);
  Shape shape(x.rank() + axes.size(), 0);
  if (shape.size() > max_rank)
    throw ParameterError(
        "bad_rank", fmt::format("expand_dims: the result would have rank {}, at most {} is allowed",
                                shape.size(), max_rank));
  const SmallVector<std::size_t, 8> added =
      check_unique_axes("expand_dims", axes, x.shape(), axes.size());
  AxisMap::Axes kept;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (std::find(added.begin(), added.end(), axis) != added.end()) {
      shape[axis] = 1;
    } else {
      shape[axis] = x.shape()[kept.size()];
      kept.push_back(static_cast<std::int32_t>(axis));
    }
  }
  return make_tensor<ExpandDims>(x, shape, kept, axes.text());
}

Tensor Tensor::expand_dims(const Ints& axes) const { return weft::expand_dims(*this, axes); }

}  // namespace weft
