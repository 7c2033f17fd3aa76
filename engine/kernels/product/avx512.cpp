// SPDX-License-Identifier: Apache-2.0
// Products for AVX-512.
#if defined(__AVX512F__)
#include <weft/engine/kernels/product/eigen_product.h>

namespace weft {

const ProductKernels* product_kernels_avx512() { return all_kernels; }

}  // namespace weft
#else
#include <weft/engine/kernels/product.h>

namespace weft {

const ProductKernels* product_kernels_avx512() { return nullptr; }

}  // namespace weft
#endif
