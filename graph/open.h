// SPDX-License-Identifier: Apache-2.0
// Operations whose results are not known before a program runs.
#pragma once

#include <string>
#include <vector>

#include <weft/graph/op.h>
#include <weft/graph/value/partial_shape.h>

namespace weft {

/// What placeholders and calls that wait have in common. No plan can be made of them.
class Open : public Operation {
 public:
  static constexpr Kind own_kind = Kind::deferred;

  explicit Open(PartialShape shape) : Operation(own_kind), shape_(std::move(shape)) {}
  /// What is known of the shape of the node.
  const PartialShape& shape() const noexcept { return shape_; }

 protected:
  ~Open() = default;

 private:
  const PartialShape shape_;
};

/// An input of a program.
class Placeholder final : public Open {
 public:
  Placeholder(PartialShape shape, std::string name)
      : Open(std::move(shape)), label_(std::move(name)) {}
  std::string_view name() const noexcept override { return "placeholder"; }
  std::string parameters(const Shape&) const override { return label_; }
  /// Its own, by which people know it.
  const std::string& label() const noexcept { return label_; }

 private:
  const std::string label_;
};

/// A call of an op whose arguments depend on placeholders. Its inputs are its operands, then the
/// parameters that are tensors.
class Deferred final : public Open {
 public:
  /// A parameter: a literal, or one of the inputs.
  struct Parameter {
    static constexpr std::size_t literal = static_cast<std::size_t>(-1);
    Argument value;
    std::size_t input = literal;
  };

  Deferred(PartialShape shape, const Op& op, std::vector<Parameter> parameters,
           std::size_t operand_count)
      : Open(std::move(shape)),
        op_(op),
        operand_count_(operand_count),
        parameters_(std::move(parameters)) {}

  std::string_view name() const noexcept override { return op_.name; }
  std::string parameters(const Shape&) const override;
  const Op& definition() const noexcept { return op_; }
  const std::vector<Parameter>& arguments() const noexcept { return parameters_; }
  std::size_t operand_count() const noexcept { return operand_count_; }

 private:
  const Op& op_;
  const std::size_t operand_count_;
  const std::vector<Parameter> parameters_;
};

/// An input of a program under construction: any value of that type whose shape fits. A program
/// hands them to its function; they are of no use elsewhere.
[[nodiscard]] Tensor placeholder(DType dtype, PartialShape shape, std::string name = {});

/// What asks for the value of one is told.
[[noreturn]] void throw_open();

}  // namespace weft
