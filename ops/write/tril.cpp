// SPDX-License-Identifier: Apache-2.0
// tril: a triangle.
#include <weft/ops/write/tril.h>

#include <weft/graph/op.h>
#include <weft/ops/write/triangle.h>

namespace weft {

const Op tril_op{"tril", {"x"}, {"k"}, call<weft::tril>, first_shape};

Tensor tril(const Tensor& x, const Ints& k) {
  if (is_any_open(tril_op, x, k)) return defer(tril_op, {{x}, {k}});
  return triangle("tril", x, k, Side::lower);
}

Tensor Tensor::tril(const Ints& k) const { return weft::tril(*this, k); }

}  // namespace weft
