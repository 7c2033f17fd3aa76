// SPDX-License-Identifier: Apache-2.0
// where: what it refuses, and what it is.
#include <weft/ops/elementwise/where.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/graph/elementwise.h>
#include <weft/ops/elementwise/types.h>

namespace weft {
namespace {

void choose(const Elements& elements) {
  const bool holds = *elements.at[0] != std::byte{0};
  std::memcpy(elements.out, elements.at[holds ? 1 : 2],
              static_cast<std::size_t>(elements.type.size()));
}

constexpr Instruction select{.op = "where", .compute = choose, .kernel = "select"};

struct Where {
  static constexpr std::string_view name = "where";
  static constexpr const Op& op = where_op;
  static constexpr std::tuple fields{operand("condition", "which of the two it is"),
                                     operand("x", "where the condition holds"),
                                     operand("y", "where it does not")};

  static KnownType infer(const KnownType& condition, const KnownType& x, const KnownType& y) {
    if (condition.dtype != bool_)
      throw DtypeError(
          fmt::format("where: condition is {}, expected bool", condition.dtype.name()));
    if (y.dtype != x.dtype)
      throw DtypeError(
          fmt::format("where: y is {}, expected {} as x", y.dtype.name(), x.dtype.name()));
    return {x.dtype, broadcast_shape("where", {&condition, &x, &y})};
  }

  static Tensor make(TensorType type, const Tensor& condition, const Tensor& x, const Tensor& y) {
    return make_tensor<NodeOf<Elementwise>>(
        std::move(type), inputs_of(condition, x, y), select, x.dtype(),
        std::vector<Shape>{condition.shape(), x.shape(), y.shape()});
  }
};

}  // namespace

constinit const Op where_op = op_of<Where>();

Tensor where(const Tensor& condition, const Tensor& x, const Tensor& y) {
  return build<Where>(condition, x, y);
}

Tensor where(const Tensor& condition, const Tensor& x, const Scalar& y) {
  return where(condition, x, y.as(x.held("where").dtype(), "where"));
}
Tensor where(const Tensor& condition, const Scalar& x, const Tensor& y) {
  return where(condition, x.as(y.held("where").dtype(), "where"), y);
}

Tensor Tensor::where(const Tensor& condition, const Tensor& y) const {
  return weft::where(condition, *this, y);
}
Tensor Tensor::where(const Tensor& condition, const Scalar& y) const {
  return weft::where(condition, *this, y);
}

}  // namespace weft
