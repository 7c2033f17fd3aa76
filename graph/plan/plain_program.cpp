// SPDX-License-Identifier: Apache-2.0
// One piece whose loops are the axes: operands lie row-major, or stand still where they are
// broadcast.
#include <weft/graph/plan/plain_program.h>

#include <algorithm>
#include <utility>

#include <weft/graph/plan/slots.h>

namespace weft {
namespace {

/// From the innermost axis of the result outwards: steps of a stored operand.
struct Walk {
  const Shape* own = nullptr;
  std::size_t axis = 0;
  std::int64_t stride = 1;

  /// Along the next axis; 0 where it repeats.
  std::int64_t next() {
    if (axis == 0) return 0;
    const std::int64_t extent = (*own)[--axis];
    return extent == 1 ? 0 : std::exchange(stride, stride * extent);
  }
};

/// Of what is read of those sources.
JointBox piece_of(const std::vector<PlanSource>& sources, const SmallVector<std::size_t, 4>& reads,
                  const Shape& shape) {
  JointBox box;
  box.first.resize(reads.size());
  SmallVector<Walk, 4> walks;
  for (const std::size_t s : reads) {
    const Shape& own = sources[s].type.shape;
    walks.push_back({&own, own.size(), 1});
  }
  box.loops.reserve(shape.size());
  std::int64_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    const std::int64_t extent = shape[axis];
    JointLoop& loop = box.loops.emplace_back(JointLoop{extent, stride, {}});
    for (Walk& walk : walks) loop.steps.push_back({walk.next(), nullptr});
    stride *= extent;
    const bool is_inner = box.loops.size() < 2;
    if (extent == 1) {
      box.loops.pop_back();
    } else if (!is_inner && can_join(loop, box.loops.end()[-2])) {
      box.loops.pop_back();
      box.loops.back().extent *= extent;
    }
  }
  std::reverse(box.loops.begin(), box.loops.end());
  return box;
}

}  // namespace

PlainProgram::PlainProgram(const Expression& expression) : expression_(expression) {
  const Node& root = *expression[expression.root()].node;
  if (expression.roots().size() != 1 || root.count() == 0) return;
  std::size_t stored = 0, steps = 0;
  for (const std::uint32_t v : expression.order()) {
    const Node& node = *expression[v].node;
    const bool is_stored = expression[v].is_stored;
    if (is_stored ? !is_in_programs(node.dtype())
                  : !step_of(expression, v) || node.shape() != root.shape())
      return;
    ++(is_stored ? stored : steps);
  }
  if (steps > most_steps) return;
  stored_ = stored;
  steps_ = steps;
}

PlainProgram::Operands PlainProgram::operands() const {
  Operands operands;
  for (const std::uint32_t v : expression_.order())
    if (const Expression::Vertex& vertex = expression_[v]; vertex.is_stored)
      (vertex.node->count() == 1 ? operands.constants : operands.reads).push_back(v);
  return operands;
}

PassProgram PlainProgram::program(const Operands& operands) const {
  PassProgram program;
  program.reads = operands.reads.size();
  program.types.reserve(expression_.size());
  SmallVector<std::uint32_t, 16> value(expression_.size());
  const auto add = [&](std::uint32_t v) {
    value[v] = static_cast<std::uint32_t>(program.types.size());
    program.types.push_back(expression_[v].node->dtype());
  };
  for (const std::uint32_t v : operands.reads) add(v);
  for (const std::uint32_t v : operands.constants) {
    program.constants.push_back(program.types.size());
    add(v);
  }
  program.steps.reserve(steps_);
  for (std::size_t k = expression_.order().size(); k-- > 0;) {
    const std::uint32_t v = expression_.order()[k];
    if (expression_[v].is_stored) continue;
    add(v);
    PassProgram::Step& step = program.steps.emplace_back();
    step.instruction = &expression_[v].node->operation().as<Elementwise>()->instruction();
    for (std::size_t i = 0; i < expression_[v].operand_count; ++i)
      step.operands.push_back(value[expression_.operand(v, i)]);
  }
  return program;
}

Plan PlainProgram::plan(const PlanLimits& limits) const {
  const Node& root = *expression_[expression_.root()].node;
  Plan plan;
  plan.limits = limits;
  plan.outputs.push_back({0});
  plan.passes.push_back({"result", {root.dtype(), root.shape()}, root.count(), {}, false});
  Pass& pass = plan.passes[0];
  ComputedPiece& piece = pass.pieces.emplace_back();
  const Operands operands = this->operands();
  plan.sources.reserve(stored_);
  const auto add = [&](std::uint32_t v) {
    const Node& node = *expression_[v].node;
    plan.sources.push_back(
        {node.value(), {node.dtype(), node.shape()}, node.count(), PlanSource::stored, v});
  };
  for (const std::uint32_t v : operands.reads) {
    piece.sources.push_back(plan.sources.size());
    add(v);
  }
  for (const std::uint32_t v : operands.constants) add(v);
  pass.programs.push_back(program(operands));
  piece.box = piece_of(plan.sources, piece.sources, root.shape());
  return plan;
}

}  // namespace weft
