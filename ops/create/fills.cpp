// SPDX-License-Identifier: Apache-2.0
// zeros, ones and their kin: full of 0 or 1.
#include <weft/ops/create/fills.h>

#include <algorithm>

namespace weft {

Tensor zeros(const Ints& shape, DType dtype) { return full(shape, 0, dtype); }
Tensor ones(const Ints& shape, DType dtype) { return full(shape, 1, dtype); }

namespace {

Tensor filled(std::string_view op, const Tensor& x, const Scalar& value, DType dtype) {
  x.held(op);
  return full(x.shape(), value, dtype);
}

}  // namespace

Tensor zeros_like(const Tensor& x) { return zeros_like(x, x.held("zeros_like").dtype()); }
Tensor zeros_like(const Tensor& x, DType dtype) { return filled("zeros_like", x, 0, dtype); }
Tensor ones_like(const Tensor& x) { return ones_like(x, x.held("ones_like").dtype()); }
Tensor ones_like(const Tensor& x, DType dtype) { return filled("ones_like", x, 1, dtype); }
Tensor full_like(const Tensor& x, const Scalar& value) {
  return full_like(x, value, x.held("full_like").dtype());
}
Tensor full_like(const Tensor& x, const Scalar& value, DType dtype) {
  return filled("full_like", x, value, dtype);
}

Tensor eye(const Ints& rows, const Ints& columns, const Ints& k, DType dtype) {
  const std::int64_t height = check_single("eye", "rows", rows);
  const std::int64_t width = columns.is_none() ? height : check_single("eye", "columns", columns);
  const std::int64_t diagonal = check_single("eye", "k", k);
  Tensor empty = zeros({height, width}, dtype);
  const std::int64_t right = std::clamp<std::int64_t>(diagonal, 0, width);
  const std::int64_t down = std::clamp<std::int64_t>(diagonal, -height, 0) * -1;
  const std::int64_t count = std::min(height - down, width - right);
  if (count <= 0) return empty;
  // Row-major, the ones are a row and a column apart: each but the last has `width` zeros after it.
  const std::int64_t first = down * width + right, others = (count - 1) * (width + 1);
  return ones({count - 1, 1}, dtype)
      .pad(0, {0, width})
      .reshape(others)
      .pad(0, 1, 1)
      .pad(first, height * width - first - others - 1)
      .reshape({height, width});
}

}  // namespace weft
