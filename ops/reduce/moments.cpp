// SPDX-License-Identifier: Apache-2.0
// Means and variances: sums, divided.
#include <weft/ops/reduce/moments.h>

#include <algorithm>

#include <weft/graph/define.h>
#include <weft/ops/elementwise/arithmetic.h>
#include <weft/ops/elementwise/astype.h>
#include <weft/ops/elementwise/division.h>
#include <weft/ops/elementwise/powers.h>
#include <weft/ops/reduce/reduced.h>
#include <weft/ops/reduce/sums.h>

namespace weft {
namespace {

KnownType infer_floats(std::string_view name, const KnownType& x, const Ints& axes, bool keepdims) {
  return {common_type(name, kinds::floats, {x.dtype}),
          reduced_shape(name, x.shape, axes, keepdims, false)};
}

/// Of elements that are computed in their own type.
Tensor mean_of(const Tensor& x, const Ints& axes, bool keepdims, double correction) {
  const auto count = static_cast<double>(reduced_count("mean", axes, x.shape()));
  return divide(sum(x, axes, keepdims), Scalar(std::max(0.0, count - correction)));
}
Tensor var_of(const Tensor& x, const Ints& axes, double correction, bool keepdims) {
  return mean_of(square(subtract(x, mean_of(x, axes, true, 0))), axes, keepdims, correction);
}

struct Mean {
  static constexpr std::string_view name = "mean";
  static constexpr const Op& op = mean_op;
  static constexpr std::tuple fields = reduce_fields;

  static KnownType infer(const KnownType& x, const Ints& axes, const bool& keepdims) {
    return infer_floats(name, x, axes, keepdims);
  }
  static Tensor make(const TensorType& type, const Tensor& x, const Ints& axes,
                     const bool& keepdims) {
    return astype(mean_of(astype(x, wide_type(type.dtype)), axes, keepdims, 0), type.dtype);
  }
};

/// What var and std have in common.
struct Spread {
  static constexpr std::tuple fields{
      operand("x", "what is reduced"),
      parameter("axes", "those that are reduced; none: all of them", none),
      parameter("correction", "what is taken off the number of elements", 0.0),
      parameter("keepdims", "whether they stay, with extent 1", false)};
};

struct Var : Spread {
  static constexpr std::string_view name = "var";
  static constexpr const Op& op = var_op;

  static KnownType infer(const KnownType& x, const Ints& axes, const double&,
                         const bool& keepdims) {
    return infer_floats(name, x, axes, keepdims);
  }
  static Tensor make(const TensorType& type, const Tensor& x, const Ints& axes,
                     const double& correction, const bool& keepdims) {
    return astype(var_of(astype(x, wide_type(type.dtype)), axes, correction, keepdims), type.dtype);
  }
};

struct Std : Spread {
  static constexpr std::string_view name = "std";
  static constexpr const Op& op = std_op;

  static KnownType infer(const KnownType& x, const Ints& axes, const double&,
                         const bool& keepdims) {
    return infer_floats(name, x, axes, keepdims);
  }
  static Tensor make(const TensorType& type, const Tensor& x, const Ints& axes,
                     const double& correction, const bool& keepdims) {
    return astype(sqrt(var_of(astype(x, wide_type(type.dtype)), axes, correction, keepdims)),
                  type.dtype);
  }
};

}  // namespace

constinit const Op mean_op = op_of<Mean>();
constinit const Op var_op = op_of<Var>();
constinit const Op std_op = op_of<Std>();

Tensor mean(const Tensor& x, const Ints& axes, bool keepdims) {
  return build<Mean>(x, axes, keepdims);
}
Tensor var(const Tensor& x, const Ints& axes, double correction, bool keepdims) {
  return build<Var>(x, axes, correction, keepdims);
}
Tensor std(const Tensor& x, const Ints& axes, double correction, bool keepdims) {
  return build<Std>(x, axes, correction, keepdims);
}

Tensor ReduceMethods::mean(const Ints& axes, bool keepdims) const {
  return weft::mean(tensor(), axes, keepdims);
}
Tensor ReduceMethods::var(const Ints& axes, double correction, bool keepdims) const {
  return weft::var(tensor(), axes, correction, keepdims);
}
Tensor ReduceMethods::std(const Ints& axes, double correction, bool keepdims) const {
  return weft::std(tensor(), axes, correction, keepdims);
}

}  // namespace weft
