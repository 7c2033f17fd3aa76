// SPDX-License-Identifier: Apache-2.0
// Nodes whose values are not known before a program runs.
#pragma once

#include <string>
#include <vector>

#include <weft/graph/op.h>
#include <weft/graph/value/partial_shape.h>

namespace weft {

/// What placeholders and calls that wait have in common. No plan can be made of them.
class Open : public Node {
 public:
  Open(DType dtype, PartialShape shape, std::vector<NodePtr> inputs);

  PartialShape partial_shape() const final { return partial_shape_; }
  const PartialShape& open_shape() const noexcept { return partial_shape_; }
  void pull_back(const Box&, PullBack&) const final;
  std::size_t trace(Index&) const final;

 private:
  PartialShape partial_shape_;
};

/// An input of a program.
class Placeholder final : public Open {
 public:
  Placeholder(DType dtype, PartialShape shape, std::string name)
      : Open(dtype, std::move(shape), {}), name_(std::move(name)) {}
  std::string_view op() const noexcept override { return "placeholder"; }
  std::string parameters() const override { return name_; }
  const std::string& name() const noexcept { return name_; }

 private:
  std::string name_;
};

/// An op whose arguments depend on placeholders. Its inputs are its operands, then the parameters
/// that are tensors.
class Deferred final : public Open {
 public:
  /// A parameter: a literal, or one of the inputs.
  struct Parameter {
    static constexpr std::size_t literal = static_cast<std::size_t>(-1);
    Argument value;
    std::size_t input = literal;
  };

  Deferred(const Op& op, DType dtype, PartialShape shape, std::vector<NodePtr> inputs,
           std::vector<Parameter> parameters, std::size_t operand_count)
      : Open(dtype, std::move(shape), std::move(inputs)),
        op_(op),
        operand_count_(operand_count),
        parameters_(std::move(parameters)) {}

  std::string_view op() const noexcept override { return op_.name; }
  std::string parameters() const override;
  const Op& definition() const noexcept { return op_; }
  const std::vector<Parameter>& arguments() const noexcept { return parameters_; }
  std::size_t operand_count() const noexcept { return operand_count_; }

 private:
  const Op& op_;
  std::size_t operand_count_;
  std::vector<Parameter> parameters_;
};

/// An input of a program under construction: any value of that type whose shape fits. A program
/// hands them to its function; they are of no use elsewhere.
[[nodiscard]] Tensor placeholder(DType dtype, PartialShape shape, std::string name = {});

}  // namespace weft
