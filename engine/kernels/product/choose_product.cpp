// SPDX-License-Identifier: Apache-2.0
// Choosing what multiplies by what the machine has.
#include <hwy/targets.h>

#include <weft/engine/kernels/product.h>
#include <weft/engine/kernels/targets.h>

namespace weft {
namespace {

const ProductKernels* best_kernels() {
  const std::int64_t targets = hwy::SupportedTargets();
  const auto has = [&](std::int64_t target) { return (targets & target) != 0; };
  if (const ProductKernels* const best = product_kernels_avx512(); best && has(HWY_AVX3))
    return best;
  if (const ProductKernels* const best = product_kernels_avx2(); best && has(HWY_AVX2 | HWY_AVX3))
    return best;
  return product_kernels_portable();
}

}  // namespace

const ProductKernels& product_kernels(DType type) {
  return best_kernels()[type == f32 ? 0 : type == f64 ? 1 : type.size() == 4 ? 2 : 3];
}

}  // namespace weft
