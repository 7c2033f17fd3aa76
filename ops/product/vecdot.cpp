// SPDX-License-Identifier: Apache-2.0
// vecdot: the axis of both comes last, and then it is a sum of products.
#include <weft/ops/product/vecdot.h>

#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/ops/elementwise/types.h>
#include <weft/ops/grow/broadcast_to.h>
#include <weft/ops/product/products.h>
#include <weft/ops/shape/moveaxis.h>

namespace weft {
namespace {

struct Vecdot {
  static constexpr std::string_view name = "vecdot";
  static constexpr const Op& op = vecdot_op;
  static constexpr std::tuple fields{operand("x", "the left vectors"),
                                     operand("y", "the right vectors"),
                                     parameter("axis", "that they lie along", -1)};

  static KnownType infer(const KnownType& x, const KnownType& y, const Ints& axis) {
    const DType type = product_type(name, x.dtype, y.dtype);
    check_one(name, "axis", axis);
    if (!x.shape.has_rank() || !y.shape.has_rank()) return {type, Extents::any()};
    if (axis.is_open())
      return {type, Extents::of_rank(std::max(x.shape.rank(), y.shape.rank()) - 1)};
    const std::size_t left = check_axis(name, axis, 0, x.shape),
                      right = check_axis(name, axis, 0, y.shape);
    check_meet(name, x, left, "elements", y, right, "elements");
    const KnownType own = without(x, left), other = without(y, right);
    return {type, broadcast_shape(name, {&own, &other})};
  }

  static Tensor make(TensorType type, const Tensor& x, const Tensor& y, const Ints& axis) {
    const auto at = [&](const Tensor& own) {
      const Tensor last = moveaxis(own, axis, -1);
      Shape shape = type.shape;
      shape.push_back(last.shape().back());
      return last.shape() == shape ? last : broadcast_to(last, shape);
    };
    return multiply_rows(type.dtype, at(x), at(y));
  }

 private:
  static KnownType without(const KnownType& x, std::size_t axis) {
    KnownType left = x;
    left.shape.erase(axis);
    return left;
  }
};

}  // namespace

constinit const Op vecdot_op = op_of<Vecdot>();

Tensor vecdot(const Tensor& x, const Tensor& y, const Ints& axis) {
  return build<Vecdot>(x, y, axis);
}

Tensor ProductMethods::vecdot(const Tensor& other, const Ints& axis) const {
  return weft::vecdot(tensor(), other, axis);
}

}  // namespace weft
