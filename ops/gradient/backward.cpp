// SPDX-License-Identifier: Apache-2.0
// The way back: consumers first, each node hands its cotangent on to its operands.
#include <weft/ops/gradient/backward.h>

#include <fmt/format.h>
#include <vector>

#include <weft/graph/expression.h>
#include <weft/graph/kinds.h>
#include <weft/ops/create/fills.h>
#include <weft/ops/gradient/cotangent.h>
#include <weft/ops/gradient/stop_gradient.h>
#include <weft/ops/grow/broadcast_to.h>

namespace weft {
namespace {

bool is_float(DType type) {
  return type.kind() >= DType::Kind::f16 && type.kind() <= DType::Kind::f64;
}

class Backward {
 public:
  Backward(std::string_view op, const Tensor& y, const Tensors& xs)
      : op_(op),
        expression_(y.node_ptr()),
        leads_(expression_.size()),
        is_variable_(expression_.size()),
        cotangents_(expression_.size()) {
    for (std::size_t v = 0; v < expression_.size(); ++v)
      for (const Tensor& x : xs)
        if (expression_[v].node == &x.node()) is_variable_[v] = true;
    const Expression::Numbers& order = expression_.order();
    for (std::size_t i = order.size(); i-- > 0;) leads_[order[i]] = leads(order[i]);
  }

  void run(const Tensor& cotangent) {
    cotangents_[expression_.root()].add(cotangent);
    for (const std::uint32_t v : expression_.order())
      if (leads_[v] && cotangents_[v].has_value()) hand_on(v);
  }

  /// Of an x, or an empty one where none came to it.
  Tensor cotangent_of(const Tensor& x) const {
    for (std::size_t v = 0; v < expression_.size(); ++v)
      if (expression_[v].node == &x.node()) return cotangents_[v].total();
    return {};
  }

 private:
  /// One that was evaluated, of what nobody knows any more; nor need anybody where no gradient
  /// goes further.
  bool is_forgotten(std::size_t v) const {
    const Node& node = *expression_[v].node;
    return expression_[v].is_stored && node.operation().kind() != Operation::Kind::stored &&
           node.op() != stop_gradient_op.name;
  }

  /// Whether elements vary with those of operands: floating-point and complex numbers do, others
  /// where they are the same bytes, moved.
  bool varies(std::size_t v) const {
    const DType type = expression_[v].node->dtype();
    return is_float(type) || type.kind() == DType::Kind::c64 || type.kind() == DType::Kind::c128 ||
           expression_[v].node->operation().as<Movement>();
  }

  /// Whether a variable may lie below a vertex, or be it; asked of operands first.
  bool leads(std::size_t v) const {
    if (is_variable_[v] || (is_forgotten(v) && is_float(expression_[v].node->dtype()))) return true;
    if (!varies(v)) return false;
    for (std::size_t k = 0; k < expression_[v].operand_count; ++k)
      if (leads_[expression_.operand(v, k)]) return true;
    return false;
  }

  void hand_on(std::size_t v) {
    const Expression::Vertex& vertex = expression_[v];
    if (is_forgotten(v) && !is_variable_[v])
      throw ParameterError(
          "no_gradient",
          fmt::format("{}: {} has its value and forgot what it was made of; take gradients before "
                      "it is evaluated, name it among xs, or pass stop_gradient of it",
                      op_, described(*vertex.node)));
    if (vertex.operand_count == 0 || vertex.node->count() == 0) return;
    for (std::size_t k = 0; k < vertex.operand_count; ++k) {
      const std::size_t from = expression_.operand(v, k);
      if (leads_[from] && !is_float(expression_[from].node->dtype()))
        throw ParameterError(
            "no_gradient",
            fmt::format("{}: {} has no gradient: it is made of {} that depend on x", op_,
                        described(*vertex.node), expression_[from].node->dtype().name()));
    }
    Tensors operands;
    for (std::size_t k = 0; k < vertex.operand_count; ++k)
      operands.emplace_back(expression_.pointer(expression_.operand(v, k)));
    const Tensor result(expression_.pointer(v));
    const Tensors adjoints =
        vertex.node->operation().adjoint(cotangents_[v].total(), result, operands);
    if (adjoints.size() != operands.size())
      throw ParameterError("no_gradient",
                           fmt::format("{}: {} has no gradient", op_, described(*vertex.node)));
    for (std::size_t k = 0; k < operands.size(); ++k) {
      const std::size_t to = expression_.operand(v, k);
      if (leads_[to] && adjoints[k].has_value())
        cotangents_[to].add(sum_to(adjoints[k], operands[k].shape()));
    }
  }

  static std::string described(const Node& node) {
    return fmt::format("{}, {} {},", node.op(), node.dtype().name(), to_string(node.shape()));
  }

  const std::string_view op_;
  const Expression expression_;
  std::vector<bool> leads_, is_variable_;
  std::vector<Cotangent> cotangents_;
};

}  // namespace

Tensors cotangents_of(std::string_view op, const Tensor& y, const Tensors& xs,
                      const Tensor& cotangent) {
  Backward backward(op, y, xs);
  backward.run(cotangent);
  Tensors made;
  for (const Tensor& x : xs) {
    const Tensor own = backward.cotangent_of(x);
    made.push_back(own.has_value() ? own : zeros_like(x));
  }
  return made;
}

std::size_t check_which(std::string_view op, const Ints& which, std::size_t count) {
  const auto at = check_one(op, "which", which);
  if (at && (*at < 0 || *at >= static_cast<std::int64_t>(count)))
    throw IndexError(fmt::format("{}: which is {}, expected 0 to {}", op, *at, count - 1));
  return at ? static_cast<std::size_t>(*at) : 0;
}

void check_open(std::string_view op, const Tensors& xs) {
  for (std::size_t k = 0; k < xs.size(); ++k)
    if (!xs[k].is_open())
      throw ParameterError(
          "no_gradient",
          fmt::format("{}: x {} is a constant of the program, expected a placeholder, or what "
                      "depends on one",
                      op, k));
}

void check_variables(std::string_view op, const KnownType& y, const KnownTypes& xs) {
  const auto check = [&](const std::string& what, DType type) {
    if (!is_float(type))
      throw DtypeError(
          fmt::format("{}: {} is {}, expected f16, bf16, f32 or f64", op, what, type.name()));
  };
  check("y", y.dtype);
  for (std::size_t k = 0; k < xs.size(); ++k) check(fmt::format("x {}", k), xs[k].dtype);
}

}  // namespace weft
