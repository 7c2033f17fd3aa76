// SPDX-License-Identifier: Apache-2.0
// Products for AVX2 with FMA.
#if defined(__AVX2__) && defined(__FMA__)
#include <weft/engine/kernels/product/eigen_product.h>

namespace weft {

const ProductKernels* product_kernels_avx2() { return all_kernels; }

}  // namespace weft
#else
#include <weft/engine/kernels/product.h>

namespace weft {

const ProductKernels* product_kernels_avx2() { return nullptr; }

}  // namespace weft
#endif
