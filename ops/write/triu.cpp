// SPDX-License-Identifier: Apache-2.0
// triu: a triangle.
#include <weft/ops/write/triu.h>

#include <weft/graph/op.h>
#include <weft/ops/write/triangle.h>

namespace weft {

const Op triu_op{"triu", {"x"}, {"k"}, call<weft::triu>, first_shape};

Tensor triu(const Tensor& x, const Ints& k) {
  if (is_any_open(triu_op, x, k)) return defer(triu_op, {{x}, {k}});
  return triangle("triu", x, k, Side::upper);
}

Tensor Tensor::triu(const Ints& k) const { return weft::triu(*this, k); }

}  // namespace weft
