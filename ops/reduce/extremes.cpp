// SPDX-License-Identifier: Apache-2.0
// The smallest and the largest element.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/ops/reduce/extremes.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>

#include <weft/engine/kernels/compute/extremes-inl.h>
#include <weft/engine/kernels/reduce/reduce-inl.h>
#include <weft/ops/reduce/entry.h>
#include <weft/ops/reduce/extremes.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

/// Of numbers that are compared in 32 bits or more, and are the same in those.
struct Comparing {
  static constexpr TypeKinds types = kinds::reals;
  static DType computed(DType type) {
    if (type.size() == 1 || type == i16 || type == u16) return i32;
    return type == u32 ? i64 : type == f16 || type == bf16 ? f32 : type;
  }
  static DType made(DType type) { return type; }
};

struct Min : Comparing, Smaller {
  static constexpr std::string_view name = "min";
  static constexpr const Op& op = min_op;
};
struct Max : Comparing, Larger {
  static constexpr std::string_view name = "max";
  static constexpr const Op& op = max_op;
};

}  // namespace

const ReduceKernels& min_kernels(std::size_t type) { return reduce_kernels_of<Min>(type); }
const ReduceKernels& max_kernels(std::size_t type) { return reduce_kernels_of<Max>(type); }

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(min_kernels);
WEFT_BY_SET(max_kernels);

namespace {

using namespace HWY_NAMESPACE;

/// Shared equally by the elements that are the result.
Tensor adjoint(const Tensor& cotangent, const Tensor& result, const Tensor& x, const Index& axes) {
  const Tensor is_it = x.equal(beside_operand(result, x, axes));
  const Tensor count = is_it.astype(x.dtype()).sum(axes, true);
  return beside_operand(cotangent, x, axes).divide(count).where(is_it, 0);
}

constexpr Reducer min_reducer{Min::name,
                              [](DType type) -> const ReduceKernels& {
                                return on_this_machine(min_kernels_by_set)(place_of_reduced(type));
                              },
                              reduce_by_value<Min>, adjoint};
constexpr Reducer max_reducer{Max::name,
                              [](DType type) -> const ReduceKernels& {
                                return on_this_machine(max_kernels_by_set)(place_of_reduced(type));
                              },
                              reduce_by_value<Max>, adjoint};

using MinCall = ReduceCall<Min, min_reducer>;
using MaxCall = ReduceCall<Max, max_reducer>;

}  // namespace

constinit const Op min_op = op_of<MinCall>();
constinit const Op max_op = op_of<MaxCall>();

Tensor min(const Tensor& x, const Ints& axes, bool keepdims) {
  return build<MinCall>(x, axes, keepdims);
}
Tensor max(const Tensor& x, const Ints& axes, bool keepdims) {
  return build<MaxCall>(x, axes, keepdims);
}

Tensor ReduceMethods::min(const Ints& axes, bool keepdims) const {
  return weft::min(tensor(), axes, keepdims);
}
Tensor ReduceMethods::max(const Ints& axes, bool keepdims) const {
  return weft::max(tensor(), axes, keepdims);
}

}  // namespace weft
#endif
