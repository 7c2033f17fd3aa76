// SPDX-License-Identifier: Apache-2.0
// flatten: what it refuses, and the reshape it is.
#include <weft/ops/shape/flatten.h>

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include <weft/graph/define.h>
#include <weft/ops/shape/reshape.h>

namespace weft {
namespace {

/// Of the extents of axes `first` to `last`.
Extent product(const Extents& shape, std::size_t first, std::size_t last) {
  bool is_known = true;
  for (std::size_t axis = first; axis <= last; ++axis) {
    // A zero first: beside it the other extents may be too large to multiply.
    if (shape[axis].is(0)) return 0;
    is_known &= shape[axis].is_known();
  }
  Extent product = shape[first];
  for (std::size_t axis = first + 1; axis <= last; ++axis) {
    std::int64_t count = 0;
    if (is_known && __builtin_mul_overflow(product.low, shape[axis].low, &count)) {
      const Shape& all = shape.lowest();
      throw OverflowError(fmt::format("flatten: extents {} of shape {} join to one beyond int64",
                                      to_string(Shape(all.begin() + first, all.begin() + last + 1)),
                                      to_string(all)));
    }
    product = product * shape[axis];
  }
  return product;
}

struct Flatten {
  static constexpr std::string_view name = "flatten";
  static constexpr const Op& op = flatten_op;
  static constexpr std::tuple fields{
      operand("x", "whose axes are joined"),
      parameter("start_axis", "the first of those that are joined", 0),
      parameter("end_axis", "the last of them", -1)};

  /// Of a rank that is known only where it is known which axes are joined, or there is but one.
  static KnownType infer(const KnownType& x, const Ints& start_axis, const Ints& end_axis) {
    check_singles(name, {{"start_axis", start_axis}, {"end_axis", end_axis}});
    if (!x.shape.has_rank()) return x;
    const Extents all = x.shape.rank() == 0 ? Extents(Shape{1}) : x.shape;
    if (is_any_open(start_axis, end_axis)) return {x.dtype, all.rank() == 1 ? all : Extents::any()};
    const std::size_t first = check_axis(name, start_axis, 0, all);
    const std::size_t last = check_axis(name, end_axis, 0, all);
    if (first > last)
      throw AxisError("bad_axis",
                      fmt::format("flatten: start_axis {} comes after end_axis {} (shape {})",
                                  start_axis.text(0), end_axis.text(0), to_string(all)));
    KnownType result{x.dtype, {}};
    for (std::size_t axis = 0; axis < all.rank(); ++axis) {
      if (axis > first && axis <= last) continue;
      result.shape.push_back(axis == first ? product(all, first, last) : all[axis]);
    }
    return result;
  }

  static Tensor make(const TensorType& type, const Tensor& x, const Ints&, const Ints&) {
    return reshape(x, type.shape);
  }
};

}  // namespace

constinit const Op flatten_op = op_of<Flatten>();

Tensor flatten(const Tensor& x, const Ints& start_axis, const Ints& end_axis) {
  return build<Flatten>(x, start_axis, end_axis);
}

Tensor Tensor::flatten(const Ints& start_axis, const Ints& end_axis) const {
  return weft::flatten(*this, start_axis, end_axis);
}

}  // namespace weft
