// SPDX-License-Identifier: Apache-2.0
// triu: a triangle.
#include <weft/ops/write/triu.h>

#include <weft/ops/write/triangle.h>

namespace weft {
namespace {

struct Triu {
  static constexpr std::string_view name = "triu";
  static constexpr const Op& op = triu_op;
  static constexpr std::tuple fields{std::get<0>(Triangle::fields), std::get<1>(Triangle::fields)};

  static KnownType infer(const KnownType& x, const Ints& k) { return Triangle::infer(name, x, k); }
  static Tensor make(TensorType type, const Tensor& x, const Ints& k) {
    return Triangle::make(std::move(type), x, k, Side::upper);
  }
};

}  // namespace

constinit const Op triu_op = op_of<Triu>();

Tensor triu(const Tensor& x, const Ints& k) { return build<Triu>(x, k); }

Tensor Tensor::triu(const Ints& k) const { return weft::triu(*this, k); }

}  // namespace weft
