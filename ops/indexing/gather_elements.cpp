// SPDX-License-Identifier: Apache-2.0
// gather_elements: what it refuses, and its computation.
#include <weft/ops/indexing/gather_elements.h>

#include <fmt/format.h>
#include <type_traits>

#include <weft/graph/define.h>
#include <weft/graph/value/unit.h>
#include <weft/ops/indexing/rows.h>

namespace weft {
namespace {

/// A number that is known when this is compiled.
template <std::int64_t number>
constexpr std::integral_constant<std::int64_t, number> always{};

/// Neighbours are `along` elements apart before their places are added, each of `step` elements.
template <class Unit, class Along, class Step>
void gather(Unit unit, const std::byte* row, const std::int64_t* places, Along along, Step step,
            std::byte* to, std::int64_t count) {
  for (std::int64_t j = 0; j < count; ++j)
    unit.move(to + j * unit.size(), row + (j * along + places[j] * step) * unit.size());
}

struct GatherElements {
  std::size_t axis;
  Shape source;

  static constexpr std::string_view name = "gather_elements";
  static constexpr const Op& op = gather_elements_op;
  static constexpr std::tuple fields{
      operand("x", "whose elements are picked"), index_operand("indices", "of each element"),
      parameter("axis", &GatherElements::axis, "the axis they count along"),
      derived(&GatherElements::source)};

  static KnownType infer(const KnownType& x, const KnownType& indices, const Ints& axis) {
    detail::check_element_indices(name, "x", x, indices, axis);
    if (indices.shape.has_rank() || !x.shape.has_rank()) return {x.dtype, indices.shape};
    return {x.dtype, Extents::of_rank(x.shape.rank())};
  }

  static Tensor make(TensorType type, const Tensor& x, const Tensor& indices, const Ints& axis) {
    return tensor_of(GatherElements{check_axis(name, axis, 0, x.shape()), x.shape()},
                     std::move(type), x, indices);
  }

  std::vector<IndexBounds> bounds(const Shape&) const {
    return {{-source[axis], source[axis] - 1, "index"}};
  }

  Computation computation(const Places& places, const TensorType& type,
                          std::span<const OperandLayout> layouts) const {
    const Shape& strides = layouts[0].strides;
    return [places, strides, shape = type.shape, along = axis, size = type.dtype.size()](
               auto operands, std::byte* out, const ForParts& for_parts) {
      const std::byte* const x = operands[0];
      const std::int64_t step = strides[along], next = strides.back();
      for_parts(element_count(shape), [&](std::int64_t begin, std::int64_t end) {
        with_unit(size, [&](auto unit) {
          for_rows(shape, begin, end, [&](Index at, std::int64_t first, std::int64_t count) {
            at[along] = 0;
            const std::byte* const row = x + dot(at, strides) * unit.size();
            std::byte* const to = out + first * unit.size();
            const std::int64_t* const place = places.data() + first;
            const auto go = [&](auto from_place_to_place, auto of_place) {
              gather(unit, row, place, from_place_to_place, of_place, to, count);
            };
            const bool is_inner = along + 1 == shape.size();
            if (is_inner && step == 1) go(always<0>, always<1>);
            else if (is_inner) go(always<0>, step);
            else if (next == 1) go(always<1>, step);
            else go(next, step);
          });
        });
      });
    };
  }

  std::size_t trace(const Places& places, const Shape& shape, Index& index) const {
    index[axis] = places[static_cast<std::size_t>(linear_index(index, shape))];
    return 0;
  }
};

}  // namespace

void detail::check_element_indices(std::string_view op, std::string_view operand,
                                   const KnownType& x, const KnownType& indices, const Ints& axis) {
  check_index(op, "indices", indices.dtype);
  const bool are_known = x.shape.has_rank() && indices.shape.has_rank();
  const auto is_scalar = [](const Extents& shape) { return shape.has_rank() && shape.rank() == 0; };
  const auto rank = [](const Extents& shape) {
    return shape.has_rank() ? fmt::format("{}", shape.rank()) : std::string("?");
  };
  if (is_scalar(x.shape) || is_scalar(indices.shape) ||
      (are_known && indices.shape.rank() != x.shape.rank()))
    throw ParameterError(
        "bad_rank",
        fmt::format("{}: indices have rank {} and {} has rank {}, expected the same of at least 1",
                    op, rank(indices.shape), operand, rank(x.shape)));
  check_one(op, "axis", axis);
  if (axis.is_open() || !x.shape.has_rank()) return;
  const std::size_t at = check_axis(op, axis, 0, x.shape);
  for (std::size_t k = 0; k < x.shape.rank() && are_known; ++k)
    if (k != at && indices.shape[k].low > x.shape[k].high)
      throw ShapeError(fmt::format("{}: indices have shape {}, expected at most {} but on axis {}",
                                   op, to_string(indices.shape), to_string(x.shape), at));
}

constinit const Op gather_elements_op = op_of<GatherElements>();

Tensor gather_elements(const Tensor& x, const Tensor& indices, const Ints& axis) {
  return build<GatherElements>(x, indices, axis);
}

Tensor Tensor::gather_elements(const Tensor& indices, const Ints& axis) const {
  return weft::gather_elements(*this, indices, axis);
}

}  // namespace weft
