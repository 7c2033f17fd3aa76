// SPDX-License-Identifier: Apache-2.0
// Ops that compute each element of their result from one element of each operand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <weft/graph/kinds.h>
#include <weft/graph/value/dtype.h>
#include <weft/graph/value/shape.h>

namespace weft {

struct LinkTable;

/// One element of each operand, and where that of the result goes.
struct Elements {
  std::span<const DType> types;  ///< of the operands
  const std::byte* const* at;
  DType type;  ///< of the result
  std::byte* out;
};

/// What is computed, apart from where operands lie: each op has one, which lives as long as the
/// program.
struct Instruction {
  std::string_view op;  ///< as users write it
  /// The meaning of the op.
  void (*compute)(const Elements& elements);
  /// What it is in programs of several: entry `entry` of a family, for elements that programs
  /// compute with. Null where it is computed by itself.
  const LinkTable& (*links)(std::size_t entry) = nullptr;
  std::size_t entry = 0;
  /// The operand that is in registers, then come those behind it, and those before.
  std::size_t lead = 0;
  /// Whether operands from the lead on are taken as they are, bit for bit.
  bool moves = false;
  bool is_cast = false;  ///< to the type of the result, which needs no links of its own
  /// Whether its links are plain functions of arrays, which links of the engine's call.
  bool is_of_arrays = false;
  /// The kernel that computes it by itself, where it has one.
  std::string_view kernel{};
  float cost = 0.02f;         ///< of an element on one thread, in nanoseconds
  Adjoint adjoint = nullptr;  ///< null where the op has none

  bool may_be_in_programs() const { return links || is_cast; }
};

/// Whether programs of several steps compute with elements of a type: bool, integers and
/// floating-point numbers.
constexpr bool is_in_programs(DType type) { return type.kind() <= DType::Kind::f64; }

/// Operands are broadcast to the shape of the result by NumPy's rules.
class Elementwise final : public Operation {
 public:
  static constexpr Kind own_kind = Kind::elementwise;

  /// `shapes` are those of the operands, or none where all have that of the result.
  Elementwise(const Instruction& instruction, DType type, std::size_t operands,
              std::vector<Shape> shapes = {})
      : Operation(own_kind),
        instruction_(instruction),
        type_(type),
        operands_(operands),
        shapes_(std::move(shapes)) {}

  std::string_view name() const noexcept override { return instruction_.op; }
  std::string parameters(const Shape&) const override;
  bool add_parameters(StructuralKey& to) const override;
  std::vector<Tensor> adjoint(const Tensor& cotangent, const Tensor& result,
                              const std::vector<Tensor>& operands) const override;
  const Instruction& instruction() const noexcept { return instruction_; }

  std::size_t operand_count() const noexcept { return operands_; }
  /// Of operand k, the elements that those of the box are computed from.
  Box pull_back(std::size_t k, const Shape& shape, const Box& box) const;
  /// The same for one element of operand k.
  Index trace(std::size_t k, const Shape& shape, const Index& index) const;

 private:
  const Instruction& instruction_;
  DType type_;  // of the result
  std::size_t operands_;
  std::vector<Shape> shapes_;  // of those; none where all have that of the result
};

}  // namespace weft
