// SPDX-License-Identifier: Apache-2.0
// Choosing what multiplies by what the machine has.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/product/choose_product.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <weft/engine/kernels/product.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

std::int64_t own_target() { return HWY_TARGET; }

}  // namespace
}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {
namespace {

HWY_EXPORT(own_target);

const ProductKernels* best_kernels() {
  // Asking the processor takes microseconds on virtual machines; what was dispatched before is
  // known.
  const std::int64_t target = HWY_DYNAMIC_DISPATCH(own_target)();
  if (const ProductKernels* const best = product_kernels_avx512(); best && target <= HWY_AVX3)
    return best;
  if (const ProductKernels* const best = product_kernels_avx2(); best && target <= HWY_AVX2)
    return best;
  return product_kernels_portable();
}

}  // namespace

const ProductKernels& product_kernels(DType type) {
  return best_kernels()[type == f32 ? 0 : type == f64 ? 1 : type.size() == 4 ? 2 : 3];
}

}  // namespace weft
#endif
