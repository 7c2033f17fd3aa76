// SPDX-License-Identifier: Apache-2.0
// where: what it refuses, and what it is.
#include <weft/ops/elementwise/where.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/graph/elementwise.h>

namespace weft {
namespace {

void choose(const std::byte* const* operands, std::byte* out, std::int64_t size) {
  const bool holds = *operands[0] != std::byte{0};
  std::memcpy(out, operands[holds ? 1 : 2], static_cast<std::size_t>(size));
}

constexpr Instruction select{"where", "select", choose};

/// What is known of the extent that two make, where either may be 1 and repeat; nothing where they
/// make none.
std::optional<Extent> broadcast(const Extent& a, const Extent& b) {
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  if (a.is_known() && b.is_known()) return a.low == b.low ? std::optional(a) : std::nullopt;
  if (a == b) return a;
  // An extent that one of them surely has, and that is not 1, is that of the result.
  if (a.is_known()) return a;
  if (b.is_known()) return b;
  return Extent();
}

/// NumPy's: aligned at the last axis; extents of 1 repeat.
Extents broadcast_shape(const std::initializer_list<const KnownType*>& tensors) {
  std::size_t rank = 0;
  for (const KnownType* tensor : tensors) {
    if (!tensor->shape.has_rank()) return Extents::any();
    rank = std::max(rank, tensor->shape.rank());
  }
  Extents shape(Shape(rank, 1));
  for (const KnownType* tensor : tensors)
    for (std::size_t k = 0; k < tensor->shape.rank(); ++k) {
      const std::size_t axis = rank - tensor->shape.rank() + k;
      const std::optional<Extent> both = broadcast(shape[axis], tensor->shape[k]);
      if (!both) {
        std::string shapes;
        for (const KnownType* each : tensors)
          shapes += (shapes.empty() ? "" : ", ") + to_string(each->shape);
        throw ShapeError(fmt::format("where: shapes {} do not broadcast to one", shapes));
      }
      shape.set(axis, *both);
    }
  return shape;
}

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
    return {x.dtype, broadcast_shape({&condition, &x, &y})};
  }

  static Tensor make(TensorType type, const Tensor& condition, const Tensor& x, const Tensor& y) {
    return make_tensor<NodeOf<Elementwise>>(
        std::move(type), inputs_of(condition, x, y), select,
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
