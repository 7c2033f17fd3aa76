// SPDX-License-Identifier: Apache-2.0
// Expressions as text, one node a line.
#include <fmt/format.h>

#include <weft/graph/expression.h>
#include <weft/graph/tensor.h>

namespace weft {
namespace {

// A longer expression shows only its first and last nodes, this many of each.
constexpr std::size_t longest = 200;
constexpr std::size_t shown_of_longer = 20;

std::string type_text(const Node& node) {
  return fmt::format("  {} {}\n", node.dtype().name(), to_string(node.partial_shape()));
}

std::string line(const Expression& expression, std::size_t vertex,
                 const std::vector<std::size_t>& numbers) {
  const Expression::Vertex& at = expression[vertex];
  const Node& node = *at.node;
  const std::string op(node.op());
  const std::string parameters = node.parameters();
  std::string text = fmt::format("%{} = ", numbers[vertex]);
  if (at.is_stored) {
    // A node that was evaluated has let go of its inputs and is a leaf now.
    text += op == "stored" ? op : fmt::format("stored {}({})", op, parameters);
    return text + type_text(node);
  }
  text += op + "(";
  for (std::size_t k = 0; k < at.operand_count; ++k)
    text += fmt::format("{}%{}", k == 0 ? "" : ", ", numbers[expression.operand(vertex, k)]);
  if (!parameters.empty()) text += ", " + parameters;
  return text + ")" + type_text(node);
}

}  // namespace

std::string graph_text(const Tensor& tensor) {
  tensor.held("graph_text");
  const Expression expression(tensor.node_ptr());
  const Expression::Numbers& order = expression.order();
  const std::size_t count = order.size();
  std::vector<std::size_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[order[count - 1 - i]] = i;

  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (count > longest && i == shown_of_longer) {
      text += fmt::format("... {} nodes ...\n", count - 2 * shown_of_longer);
      i = count - shown_of_longer;
    }
    text += line(expression, order[count - 1 - i], numbers);
  }
  return text;
}

}  // namespace weft
