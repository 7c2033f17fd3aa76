// SPDX-License-Identifier: Apache-2.0
// An expression laid out flat: its nodes in an order in which every consumer precedes its operands.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <weft/graph/node.h>
#include <weft/graph/value/small_vector.h>

namespace weft {

/// A snapshot: nodes may gain values meanwhile, this keeps what it saw.
class Expression {
 public:
  struct Vertex {
    const Node* node;
    bool is_stored;
    bool is_entered;  ///< of use while it is built
    std::uint32_t first_operand;
    std::uint32_t operand_count;
    std::uint32_t uses;  ///< how often it is an operand
  };
  using Numbers = SmallVector<std::uint32_t, 16>;

  explicit Expression(const NodePtr& root) : Expression(std::span(&root, 1)) {}
  /// Several at once: what they share is there once.
  explicit Expression(std::span<const NodePtr> roots);

  std::size_t size() const noexcept { return vertices_.size(); }
  const Vertex& operator[](std::size_t v) const { return vertices_[v]; }
  const NodePtr& pointer(std::size_t v) const {
    return v < few ? few_pointers_[v] : more_pointers_[v - few];
  }
  /// Vertices, consumers first.
  const Numbers& order() const noexcept { return order_; }
  std::size_t root() const noexcept { return 0; }
  /// The vertices of the roots, in the order in which they were given.
  const Numbers& roots() const noexcept { return roots_; }
  std::size_t operand(std::size_t v, std::size_t k) const {
    return operands_[vertices_[v].first_operand + k];
  }

 private:
  class Numbering;
  void enter(std::uint32_t v, Numbering& numbering);
  void walk(std::uint32_t root, Numbering& numbering);

  static constexpr std::size_t few = 16;

  SmallVector<Vertex, few> vertices_;
  // Keep the nodes alive; those of few vertices are within.
  std::array<NodePtr, few> few_pointers_;
  std::vector<NodePtr> more_pointers_;
  Numbers operands_;
  Numbers order_;
  Numbers roots_;
};

}  // namespace weft
