// SPDX-License-Identifier: Apache-2.0
// Products for any machine.
#include <weft/engine/kernels/product/eigen_product.h>

namespace weft {

const ProductKernels* product_kernels_portable() { return all_kernels; }

}  // namespace weft
