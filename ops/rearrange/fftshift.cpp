// SPDX-License-Identifier: Apache-2.0
// fftshift: what it refuses, and which roll it is.
#include <weft/ops/rearrange/fftshift.h>

#include <weft/graph/define.h>
#include <weft/ops/rearrange/roll.h>

namespace weft {
namespace detail {

KnownType check_shifted_axes(std::string_view op, const KnownType& x, const Ints& axes) {
  if (axes.is_none()) return x;
  check_integer(op, "axes", axes);
  check_scalar_or_list(op, "axes", axes);
  if (x.shape.has_rank())
    for (std::size_t i = 0; i < axes.size(); ++i) check_axis(op, axes, i, x.shape);
  return x;
}

Tensor roll_by_half(const Tensor& x, const Ints& axes, bool forwards) {
  std::vector<std::int64_t> shifts, turned;
  const std::size_t count = axes.is_none() ? x.rank() : axes.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t axis = axes.is_none() ? i : check_axis("fftshift", axes, i, x.shape());
    const std::int64_t half = x.shape()[axis] / 2;
    shifts.push_back(forwards ? half : -half);
    turned.push_back(static_cast<std::int64_t>(axis));
  }
  return roll(x, shifts, turned);
}

}  // namespace detail

namespace {

struct FftShift {
  static constexpr std::string_view name = "fftshift";
  static constexpr const Op& op = fftshift_op;
  static constexpr std::tuple fields{operand("x", "what is turned"),
                                     parameter("axes", "those that are turned; none: all", none)};

  static KnownType infer(const KnownType& x, const Ints& axes) {
    return detail::check_shifted_axes(name, x, axes);
  }

  static Tensor make(const TensorType&, const Tensor& x, const Ints& axes) {
    return detail::roll_by_half(x, axes, true);
  }
};

}  // namespace

constinit const Op fftshift_op = op_of<FftShift>();

Tensor fftshift(const Tensor& x, const Ints& axes) { return build<FftShift>(x, axes); }

Tensor Tensor::fftshift(const Ints& axes) const { return weft::fftshift(*this, axes); }

}  // namespace weft
