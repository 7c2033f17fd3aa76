// SPDX-License-Identifier: Apache-2.0
// ifftshift: what it refuses, and which roll it is.
#include <weft/ops/rearrange/ifftshift.h>

#include <weft/graph/define.h>
#include <weft/ops/rearrange/fftshift.h>

namespace weft {
namespace {

struct IfftShift {
  static constexpr std::string_view name = "ifftshift";
  static constexpr const Op& op = ifftshift_op;
  static constexpr std::tuple fields{operand("x", "what is turned"),
                                     parameter("axes", "those that are turned; none: all", none)};

  static KnownType infer(const KnownType& x, const Ints& axes) {
    return detail::check_shifted_axes(name, x, axes);
  }

  static Tensor make(const TensorType&, const Tensor& x, const Ints& axes) {
    return detail::roll_by_half(x, axes, false);
  }
};

}  // namespace

constinit const Op ifftshift_op = op_of<IfftShift>();

Tensor ifftshift(const Tensor& x, const Ints& axes) { return build<IfftShift>(x, axes); }

Tensor Tensor::ifftshift(const Ints& axes) const { return weft::ifftshift(*this, axes); }

}  // namespace weft
