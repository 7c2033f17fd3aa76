// SPDX-License-Identifier: Apache-2.0
// stop_gradient: its operand, and no adjoint of it.
#include <weft/ops/gradient/stop_gradient.h>

#include <weft/graph/define.h>
#include <weft/graph/map/box.h>

namespace weft {
namespace {

struct StopGradient {
  static constexpr std::string_view name = "stop_gradient";
  static constexpr const Op& op = stop_gradient_op;
  static constexpr bool keeps_order = true;
  static constexpr std::tuple fields{operand("x", "what is a constant for gradients")};

  static KnownType infer(const KnownType& x) { return x; }
  static Tensor make(TensorType type, const Tensor& x) {
    return tensor_of(StopGradient(), std::move(type), x);
  }

  void pull_back(const Shape&, const Box& box, PullBack& to) const { to.add(0, box); }
  std::size_t trace(const Shape&, Index&) const { return 0; }
  Tensors adjoint(const Tensor&, const Tensor&, const Tensors&) const { return {Tensor()}; }
};

}  // namespace

constinit const Op stop_gradient_op = op_of<StopGradient>();

Tensor stop_gradient(const Tensor& x) { return build<StopGradient>(x); }

}  // namespace weft
