// SPDX-License-Identifier: Apache-2.0
// Operands of computations that lie somewhere already, at strides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <weft/graph/expression.h>
#include <weft/graph/map/box.h>
#include <weft/graph/value/shape.h>

namespace weft {

/// An operand as elements of another vertex, row-major, from one of them on.
struct StridedOperand {
  std::size_t vertex;
  std::int64_t offset;
  Shape strides;  ///< for each axis of the operand
};

/// The vertex below an operand, not empty, that movement in front of it makes one box with a stride
/// for each axis of; the operand itself where there is none. Nothing where movement makes more of
/// it than that, is many ops long, or, unless any strides will do, turns rows that are better
/// stored first.
std::optional<StridedOperand> strided_operand(const Expression& expression, std::size_t operand,
                                              Arena& arena, bool takes_any_strides = false);

/// Where the op of vertex v, which computes all its elements at once, reads one of its operands:
/// reductions at any strides, products where elements lie side by side along rows or columns, and
/// others where they say so. Nothing where the operand is stored for it first.
std::optional<StridedOperand> operand_in_place(const Expression& expression, std::size_t v,
                                               std::size_t operand, Arena& arena);

}  // namespace weft
