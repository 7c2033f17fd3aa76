// SPDX-License-Identifier: Apache-2.0
// Choosing what multiplies by what the machine has.
#include <weft/engine/kernels/instruction_set.h>
#include <weft/engine/kernels/product.h>

namespace weft {
namespace {

const ProductKernels* best_kernels() {
  const InstructionSet set = instruction_set();
  if (const ProductKernels* const best = product_kernels_avx512();
      best && set <= InstructionSet::avx512)
    return best;
  if (const ProductKernels* const best = product_kernels_avx2();
      best && set != InstructionSet::baseline)
    return best;
  return product_kernels_portable();
}

}  // namespace

const ProductKernels& product_kernels(DType type) {
  return best_kernels()[type == f32 ? 0 : type == f64 ? 1 : type.size() == 4 ? 2 : 3];
}

}  // namespace weft
