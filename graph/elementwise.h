// SPDX-License-Identifier: Apache-2.0
// Ops that compute each element of their result from one element of each operand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <weft/graph/node.h>
#include <weft/graph/value/tensor_type.h>

namespace weft {

/// What is computed, apart from where operands lie: each op has one, which lives as long as the
/// program. Blocks of it are carried out by the kernel of that name.
struct Instruction {
  std::string_view op;    ///< as users write it
  std::string_view name;  ///< of the kernel
  /// One element of the result, of so many bytes, of one of each operand: the meaning of the op.
  void (*compute)(const std::byte* const* operands, std::byte* out, std::int64_t size);
};

/// A result whose operands are broadcast to its shape by NumPy's rules.
class Elementwise final : public Node {
 public:
  Elementwise(const Instruction& instruction, TensorType type, std::vector<NodePtr> operands);

  std::string_view op() const noexcept override { return instruction_.op; }
  const Elementwise* elementwise() const noexcept override { return this; }
  const Instruction& instruction() const noexcept { return instruction_; }
  bool add_parameters(Structure& to) const override;

  std::size_t operand_count() const noexcept { return shapes_.size(); }
  /// Of each operand, the elements that those of the box are computed from.
  void pull_back(const Box& box, PullBack& to) const override;
  /// The same for one element of operand k.
  Index trace(std::size_t k, const Index& index) const;
  /// InternalError: an element comes from no single place.
  std::size_t trace(Index& index) const override;

 private:
  const Instruction& instruction_;
  std::vector<Shape> shapes_;  // of the operands
};

}  // namespace weft
