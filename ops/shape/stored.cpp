// SPDX-License-Identifier: Apache-2.0
// stored: a node that is never pulled through, but for what is stored in its stead.
#include <weft/ops/shape/stored.h>

#include <weft/graph/define.h>
#include <weft/graph/map/box.h>

namespace weft {
namespace {

struct StoredOnTheWay {
  static constexpr std::string_view name = "stored";
  static constexpr const Op& op = stored_op;
  static constexpr bool must_be_stored = true;
  static constexpr std::tuple fields{operand("x", "what is stored")};

  static KnownType infer(const KnownType& x) { return x; }
  static Tensor make(TensorType type, const Tensor& x) {
    const auto* const above = x.node().operation().as<Movement>();
    const bool is_already = x.is_stored() || (above && above->must_be_stored());
    return is_already ? x : tensor_of(StoredOnTheWay(), std::move(type), x);
  }

  void pull_back(const Shape&, const Box& box, PullBack& to) const { to.add(0, box); }
  std::size_t trace(const Shape&, Index&) const { return 0; }
  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors&) const {
    return {cotangent};
  }
};

}  // namespace

constinit const Op stored_op = op_of<StoredOnTheWay>();

Tensor stored(const Tensor& x) { return build<StoredOnTheWay>(x); }

Tensor Tensor::stored() const { return weft::stored(*this); }

}  // namespace weft
