// SPDX-License-Identifier: Apache-2.0
// ifftshift: what it refuses, and which roll it is.
#include <weft/ops/rearrange/ifftshift.h>

#include <weft/graph/op.h>
#include <weft/ops/rearrange/fftshift.h>

namespace weft {

const Op ifftshift_op{"ifftshift", {"x"}, {"axes"}, call<weft::ifftshift>, first_shape};

Tensor ifftshift(const Tensor& x, const Ints& axes) {
  if (is_any_open(ifftshift_op, x, axes)) return defer(ifftshift_op, {{x}, {axes}});
  return detail::roll_by_half("ifftshift", x, axes, false);
}

Tensor Tensor::ifftshift(const Ints& axes) const { return weft::ifftshift(*this, axes); }

}  // namespace weft
