// SPDX-License-Identifier: Apache-2.0
// Writing an expression down as numbers.
#include <weft/graph/structural_key.h>

#include <typeinfo>

namespace weft {

StructuralKey::StructuralKey(const Expression& expression) {
  for (std::size_t v = 0; v < expression.size(); ++v) {
    const auto& [node, is_stored, is_entered, first, operands, uses] = expression[v];
    add(static_cast<std::int64_t>(node->dtype().kind()));
    add(node->dtype().size());
    if (node->dtype().kind() == DType::Kind::opaque)
      add(static_cast<std::int64_t>(
          reinterpret_cast<std::uintptr_t>(node->dtype().description().data())));
    add_all(node->shape());
    if (is_stored) {
      add(0);
      continue;
    }
    // The type of an operation is which op it is.
    const Operation& op = node->operation();
    add(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(&typeid(op))));
    add(operands);
    for (std::size_t k = 0; k < operands; ++k)
      add(static_cast<std::int64_t>(expression.operand(v, k)));
    is_complete_ = op.add_parameters(*this) && is_complete_;
  }
  seal();
}

void StructuralKey::seal() noexcept {
  for (const std::int64_t number : numbers_) {
    hash_ = (hash_ ^ static_cast<std::uint64_t>(number)) * 0x9E3779B97F4A7C15u;
    hash_ ^= hash_ >> 29;
  }
}

}  // namespace weft
