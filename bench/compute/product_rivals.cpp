// SPDX-License-Identifier: Apache-2.0
// oneDNN's and OpenBLAS's matrix products.
#include "compute/product_rivals.h"

#ifdef WEFT_HAS_ONEDNN
#include <dnnl.h>
#endif
#ifdef WEFT_HAS_OPENBLAS
#include <cblas.h>
#endif

namespace weft::bench {

std::vector<ProductRival> product_rivals() {
  std::vector<ProductRival> rivals;
#ifdef WEFT_HAS_ONEDNN
  rivals.push_back({"oneDNN", [](const float* a, const float* b, float* out, std::int64_t rows,
                                 std::int64_t inner, std::int64_t columns, bool is_turned) {
                      dnnl_sgemm('N', is_turned ? 'T' : 'N', rows, columns, inner, 1.0f, a, inner,
                                 b, is_turned ? inner : columns, 0.0f, out, columns);
                    }});
#endif
#ifdef WEFT_HAS_OPENBLAS
  rivals.push_back(
      {"OpenBLAS", [](const float* a, const float* b, float* out, std::int64_t rows,
                      std::int64_t inner, std::int64_t columns, bool is_turned) {
         const auto of = [](std::int64_t extent) { return static_cast<blasint>(extent); };
         cblas_sgemm(CblasRowMajor, CblasNoTrans, is_turned ? CblasTrans : CblasNoTrans, of(rows),
                     of(columns), of(inner), 1.0f, a, of(inner), b, of(is_turned ? inner : columns),
                     0.0f, out, of(columns));
       }});
#endif
  return rivals;
}

}  // namespace weft::bench
