// SPDX-License-Identifier: Apache-2.0
// zeros, ones and their kin: full of 0 or 1.
#include <weft/ops/fills.h>

namespace weft {

Tensor zeros(const Ints& shape, DType dtype) { return full(shape, 0, dtype); }
Tensor ones(const Ints& shape, DType dtype) { return full(shape, 1, dtype); }

Tensor zeros_like(const Tensor& x) { return full_like(x, 0); }
Tensor zeros_like(const Tensor& x, DType dtype) { return full_like(x, 0, dtype); }
Tensor ones_like(const Tensor& x) { return full_like(x, 1); }
Tensor ones_like(const Tensor& x, DType dtype) { return full_like(x, 1, dtype); }
Tensor full_like(const Tensor& x, const Scalar& value) { return full_like(x, value, x.dtype()); }
Tensor full_like(const Tensor& x, const Scalar& value, DType dtype) {
  return full(x.shape(), value, dtype);
}

Tensor eye(const Ints& rows, const Ints& columns, const Ints& k, DType dtype) {
  const std::int64_t height = check_single("eye", "rows", rows);
  const std::int64_t width = columns.is_none() ? height : check_single("eye", "columns", columns);
  return ones({height, width}, dtype).tril(k).triu(k);
}

}  // namespace weft
