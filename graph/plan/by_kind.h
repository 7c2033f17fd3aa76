// SPDX-License-Identifier: Apache-2.0
// What the planner asks of a node, answered by the kind of its operation.
#pragma once

#include <fmt/format.h>

#include <weft/graph/indexed.h>
#include <weft/graph/kinds.h>
#include <weft/graph/map/cyclic_map.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/node.h>
#include <weft/graph/open.h>
#include <weft/graph/value/error.h>

namespace weft::by_kind {

inline bool keeps_order(const Node& node) {
  const auto* const movement = node.operation().as<Movement>();
  return movement && movement->keeps_order();
}

inline bool must_be_stored(const Node& node) {
  const auto* const movement = node.operation().as<Movement>();
  return movement && movement->must_be_stored();
}

/// Whether it only turns and permutes axes.
inline bool composes(const Node& node) {
  const auto* const movement = node.operation().as<Movement>();
  return movement && movement->composes();
}
/// Goes on from a map to such a node to the map to its operand.
inline void compose(const Node& node, CyclicMap& map) {
  node.operation().as<Movement>()->compose(node.shape(), map);
}

/// Whether all elements are computed at once.
inline bool is_computed(const Node& node) {
  const auto* const indexed = node.operation().as<IndexedMovement>();
  const Operation::Kind kind = node.operation().kind();
  return indexed ? indexed->is_computed()
                 : kind == Operation::Kind::opaque || kind == Operation::Kind::reduction ||
                       kind == Operation::Kind::product;
}

/// What computes them, of one that is or may be, from operands that lie so.
inline Computation computation(const Node& node, const Indices& indices,
                               std::span<const OperandLayout> layouts) {
  const TensorType type{node.dtype(), node.shape()};
  const auto* const indexed = node.operation().as<IndexedMovement>();
  return indexed ? indexed->computation(indices.of(node), type, layouts)
                 : node.operation().as<Opaque>()->computation(type);
}

/// A box as boxes of the operands.
inline void pull_back(const Node& node, const Indices& indices, const Box& box, PullBack& to) {
  const Operation& operation = node.operation();
  switch (operation.kind()) {
    case Operation::Kind::movement:
      return operation.as<Movement>()->pull_back(node.shape(), box, to);
    case Operation::Kind::indexed_movement:
      return operation.as<IndexedMovement>()->pull_back(indices.of(node), node.shape(), box, to);
    case Operation::Kind::deferred:
      throw_open();
    default:
      throw InternalError(fmt::format("{}: has no boxes", operation.name()));
  }
}

}  // namespace weft::by_kind
