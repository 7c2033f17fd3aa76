// SPDX-License-Identifier: Apache-2.0
// where: what it refuses, and its computation.
#include <weft/ops/elementwise/where.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/graph/value/unit.h>
#include <weft/ops/indexing/rows.h>

namespace weft {
namespace {

/// Strides of a tensor that is broadcast to `shape`: 0 on the axes that repeat it.
Shape broadcast_strides(const Shape& own, const Shape& shape) {
  Shape strides(shape.size(), 0);
  std::int64_t stride = 1;
  for (std::size_t k = own.size(); k-- > 0;) {
    if (own[k] != 1) strides[shape.size() - own.size() + k] = stride;
    stride *= own[k];
  }
  return strides;
}

/// `count` elements one by one. Operands go on by an element each step or stand still.
template <class Word, std::int64_t step_x, std::int64_t step_y>
void choose_words(const std::byte* holds, const std::byte* x, const std::byte* y, std::byte* to,
                  std::int64_t count) {
  constexpr std::int64_t size = sizeof(Word);
  for (std::int64_t j = 0; j < count; ++j) {
    // Both are read whatever holds: the compiler makes vectors of that.
    Word a, b;
    std::memcpy(&a, x + j * step_x * size, sizeof(Word));
    std::memcpy(&b, y + j * step_y * size, sizeof(Word));
    const Word chosen = holds[j] != std::byte{0} ? a : b;
    std::memcpy(to + j * size, &chosen, sizeof(Word));
  }
}

using ChooseRow = decltype(&choose_words<std::uint8_t, 1, 1>);

template <class Word>
ChooseRow choose_row_of(std::int64_t by_x, std::int64_t by_y) {
  if (by_x == 1) return by_y == 1 ? choose_words<Word, 1, 1> : choose_words<Word, 1, 0>;
  return by_y == 1 ? choose_words<Word, 0, 1> : choose_words<Word, 0, 0>;
}

/// For elements that a register holds; none for others.
ChooseRow choose_row_of(std::int64_t size, std::int64_t by_x, std::int64_t by_y) {
  switch (size) {
    case 1:
      return choose_row_of<std::uint8_t>(by_x, by_y);
    case 2:
      return choose_row_of<std::uint16_t>(by_x, by_y);
    case 4:
      return choose_row_of<std::uint32_t>(by_x, by_y);
    case 8:
      return choose_row_of<std::uint64_t>(by_x, by_y);
    default:
      return nullptr;
  }
}

struct Choice {
  Storage condition;
  Shape shape, of_condition, of_x, of_y;  // strides
  std::int64_t size;

  void run(std::span<const std::byte* const> operands, std::byte* out,
           const ForParts& for_parts) const {
    for_parts(element_count(shape), [&](std::int64_t begin, std::int64_t end) {
      with_unit(size, [&](auto unit) { choose(unit, begin, end, operands, out); });
    });
  }

 private:
  template <class Unit>
  void choose(Unit unit, std::int64_t begin, std::int64_t end,
              std::span<const std::byte* const> operands, std::byte* out) const {
    const auto step = [](const Shape& strides) { return strides.size() == 0 ? 0 : strides.back(); };
    const std::int64_t by = step(of_condition), by_x = step(of_x), by_y = step(of_y);
    const ChooseRow choose_row = by == 1 ? choose_row_of(unit.size(), by_x, by_y) : nullptr;
    for_rows(shape, begin, end, [&](const Index& at, std::int64_t first, std::int64_t count) {
      const std::byte* const holds = condition.get() + dot(at, of_condition);
      const std::byte* const x = operands[0] + dot(at, of_x) * unit.size();
      const std::byte* const y = operands[1] + dot(at, of_y) * unit.size();
      std::byte* const to = out + first * unit.size();
      if (choose_row) return choose_row(holds, x, y, to, count);
      for (std::int64_t j = 0; j < count; ++j)
        unit.move(to + j * unit.size(), holds[j * by] != std::byte{0} ? x + j * by_x * unit.size()
                                                                      : y + j * by_y * unit.size());
    });
  }
};

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
      Extent& extent = shape[rank - tensor->shape.rank() + k];
      const std::optional<Extent> both = broadcast(extent, tensor->shape[k]);
      if (!both) {
        std::string shapes;
        for (const KnownType* each : tensors)
          shapes += (shapes.empty() ? "" : ", ") + to_string(each->shape);
        throw ShapeError(fmt::format("where: shapes {} do not broadcast to one", shapes));
      }
      extent = *both;
    }
  return shape;
}

struct Where {
  Shape of_condition, of_x, of_y;

  static constexpr std::size_t index = 0;
  static constexpr std::string_view name = "where";
  static constexpr const Op& op = where_op;
  static constexpr std::tuple fields{index_operand("condition", "which of the two it is"),
                                     operand("x", "where the condition holds"),
                                     operand("y", "where it does not"),
                                     derived(&Where::of_condition),
                                     derived(&Where::of_x),
                                     derived(&Where::of_y)};

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
    return tensor_of(Where{condition.shape(), x.shape(), y.shape()}, std::move(type), condition, x,
                     y);
  }

  /// None: the condition is handed on as it lies.
  std::vector<IndexBounds> bounds(const Shape&) const { return {}; }

  Computation computation(const Places& condition, const TensorType& type) const {
    const Shape& shape = type.shape;
    return [choice = Choice{condition.memory(), shape, broadcast_strides(of_condition, shape),
                            broadcast_strides(of_x, shape), broadcast_strides(of_y, shape),
                            type.dtype.size()}](auto operands, std::byte* out,
                                                const ForParts& for_parts) {
      choice.run(operands, out, for_parts);
    };
  }

  std::size_t trace(const Places& condition, const Shape& shape, Index& at) const {
    const std::int64_t position = dot(at, broadcast_strides(of_condition, shape));
    const bool is_x = condition.memory().get()[position] != std::byte{0};
    const Shape& chosen = is_x ? of_x : of_y;
    Index source;
    for (std::size_t k = 0; k < chosen.size(); ++k)
      source.push_back(chosen[k] == 1 ? 0 : at[at.size() - chosen.size() + k]);
    at = source;
    return is_x ? 1 : 2;
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
