// An expression laid out flat: its nodes in an order in which every consumer precedes its operands.
#pragma once

#include <cstdint>
#include <vector>

#include <weft/graph/node.h>

namespace weft {

/// A snapshot: nodes may gain values meanwhile, this keeps what it saw.
class Expression {
 public:
  struct Vertex {
    const Node* node;
    bool is_stored;
    std::uint32_t first_operand = 0;
    std::uint32_t operand_count = 0;
    std::uint32_t uses = 0;  ///< how often it is an operand
  };

  explicit Expression(const NodePtr& root);

  std::size_t size() const noexcept { return vertices_.size(); }
  const Vertex& operator[](std::size_t v) const { return vertices_[v]; }
  /// Vertices, consumers first.
  const std::vector<std::uint32_t>& order() const noexcept { return order_; }
  std::size_t root() const noexcept { return 0; }
  std::size_t operand(std::size_t v, std::size_t k) const {
    return operands_[vertices_[v].first_operand + k];
  }
  /// A reference that keeps the vertex's node alive.
  const NodePtr& pointer(std::size_t v) const { return pointers_[v]; }

 private:
  std::uint32_t add(const NodePtr& node);

  std::vector<Vertex> vertices_;
  std::vector<NodePtr> pointers_;
  std::vector<std::uint32_t> operands_;
  std::vector<std::uint32_t> order_;
};

}  // namespace weft
