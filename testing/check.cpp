// SPDX-License-Identifier: Apache-2.0
// Evaluating expressions in all the ways there are, and comparing what comes out.
#include <weft/testing/check.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <vector>

#include <weft/engine/run/clip.h>
#include <weft/engine/run/executable.h>
#include <weft/engine/run/lower.h>
#include <weft/engine/run/resolve_indices.h>
#include <weft/graph/plan/plan.h>
#include <weft/graph/value/small_vector.h>
#include <weft/testing/reference.h>
#include <weft/weft.h>

namespace weft::testing {
namespace {

/// The bytes of the tensor against those expected; evaluates.
std::string difference(const Tensor& tensor, const std::vector<std::byte>& expected) {
  static_cast<void>(explain(tensor));  // plans on its own; it must not throw
  const std::byte* bytes = tensor.eval().node().value().get();
  const std::size_t size = static_cast<std::size_t>(tensor.dtype().size());
  std::size_t wrong = 0, first = 0;
  for (std::size_t i = 0; i * size < expected.size(); ++i)
    if (std::memcmp(bytes + i * size, expected.data() + i * size, size) != 0 && wrong++ == 0)
      first = i;
  if (wrong == 0) return {};
  return fmt::format("{} of {} elements are wrong, the first at {} of {}", wrong, tensor.size(),
                     to_string(unravel_index(static_cast<std::int64_t>(first), tensor.shape())),
                     to_string(tensor.shape()));
}

/// Limits that make small expressions take the ways of large ones: nodes stored, and tables.
constexpr PlanLimits tight_limits[] = {{.boxes = 1, .phases = 1000},
                                       {.boxes = 4, .phases = 1},
                                       {.boxes = 16, .phases = 3, .bytes_per_box = 0},
                                       {.boxes = 1024, .phases = 1, .bytes_per_box = 0}};

void compute(const Plan& plan, const Pass& pass, const std::vector<std::vector<std::byte>>& outputs,
             std::byte* out) {
  std::vector<const std::byte*> operands;
  for (const PassOperand& operand : pass.operands) {
    if (operand.source == PassOperand::in_output) {
      operands.push_back(nullptr);
      continue;
    }
    const PlanSource& source = plan.sources[operand.source];
    operands.push_back(
        (source.pass == PlanSource::stored ? source.value.get() : outputs[source.pass].data()) +
        operand.offset);
  }
  pass.computation(operands, out, [](std::int64_t count, const auto& work) {
    for (std::int64_t begin = 0; begin < count; begin += 7)
      work(begin, std::min<std::int64_t>(count, begin + 7));
  });
}

/// Elements that are read, constants, then what steps make of them.
using Values = SmallVector<const std::byte*, 16>;

/// Computes the elements of a piece one by one.
class PieceByElement {
 public:
  PieceByElement(const Pass& pass, const ComputedPiece& piece, std::byte* out)
      : program_(pass.programs[piece.program]),
        box_(piece.box),
        size_(pass.element()),
        out_(out),
        types_(program_.steps.size()),
        made_(program_.steps.size()) {
    const std::size_t first = program_.types.size() - made_.size();
    for (std::size_t k = 0; k < made_.size(); ++k) {
      for (const std::uint32_t value : program_.steps[k].operands)
        types_[k].push_back(program_.types[value]);
      made_[k].resize(static_cast<std::size_t>(program_.types[first + k].size()));
    }
  }

  void run(const Values& values) { run(0, box_.offset, values); }

 private:
  void run(std::size_t loop, std::int64_t at, const Values& values) {
    if (loop == box_.loops.size()) return compute(values, out_ + at * size_);
    const JointLoop& own = box_.loops[loop];
    for (std::int64_t i = 0; i < own.extent; ++i) {
      Values next = values;
      for (std::size_t k = 0; k < program_.reads; ++k)
        next[k] += own.steps[k].at(i) * program_.types[k].size();
      run(loop + 1, at + own.stride * i, next);
    }
  }

  void compute(Values values, std::byte* out) {
    for (std::size_t k = 0; k < made_.size(); ++k) {
      const PassProgram::Step& step = program_.steps[k];
      SmallVector<const std::byte*, 4> operands;
      for (const std::uint32_t value : step.operands) operands.push_back(values[value]);
      step.instruction->compute(
          {types_[k], operands.data(), program_.types[values.size()], made_[k].data()});
      values.push_back(made_[k].data());
    }
    std::memcpy(out, values.back(), static_cast<std::size_t>(size_));
  }

  const PassProgram& program_;
  const JointBox& box_;
  std::int64_t size_;
  std::byte* out_;
  std::vector<std::vector<DType>> types_;     // of the operands of each step
  std::vector<std::vector<std::byte>> made_;  // by each step, again and again
};

void compute_pieces(const Plan& plan, const Pass& pass,
                    const std::vector<std::vector<std::byte>>& outputs, std::byte* out) {
  const auto memory_of = [&](std::size_t s) {
    const PlanSource& source = plan.sources[s];
    return source.pass == PlanSource::stored ? source.value.get() : outputs[source.pass].data();
  };
  for (const ComputedPiece& piece : pass.pieces) {
    const PassProgram& program = pass.programs[piece.program];
    Values values;
    for (std::size_t k = 0; k < piece.sources.size(); ++k)
      values.push_back(memory_of(piece.sources[k]) + piece.box.first[k] * program.types[k].size());
    for (const std::size_t source : program.constants) values.push_back(memory_of(source));
    PieceByElement(pass, piece, out).run(values);
  }
}

/// Carries a plan out in many short stretches, so that boxes are cut at all places, also within the
/// steps of their inner loops.
std::vector<std::byte> carried_out_in_stretches(const Plan& plan) {
  std::vector<std::vector<std::byte>> outputs;
  for (const Pass& pass : plan.passes) {
    const std::int64_t size = pass.element();
    std::vector<std::byte> out(static_cast<std::size_t>(pass.bytes()));
    const std::int64_t stretch = std::max<std::int64_t>(5, pass.count / 64);
    for (std::int64_t begin = 0; begin < pass.count; begin += stretch)
      for (const Copy& copy : pass.copies) {
        std::vector<Copy> pieces;
        clip(copy, begin, begin + stretch, pieces);
        const PlanSource& source = plan.sources[copy.source];
        const std::byte* from =
            source.pass == PlanSource::stored ? source.value.get() : outputs[source.pass].data();
        for (const Copy& piece : pieces) carry_out(lower(piece, size), out.data(), from);
      }
    if (pass.computation) compute(plan, pass, outputs, out.data());
    compute_pieces(plan, pass, outputs, out.data());
    outputs.push_back(std::move(out));
  }
  return outputs[plan.outputs[0].pass];
}

/// With passes that go together by portions and blocks of a few bytes.
std::string disagreement_in_portions(PlanLimits limits, const Tensor& tensor,
                                     const Indices& indices,
                                     const std::vector<std::byte>& expected) {
  limits.smaller_blocks = 12;
  for (const bool is_once : {false, true}) {
    Executable executable(make_plan(Expression(tensor.node_ptr()), limits, indices));
    if (executable.plan.is_alias()) return {};
    executable.make_ready(no_bases, is_once);
    const Storage value = run(executable, OutputTarget{}, {});
    if (std::memcmp(value.get(), expected.data(), expected.size()) != 0)
      return fmt::format("wrong elements in small portions{}", is_once ? ", run once" : "");
  }
  return {};
}

std::string disagreement_within(const PlanLimits& limits, const Tensor& tensor,
                                const std::vector<std::byte>& expected) {
  if (tensor.size() == 0 || tensor.is_stored()) return {};
  EvalOptions options;
  const Indices indices = resolve_indices(tensor.node_ptr(), options);
  const Plan plan = make_plan(Expression(tensor.node_ptr()), limits, indices);
  if (std::string flaw = flaw_of_cover(plan); !flaw.empty()) return flaw;
  if (carried_out_in_stretches(plan) == expected)
    return disagreement_in_portions(limits, tensor, indices, expected);
  return fmt::format("wrong elements where a node may be asked for by {} boxes, of {} phases",
                     limits.boxes, limits.phases);
}

/// Evaluates with plans from a cache and plans kept with the expression, each twice.
std::string disagreement_of_plans_used_again(const std::function<Tensor()>& build,
                                             const std::vector<std::byte>& expected) {
  PlanCache cache(1);
  const Tensor kept = build();
  std::vector<std::byte> value(expected.size());
  for (int i = 0; i < 2; ++i) {
    eval_into(build(), value.data(), kept.bytes(), {.plans = &cache});
    if (value != expected) return fmt::format("wrong elements by a cached plan, use {}", i);
    value.assign(expected.size(), std::byte{0xEE});
    eval_into(kept, value.data(), kept.bytes());
    if (value != expected) return fmt::format("wrong elements by a kept plan, use {}", i);
    value.assign(expected.size(), std::byte{0xEE});
  }
  return {};
}

}  // namespace

Tensor leaf(DType dtype, const Ints& shape, std::size_t number) {
  Shape extents;
  for (std::size_t i = 0; i < shape.size(); ++i) extents.push_back(shape[i]);
  const std::size_t count = static_cast<std::size_t>(element_count(extents));
  const std::size_t size = static_cast<std::size_t>(dtype.size());
  std::vector<std::byte> bytes(count * size);
  for (std::size_t i = 0; i < count; ++i) {
    // Counts in base 251, from elsewhere for each leaf: one byte alone repeats as late as it can,
    // and with no power of two.
    std::uint64_t value = i + 100003 * number;
    for (std::size_t k = 0; k < size; ++k) {
      bytes[i * size + k] = static_cast<std::byte>(value % 251 + k / 8);
      value = k % 8 == 7 ? i : value / 251;
    }
  }
  return copy_from(bytes.data(), dtype, shape);
}

std::string disagreement(const Tensor& tensor) {
  return difference(tensor, reference_value(tensor));
}

std::string disagreement(const std::function<Tensor()>& build, const Tensor& meaning) {
  const std::vector<std::byte> expected = reference_value(meaning);
  for (const PlanLimits& limits : tight_limits) {
    const std::string why = disagreement_within(limits, build(), expected);
    if (!why.empty()) return why;
  }
  const std::string why = disagreement_of_plans_used_again(build, expected);
  return why.empty() ? difference(build(), expected) : why;
}

namespace {

using Change = Tensor (*)(const Tensor&);

/// What may stand before and after an op. Those that a tensor is too small for leave it as it is.
const Change neighbours[] = {
    [](const Tensor& x) { return x; },
    [](const Tensor& x) {
      return x.rank() > 0 ? x.roll({1, 2}, {0, -1}) : x;
    },
    [](const Tensor& x) { return x.flip(); },
    [](const Tensor& x) { return x.transpose(); },
    [](const Tensor& x) { return x.rank() > 0 ? x.tile({2}).slice({0}, {x.shape().back()}) : x; },
    [](const Tensor& x) {
      return x.rank() > 0 ? x.tile({3}).slice({1}, {3 * x.shape().back()}, {3}, {-1}) : x;
    },
    [](const Tensor& x) { return x.reshape(x.size()).roll(1, 0).reshape(x.shape()); },
    [](const Tensor& x) {
      return x.rank() > 0 && x.shape()[0] > 1 ? x.slice_scatter(x.flip().slice({1}, {2}), {0}, {1})
                                              : x;
    },
};

/// Whether it could be built and was wrong, and why.
std::string disagreement_of(const std::function<Tensor()>& build, const std::string& what) {
  try {
    build();
  } catch (const Error&) {
    return {};  // refused: there is nothing to compare
  }
  std::string why;
  try {
    why = disagreement(build, build());
  } catch (const std::exception& error) {
    why = fmt::format("threw: {}", error.what());
  }
  return why.empty() ? why : fmt::format("{}: {}\n{}", what, why, graph_text(build()));
}

}  // namespace

std::string check_op(const std::function<Tensor(const Tensor&)>& op, const Shape& shape) {
  for (const DType dtype : {u8, i16, f32, opaque(3), c128}) {
    const Tensor x = leaf(dtype, shape);
    op(x);  // throws where it refuses the plain shape
    for (std::size_t before = 0; before < std::size(neighbours); ++before) {
      for (std::size_t after = 0; after < std::size(neighbours); ++after) {
        const std::string why = disagreement_of(
            [&] { return neighbours[after](op(neighbours[before](leaf(dtype, shape)))); },
            fmt::format("between neighbours {} and {}, elements of {}", before, after,
                        dtype.name()));
        if (!why.empty()) return why;
      }
      const std::string why = disagreement_of(
          [&] { return op(neighbours[before](op(leaf(dtype, shape)))); },
          fmt::format("twice with neighbour {} between, elements of {}", before, dtype.name()));
      if (!why.empty()) return why;
    }
  }
  return {};
}

}  // namespace weft::testing
