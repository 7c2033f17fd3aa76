// SPDX-License-Identifier: Apache-2.0
// tril: a triangle.
#include <weft/ops/write/tril.h>

#include <weft/ops/write/triangle.h>

namespace weft {
namespace {

struct Tril {
  static constexpr std::string_view name = "tril";
  static constexpr const Op& op = tril_op;
  static constexpr std::tuple fields{std::get<0>(Triangle::fields), std::get<1>(Triangle::fields)};

  static KnownType infer(const KnownType& x, const Ints& k) { return Triangle::infer(name, x, k); }
  static Tensor make(TensorType type, const Tensor& x, const Ints& k) {
    return Triangle::make(std::move(type), x, k, Side::lower);
  }
};

}  // namespace

constinit const Op tril_op = op_of<Tril>();

Tensor tril(const Tensor& x, const Ints& k) { return build<Tril>(x, k); }

Tensor Tensor::tril(const Ints& k) const { return weft::tril(*this, k); }

}  // namespace weft
