// SPDX-License-Identifier: Apache-2.0
// swapaxes: what it refuses, and the transpose it is.
#include <weft/ops/shape/swapaxes.h>

#include <numeric>
#include <utility>

#include <weft/graph/define.h>
#include <weft/ops/shape/transpose.h>

namespace weft {
namespace {

struct SwapAxes {
  static constexpr std::string_view name = "swapaxes";
  static constexpr const Op& op = swapaxes_op;
  static constexpr std::tuple fields{operand("x", "whose axes are exchanged"),
                                     parameter("axis1", "one of them"),
                                     parameter("axis2", "the other")};

  /// Swaps what is known of the extents; axes that are not known open all of them.
  static KnownType infer(const KnownType& x, const Ints& axis1, const Ints& axis2) {
    check_singles(name, {{"axis1", axis1}, {"axis2", axis2}});
    if (!x.shape.has_rank()) return x;
    for (const Ints* axis : {&axis1, &axis2})
      if (!axis->is_open()) check_axis(name, *axis, 0, x.shape);
    if (is_any_open(axis1, axis2)) return {x.dtype, Extents::of_rank(x.shape.rank())};
    const std::size_t first = check_axis(name, axis1, 0, x.shape);
    const std::size_t second = check_axis(name, axis2, 0, x.shape);
    KnownType result = x;
    result.shape.set(first, x.shape[second]);
    result.shape.set(second, x.shape[first]);
    return result;
  }

  static Tensor make(const TensorType&, const Tensor& x, const Ints& axis1, const Ints& axis2) {
    Index order(x.rank());
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[check_axis(name, axis1, 0, x.shape())],
              order[check_axis(name, axis2, 0, x.shape())]);
    return transpose(x, order);
  }
};

}  // namespace

constinit const Op swapaxes_op = op_of<SwapAxes>();

Tensor swapaxes(const Tensor& x, const Ints& axis1, const Ints& axis2) {
  return build<SwapAxes>(x, axis1, axis2);
}

Tensor Tensor::swapaxes(const Ints& axis1, const Ints& axis2) const {
  return weft::swapaxes(*this, axis1, axis2);
}

}  // namespace weft
