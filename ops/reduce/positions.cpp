// SPDX-License-Identifier: Apache-2.0
// Positions of extremes: the least of those whose element is one.
#include <weft/ops/reduce/positions.h>

#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include <weft/graph/define.h>
#include <weft/ops/create/full.h>
#include <weft/ops/create/numbers.h>
#include <weft/ops/elementwise/arithmetic.h>
#include <weft/ops/elementwise/astype.h>
#include <weft/ops/elementwise/comparison.h>
#include <weft/ops/elementwise/logic.h>
#include <weft/ops/elementwise/predicates.h>
#include <weft/ops/elementwise/where.h>
#include <weft/ops/pick/slice.h>
#include <weft/ops/reduce/extremes.h>
#include <weft/ops/reduce/reduced.h>
#include <weft/ops/shape/reshape.h>

namespace weft {
namespace {

/// Of elements of that shape along the axes, in row-major order of those.
Tensor positions(const Shape& shape, const Index& axes) {
  std::int64_t count = 1;
  for (const std::int64_t axis : axes) count *= shape[static_cast<std::size_t>(axis)];
  const DType type = count <= std::numeric_limits<std::int32_t>::max() ? i32 : i64;
  Tensor all;
  std::int64_t stride = 1;
  for (std::size_t k = axes.size(); k-- > 0;) {
    const auto axis = static_cast<std::size_t>(axes[k]);
    const std::int64_t extent = shape[axis];
    if (extent == 1) continue;
    Shape alone(shape.size(), 1);
    alone[axis] = extent;
    Tensor own = reshape(counted(type, extent), alone);
    if (stride > 1) own = multiply(own, Scalar(stride));
    all = all.has_value() ? add(own, all) : own;
    stride *= extent;
  }
  return all.has_value() ? all : full(Shape(shape.size(), 1), Scalar(0), type);
}

Tensor position_of(const Tensor& extreme, const Tensor& x, const Ints& axis, const Shape& shape) {
  const bool may_be_nan = !x.dtype().is_integer();
  const Tensor is_one = may_be_nan ? logical_or(equal(x, extreme), isnan(x)) : equal(x, extreme);
  const Tensor all = positions(x.shape(), reduced_axes("argmax", axis, x.shape()));
  const std::int64_t beyond = all.dtype() == i32 ? std::numeric_limits<std::int32_t>::max()
                                                 : std::numeric_limits<std::int64_t>::max();
  return reshape(astype(min(where(is_one, all, Scalar(beyond)), axis), i64), shape);
}

/// What the two have in common.
struct Positions {
  static constexpr std::tuple fields{
      operand("x", "what is looked through"),
      parameter("axis", "along which; none: in all elements, in row-major order", none),
      parameter("keepdims", "whether it stays, with extent 1", false)};

  static KnownType infer_of(std::string_view name, const KnownType& x, const Ints& axis,
                            bool keepdims) {
    if (!axis.is_none()) check_one(name, "axis", axis);
    constexpr TypeKinds taken{.boolean = true, .integer = true, .floating = true};
    common_type(name, taken, {x.dtype});
    return {i64, reduced_shape(name, x.shape, axis, keepdims, false)};
  }
  /// Bools are compared as numbers.
  static Tensor comparable(const Tensor& x) { return x.dtype() == bool_ ? astype(x, u8) : x; }
};

struct Argmin : Positions {
  static constexpr std::string_view name = "argmin";
  static constexpr const Op& op = argmin_op;

  static KnownType infer(const KnownType& x, const Ints& axis, const bool& keepdims) {
    return infer_of(name, x, axis, keepdims);
  }
  static Tensor make(const TensorType& type, const Tensor& x, const Ints& axis, const bool&) {
    const Tensor own = comparable(x);
    return position_of(min(own, axis, true), own, axis, type.shape);
  }
};

struct Argmax : Positions {
  static constexpr std::string_view name = "argmax";
  static constexpr const Op& op = argmax_op;

  static KnownType infer(const KnownType& x, const Ints& axis, const bool& keepdims) {
    return infer_of(name, x, axis, keepdims);
  }
  static Tensor make(const TensorType& type, const Tensor& x, const Ints& axis, const bool&) {
    const Tensor own = comparable(x);
    return position_of(max(own, axis, true), own, axis, type.shape);
  }
};

}  // namespace

constinit const Op argmin_op = op_of<Argmin>();
constinit const Op argmax_op = op_of<Argmax>();

Tensor argmin(const Tensor& x, const Ints& axis, bool keepdims) {
  return build<Argmin>(x, axis, keepdims);
}
Tensor argmax(const Tensor& x, const Ints& axis, bool keepdims) {
  return build<Argmax>(x, axis, keepdims);
}

Tensor ReduceMethods::argmin(const Ints& axis, bool keepdims) const {
  return weft::argmin(tensor(), axis, keepdims);
}
Tensor ReduceMethods::argmax(const Ints& axis, bool keepdims) const {
  return weft::argmax(tensor(), axis, keepdims);
}

}  // namespace weft
