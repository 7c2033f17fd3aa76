// SPDX-License-Identifier: Apache-2.0
// Sums of exponentials: compositions.
#include <weft/ops/reduce/softmax.h>

#include <limits>

#include <weft/graph/define.h>
#include <weft/ops/create/full.h>
#include <weft/ops/elementwise/arithmetic.h>
#include <weft/ops/elementwise/astype.h>
#include <weft/ops/elementwise/division.h>
#include <weft/ops/elementwise/exponential.h>
#include <weft/ops/elementwise/predicates.h>
#include <weft/ops/elementwise/where.h>
#include <weft/ops/reduce/extremes.h>
#include <weft/ops/reduce/reduced.h>
#include <weft/ops/reduce/sums.h>
#include <weft/ops/shape/reshape.h>

namespace weft {
namespace {

struct Logsumexp {
  static constexpr std::string_view name = "logsumexp";
  static constexpr const Op& op = logsumexp_op;
  static constexpr std::tuple fields = reduce_fields;

  static KnownType infer(const KnownType& x, const Ints& axes, const bool& keepdims) {
    return {common_type(name, kinds::floats, {x.dtype}),
            reduced_shape(name, x.shape, axes, keepdims, true)};
  }
  static Tensor make(const TensorType& type, const Tensor& x, const Ints& axes, const bool&) {
    if (reduced_count(name, axes, x.shape()) == 0)
      return full(type.shape, Scalar(-std::numeric_limits<double>::infinity()), type.dtype);
    const Tensor wide = astype(x, wide_type(type.dtype)), largest = max(wide, axes, true);
    // Taken off where that is a number: inf - inf is none.
    const Tensor off = where(isfinite(largest), largest, Scalar(0));
    const Tensor all = add(log(sum(exp(subtract(wide, off)), axes, true)), off);
    return astype(reshape(all, type.shape), type.dtype);
  }
};

/// What softmax and its logarithm have in common.
struct Softmaxes {
  static constexpr std::tuple fields{operand("x", "any shape"),
                                     parameter("axis", "along which they add up", -1)};

  static KnownType infer_of(std::string_view name, const KnownType& x, const Ints& axis) {
    check_one(name, "axis", axis);
    if (!axis.is_open() && x.shape.has_rank()) check_axis(name, axis, 0, x.shape);
    return {common_type(name, kinds::floats, {x.dtype}), x.shape};
  }
  /// Elements of the type that is computed in, less the largest along the axis.
  static Tensor shifted(const Tensor& x, const Ints& axis) {
    const Tensor wide = astype(x, wide_type(x.dtype()));
    return subtract(wide, max(wide, axis, true));
  }
};

struct Softmax : Softmaxes {
  static constexpr std::string_view name = "softmax";
  static constexpr const Op& op = softmax_op;

  static KnownType infer(const KnownType& x, const Ints& axis) { return infer_of(name, x, axis); }
  static Tensor make(const TensorType& type, const Tensor& x, const Ints& axis) {
    if (type.count() == 0) return x;
    const Tensor powers = exp(shifted(x, axis));
    return astype(divide(powers, sum(powers, axis, true)), type.dtype);
  }
};

struct LogSoftmax : Softmaxes {
  static constexpr std::string_view name = "log_softmax";
  static constexpr const Op& op = log_softmax_op;

  static KnownType infer(const KnownType& x, const Ints& axis) { return infer_of(name, x, axis); }
  static Tensor make(const TensorType& type, const Tensor& x, const Ints& axis) {
    if (type.count() == 0) return x;
    const Tensor off = shifted(x, axis);
    return astype(subtract(off, log(sum(exp(off), axis, true))), type.dtype);
  }
};

}  // namespace

constinit const Op logsumexp_op = op_of<Logsumexp>();
constinit const Op softmax_op = op_of<Softmax>();
constinit const Op log_softmax_op = op_of<LogSoftmax>();

Tensor logsumexp(const Tensor& x, const Ints& axes, bool keepdims) {
  return build<Logsumexp>(x, axes, keepdims);
}
Tensor softmax(const Tensor& x, const Ints& axis) { return build<Softmax>(x, axis); }
Tensor log_softmax(const Tensor& x, const Ints& axis) { return build<LogSoftmax>(x, axis); }

Tensor ReduceMethods::logsumexp(const Ints& axes, bool keepdims) const {
  return weft::logsumexp(tensor(), axes, keepdims);
}
Tensor ReduceMethods::softmax(const Ints& axis) const { return weft::softmax(tensor(), axis); }
Tensor ReduceMethods::log_softmax(const Ints& axis) const {
  return weft::log_softmax(tensor(), axis);
}

}  // namespace weft
