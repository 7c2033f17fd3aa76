// SPDX-License-Identifier: Apache-2.0
// Ops that compute each element of their result from one element of each operand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <weft/graph/kinds.h>
#include <weft/graph/value/shape.h>

namespace weft {

/// What is computed, apart from where operands lie: each op has one, which lives as long as the
/// program. Blocks of it are carried out by the kernel of that name.
struct Instruction {
  std::string_view op;    ///< as users write it
  std::string_view name;  ///< of the kernel
  /// One element of the result, of so many bytes, of one of each operand: the meaning of the op.
  void (*compute)(const std::byte* const* operands, std::byte* out, std::int64_t size);
};

/// Operands are broadcast to the shape of the result by NumPy's rules.
class Elementwise final : public Operation {
 public:
  static constexpr Kind own_kind = Kind::elementwise;

  Elementwise(const Instruction& instruction, std::vector<Shape> operands)
      : Operation(own_kind), instruction_(instruction), shapes_(std::move(operands)) {}

  std::string_view name() const noexcept override { return instruction_.op; }
  bool add_parameters(StructuralKey& to) const override;
  const Instruction& instruction() const noexcept { return instruction_; }

  std::size_t operand_count() const noexcept { return shapes_.size(); }
  /// Of each operand, the elements that those of the box are computed from.
  void pull_back(const Shape& shape, const Box& box, PullBack& to) const;
  /// The same for one element of operand k.
  Index trace(std::size_t k, const Shape& shape, const Index& index) const;

 private:
  const Instruction& instruction_;
  std::vector<Shape> shapes_;  // of the operands
};

}  // namespace weft
