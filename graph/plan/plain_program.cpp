// SPDX-License-Identifier: Apache-2.0
// One piece whose loops are the axes: operands lie row-major, or stand still where they are
// broadcast.
#include <weft/graph/plan/plain_program.h>

#include <algorithm>

#include <weft/graph/plan/slots.h>

namespace weft {
namespace {

bool is_plain(const Expression& expression, const Shape& shape) {
  std::size_t steps = 0;
  for (const std::uint32_t v : expression.order()) {
    const Node& node = *expression[v].node;
    if (expression[v].is_stored ? !is_in_programs(node.dtype())
                                : !step_of(expression, v) || node.shape() != shape)
      return false;
    steps += expression[v].is_stored ? 0 : 1;
  }
  return steps > 0 && steps <= most_steps;
}

/// Along an axis of the result, of a stored operand; 0 where it repeats.
std::int64_t stride_of(const Shape& own, const Shape& shape, std::size_t axis) {
  const std::size_t lacking = shape.size() - own.size();
  if (axis < lacking || own[axis - lacking] == 1) return 0;
  std::int64_t stride = 1;
  for (std::size_t k = axis - lacking + 1; k < own.size(); ++k) stride *= own[k];
  return stride;
}

JointBox piece_of(const Expression& expression, const Shape& shape,
                  const SmallVector<std::uint32_t, 8>& reads) {
  JointBox box;
  box.first.resize(reads.size());
  std::int64_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (shape[axis] == 1) continue;
    JointLoop loop{shape[axis], stride, {}};
    for (const std::uint32_t v : reads)
      loop.steps.push_back({stride_of(expression[v].node->shape(), shape, axis), nullptr});
    stride *= shape[axis];
    if (!box.loops.empty() && can_join(loop, box.loops.back()))
      box.loops.back().extent *= loop.extent;
    else box.loops.push_back(std::move(loop));
  }
  std::reverse(box.loops.begin(), box.loops.end());
  return box;
}

}  // namespace

std::optional<Plan> plan_plain_program(const Expression& expression, const PlanLimits& limits) {
  const Node& root = *expression[expression.root()].node;
  if (expression.roots().size() != 1 || root.count() == 0 || !is_plain(expression, root.shape()))
    return {};
  std::optional<Plan> plan(std::in_place);
  plan->limits = limits;
  plan->outputs.push_back({0});
  plan->passes.push_back({"result", {root.dtype(), root.shape()}, root.count(), {}, false});
  Pass& pass = plan->passes[0];
  PassProgram& program = pass.programs.emplace_back();
  ComputedPiece& piece = pass.pieces.emplace_back();
  SmallVector<std::uint32_t, 8> reads, constants;
  for (const std::uint32_t v : expression.order()) {
    if (!expression[v].is_stored) continue;
    const Node& node = *expression[v].node;
    (node.count() == 1 ? constants : reads).push_back(v);
    (node.count() == 1 ? program.constants : piece.sources).push_back(plan->sources.size());
    plan->sources.push_back(
        {node.value(), {node.dtype(), node.shape()}, node.count(), PlanSource::stored, v});
  }
  program.reads = reads.size();
  program.types.reserve(expression.size());
  SmallVector<std::uint32_t, 16> value(expression.size());
  const auto add = [&](std::uint32_t v) {
    value[v] = static_cast<std::uint32_t>(program.types.size());
    program.types.push_back(expression[v].node->dtype());
  };
  for (const std::uint32_t v : reads) add(v);
  for (const std::uint32_t v : constants) add(v);
  program.steps.reserve(expression.size() - program.types.size());
  for (std::size_t k = expression.order().size(); k-- > 0;) {
    const std::uint32_t v = expression.order()[k];
    if (expression[v].is_stored) continue;
    add(v);
    PassProgram::Step& step = program.steps.emplace_back();
    step.instruction = &expression[v].node->operation().as<Elementwise>()->instruction();
    for (std::size_t i = 0; i < expression[v].operand_count; ++i)
      step.operands.push_back(value[expression.operand(v, i)]);
  }
  piece.box = piece_of(expression, root.shape(), reads);
  return plan;
}

}  // namespace weft
