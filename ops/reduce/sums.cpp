// SPDX-License-Identifier: Apache-2.0
// Sums and products of elements.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/ops/reduce/sums.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>

#include <weft/engine/kernels/reduce/reduce-inl.h>
#include <weft/ops/reduce/entry.h>
#include <weft/ops/reduce/sums.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

/// Of numbers that are added and multiplied in 64 bits, or as they are.
struct Wide {
  static constexpr TypeKinds types{.boolean = true, .integer = true, .floating = true};
  static DType computed(DType type) { return wide_type(type); }
  static DType made(DType type) { return type == f16 || type == bf16 ? type : wide_type(type); }
};

struct Sum : Wide, Added {
  static constexpr std::string_view name = "sum";
  static constexpr const Op& op = sum_op;

  template <class D, class V>
  static HWY_INLINE V vector(D, V x, V y) {
    return hn::Add(x, y);
  }
};

struct Prod : Wide, Multiplied {
  static constexpr std::string_view name = "prod";
  static constexpr const Op& op = prod_op;

  template <class D, class V>
  static HWY_INLINE V vector(D, V x, V y) requires(hwy::IsFloat<hn::TFromD<D>>() ||
                                                   sizeof(hn::TFromD<D>) < 8) {
    return hn::Mul(x, y);
  }
};

}  // namespace

const ReduceKernels& sum_kernels(std::size_t type) { return reduce_kernels_of<Sum>(type); }
const ReduceKernels& prod_kernels(std::size_t type) { return reduce_kernels_of<Prod>(type); }

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(sum_kernels);
WEFT_BY_SET(prod_kernels);

namespace {

using namespace HWY_NAMESPACE;

Tensor sum_adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x, const Index& axes) {
  return beside_operand(cotangent, x, axes).broadcast_to(x.shape());
}

/// Products of the elements in front of each; those are right where others are 0.
Tensor products_before(const Tensor& line, std::int64_t extent) {
  return line.cumulative_prod(1, true).slice({0}, {extent}, none, {1});
}
Tensor prod_adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x, const Index& axes) {
  std::int64_t outer = 1, extent = 1;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    const auto at = static_cast<std::int64_t>(axis);
    if (!axes.empty() && at < axes[0]) outer *= x.shape()[axis];
    else if (!axes.empty() && at <= axes.back()) extent *= x.shape()[axis];
  }
  const std::int64_t inner = x.size() / outer / extent;
  const Tensor line = x.reshape({outer, extent, inner});
  const Tensor others =
      products_before(line, extent).multiply(products_before(line.flip(1), extent).flip(1));
  return others.multiply(cotangent.reshape({outer, 1, inner})).reshape(x.shape());
}

constexpr Reducer sum_reducer{Sum::name,
                              [](DType type) -> const ReduceKernels& {
                                return on_this_machine(sum_kernels_by_set)(place_of_reduced(type));
                              },
                              reduce_by_value<Sum>, sum_adjoint};
constexpr Reducer prod_reducer{
    Prod::name,
    [](DType type) -> const ReduceKernels& {
      return on_this_machine(prod_kernels_by_set)(place_of_reduced(type));
    },
    reduce_by_value<Prod>, prod_adjoint};

using SumCall = ReduceCall<Sum, sum_reducer>;
using ProdCall = ReduceCall<Prod, prod_reducer>;

}  // namespace

constinit const Op sum_op = op_of<SumCall>();
constinit const Op prod_op = op_of<ProdCall>();

Tensor sum(const Tensor& x, const Ints& axes, bool keepdims) {
  return build<SumCall>(x, axes, keepdims);
}
Tensor sum(const Tensor& x, const Ints& axes, bool keepdims, DType dtype) {
  return astype(sum(astype(x, dtype), axes, keepdims), dtype);
}
Tensor prod(const Tensor& x, const Ints& axes, bool keepdims) {
  return build<ProdCall>(x, axes, keepdims);
}
Tensor prod(const Tensor& x, const Ints& axes, bool keepdims, DType dtype) {
  return astype(prod(astype(x, dtype), axes, keepdims), dtype);
}

Tensor ReduceMethods::sum(const Ints& axes, bool keepdims) const {
  return weft::sum(tensor(), axes, keepdims);
}
Tensor ReduceMethods::prod(const Ints& axes, bool keepdims) const {
  return weft::prod(tensor(), axes, keepdims);
}

}  // namespace weft
#endif
