// SPDX-License-Identifier: Apache-2.0
// Normalisations: compositions.
#include <weft/ops/reduce/norms.h>

#include <fmt/format.h>
#include <initializer_list>

#include <weft/graph/define.h>
#include <weft/ops/elementwise/arithmetic.h>
#include <weft/ops/elementwise/astype.h>
#include <weft/ops/elementwise/powers.h>
#include <weft/ops/reduce/moments.h>
#include <weft/ops/reduce/reduced.h>

namespace weft {
namespace {

/// What they have in common.
KnownType infer_norm(std::string_view name, std::initializer_list<const KnownType*> operands,
                     DType type, const Ints& axes) {
  const KnownType& x = **operands.begin();
  reduced_shape(name, x.shape, axes, true, false);
  const Extents together = broadcast_shape(name, operands);
  if (!x.shape.has_rank() || !together.has_rank()) return {type, x.shape};
  bool fits = x.shape.rank() == together.rank();
  for (std::size_t axis = 0; fits && axis < x.shape.rank(); ++axis)
    fits = !x.shape[axis].is_known() || !together[axis].is_known() ||
           x.shape[axis].low == together[axis].low;
  if (!fits)
    throw ShapeError(fmt::format("{}: x of shape {} would be broadcast to {}", name,
                                 to_string(x.shape.partial()), to_string(together.partial())));
  return {type, x.shape};
}

struct LayerNorm {
  static constexpr std::string_view name = "layer_norm";
  static constexpr const Op& op = layer_norm_op;
  static constexpr std::tuple fields{
      operand("x", "what is normalised"), operand("scale", "of each element"),
      operand("bias", "added to each element"),
      parameter("axes", "those that mean and variance are along", -1),
      parameter("epsilon", "added to the variance", 1e-5)};

  static KnownType infer(const KnownType& x, const KnownType& scale, const KnownType& bias,
                         const Ints& axes, const double&) {
    return infer_norm(name, {&x, &scale, &bias},
                      common_type(name, kinds::floats, {x.dtype, scale.dtype, bias.dtype}), axes);
  }
  static Tensor make(const TensorType& type, const Tensor& x, const Tensor& scale,
                     const Tensor& bias, const Ints& axes, const double& epsilon) {
    const DType wide = wide_type(type.dtype);
    const Tensor own = astype(x, wide), off = subtract(own, mean(own, axes, true));
    const Tensor by = rsqrt(add(mean(square(off), axes, true), Scalar(epsilon)));
    return astype(add(multiply(multiply(off, by), astype(scale, wide)), astype(bias, wide)),
                  type.dtype);
  }
};

struct RmsNorm {
  static constexpr std::string_view name = "rms_norm";
  static constexpr const Op& op = rms_norm_op;
  static constexpr std::tuple fields{operand("x", "what is normalised"),
                                     operand("scale", "of each element"),
                                     parameter("axes", "those that the mean is along", -1),
                                     parameter("epsilon", "added to the mean", 1e-5)};

  static KnownType infer(const KnownType& x, const KnownType& scale, const Ints& axes,
                         const double&) {
    return infer_norm(name, {&x, &scale}, common_type(name, kinds::floats, {x.dtype, scale.dtype}),
                      axes);
  }
  static Tensor make(const TensorType& type, const Tensor& x, const Tensor& scale, const Ints& axes,
                     const double& epsilon) {
    const DType wide = wide_type(type.dtype);
    const Tensor own = astype(x, wide);
    const Tensor by = rsqrt(add(mean(square(own), axes, true), Scalar(epsilon)));
    return astype(multiply(multiply(own, by), astype(scale, wide)), type.dtype);
  }
};

}  // namespace

constinit const Op layer_norm_op = op_of<LayerNorm>();
constinit const Op rms_norm_op = op_of<RmsNorm>();

Tensor layer_norm(const Tensor& x, const Tensor& scale, const Tensor& bias, const Ints& axes,
                  double epsilon) {
  return build<LayerNorm>(x, scale, bias, axes, epsilon);
}
Tensor rms_norm(const Tensor& x, const Tensor& scale, const Ints& axes, double epsilon) {
  return build<RmsNorm>(x, scale, axes, epsilon);
}

Tensor ReduceMethods::layer_norm(const Tensor& scale, const Tensor& bias, const Ints& axes,
                                 double epsilon) const {
  return weft::layer_norm(tensor(), scale, bias, axes, epsilon);
}
Tensor ReduceMethods::rms_norm(const Tensor& scale, const Ints& axes, double epsilon) const {
  return weft::rms_norm(tensor(), scale, axes, epsilon);
}

}  // namespace weft
