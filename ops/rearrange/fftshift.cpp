// SPDX-License-Identifier: Apache-2.0
// fftshift: what it refuses, and which roll it is.
#include <weft/ops/rearrange/fftshift.h>

#include <weft/graph/op.h>
#include <weft/ops/rearrange/roll.h>

namespace weft {
namespace detail {

Tensor roll_by_half(std::string_view op, const Tensor& x, const Ints& axes, bool forwards) {
  if (!axes.is_none()) {
    check_integer(op, "axes", axes);
    check_scalar_or_list(op, "axes", axes);
  }
  std::vector<std::int64_t> shifts, turned;
  const std::size_t count = axes.is_none() ? x.rank() : axes.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t axis = axes.is_none() ? i : check_axis(op, axes, i, x.shape());
    const std::int64_t half = x.shape()[axis] / 2;
    shifts.push_back(forwards ? half : -half);
    turned.push_back(static_cast<std::int64_t>(axis));
  }
  return roll(x, shifts, turned);
}

}  // namespace detail

const Op fftshift_op{"fftshift", {"x"}, {"axes"}, call<weft::fftshift>, first_shape};

Tensor fftshift(const Tensor& x, const Ints& axes) {
  if (is_any_open(fftshift_op, x, axes)) return defer(fftshift_op, {{x}, {axes}});
  return detail::roll_by_half("fftshift", x, axes, true);
}

Tensor Tensor::fftshift(const Ints& axes) const { return weft::fftshift(*this, axes); }

}  // namespace weft
