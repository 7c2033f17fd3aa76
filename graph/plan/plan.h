// SPDX-License-Identifier: Apache-2.0
// A plan: which copies, in how many passes, make the value of an expression.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <weft/graph/elementwise.h>
#include <weft/graph/expression.h>
#include <weft/graph/map/box.h>
#include <weft/graph/map/meet.h>
#include <weft/graph/node.h>
#include <weft/graph/reduction.h>
#include <weft/graph/value/tensor_type.h>

namespace weft {

class Indices;

/// One loop of a copy; strides in elements of its pass. A loop over a table takes step i from the
/// arrays instead.
struct Loop {
  std::int64_t extent, out_stride, src_stride;
  const std::int64_t* src_table = nullptr;
  const std::int64_t* out_table = nullptr;

  std::int64_t out_at(std::int64_t i) const { return out_table ? out_table[i] : out_stride * i; }
  std::int64_t src_at(std::int64_t i) const { return src_table ? src_table[i] : src_stride * i; }
  bool is_plain() const { return !src_table && !out_table; }
  bool is_repetition() const { return is_plain() && src_stride == 0; }
  /// Neighbours on both sides.
  bool is_run() const { return is_plain() && out_stride == 1 && src_stride == 1; }
};

/// A box that has reached memory: reads `source`, writes the output of its pass, both linear.
struct Copy {
  std::size_t source;
  std::uint64_t layer;  ///< within a pass, a higher layer is written over a lower one
  std::int64_t out_offset, src_offset;
  SmallVector<Loop, 6> loops;  ///< nested out strides, largest first

  std::int64_t count() const {
    std::int64_t n = 1;
    for (const Loop& loop : loops) n *= loop.extent;
    return n;
  }
  /// Adds a loop within the others: none of one step, and no other where the innermost goes on in
  /// it.
  void add_within(const Loop& loop);
};

/// What copies read: a stored tensor, or the output of an earlier pass.
struct PlanSource {
  static constexpr std::size_t stored = static_cast<std::size_t>(-1);
  Storage value;  ///< of a stored tensor
  TensorType type;
  std::int64_t count;
  std::size_t pass = stored;
  std::size_t vertex = 0;  ///< of a stored tensor, in the expression

  std::int64_t bytes() const { return count * type.dtype.size(); }
};

/// What a pass computes for each element of some pieces: values, numbered as they come. First those
/// that are read, then constants, which are one element for all of the pass, then one for each
/// step.
struct PassProgram {
  struct Step {
    const Instruction* instruction = nullptr;
    SmallVector<std::uint32_t, 4> operands{};  ///< values before this one
  };

  std::size_t reads = 0;
  SmallVector<std::size_t, 4> constants{};  ///< sources of one element
  std::vector<Step> steps{};                ///< the last one makes the result
  std::vector<DType> types{};               ///< of all values

  std::size_t first_step() const { return reads + constants.size(); }
};

/// A part of a pass that computes: its loops, and where each value that it reads lies along them.
struct ComputedPiece {
  JointBox box;
  SmallVector<std::size_t, 4> sources;  ///< of each
  std::uint32_t program = 0;            ///< which of the pass's

  std::int64_t count() const { return box.count(); }
  std::size_t bytes() const { return sizeof(ComputedPiece) + box.loop_bytes(); }
};

/// What a computation reads.
struct PassOperand {
  static constexpr std::size_t in_output = static_cast<std::size_t>(-1);
  std::size_t source = in_output;  ///< or the output, where the copies of its pass put it first
  std::int64_t offset = 0;         ///< of its first element, in bytes
  std::int64_t bytes = 0;          ///< of all of them
  Shape strides{};                 ///< in elements, where they do not follow one another
};

/// A pass that reduces its one operand.
struct PassReduction {
  /// An axis of the operand; those that are reduced follow one another.
  struct Axis {
    std::int64_t extent, stride;  ///< in elements
    bool is_reduced;
  };
  const Reducer* reducer = nullptr;
  DType type = bool_;  ///< of the operand
  SmallVector<Axis, 8> axes{};
};

/// A pass that multiplies its two operands: matrices, for each element of the batch.
struct PassProduct {
  /// An axis of the result, or the inner one, and where operands lie along it.
  struct Axis {
    std::int64_t extent, left, right;  ///< strides in elements
  };
  bool is_product = false;
  Axis rows{1, 0, 0}, inner{1, 0, 0}, columns{1, 0, 0};
  SmallVector<Axis, 4> batch{};
  std::string told{};  ///< what the op says of itself
};

struct Pass {
  std::string what;  ///< the op whose value (or part of it) this pass stores
  TensorType type;   ///< of what it stores
  std::int64_t count = 0;
  std::vector<Copy> copies;  ///< lower layers first
  bool is_painted = false;
  /// What writes all of it, or, where there are copies, over what those have written.
  Computation computation{};
  std::vector<PassOperand> operands{};  ///< of what follows, or the computation, whole
  PassReduction reduction{};            ///< or what reduces the one operand
  PassProduct product{};                ///< or multiplies the two
  /// What computes the elements that no copy writes one by one, and where; the pieces of one
  /// program follow one another.
  std::vector<PassProgram> programs{};
  std::vector<ComputedPiece> pieces{};

  bool has_program() const { return !programs.empty(); }
  bool is_reduced() const { return reduction.reducer != nullptr; }
  /// Whether it is made of operands that are there whole, and not box by box.
  bool is_of_whole() const { return computation || is_reduced() || product.is_product; }
  /// Bytes of what its copies move: they read and write elements of one size.
  std::int64_t element() const { return type.dtype.size(); }
  std::int64_t bytes() const { return count * element(); }
  /// How many elements the copies write, those that are painted over too.
  std::int64_t copied() const {
    std::int64_t n = 0;
    for (const Copy& copy : copies) n += copy.count();
    return n;
  }
  /// The same with what is computed.
  std::int64_t written() const {
    if (is_of_whole() && copies.empty()) return count;
    std::int64_t n = copied();
    for (const ComputedPiece& piece : pieces) n += piece.count();
    return n;
  }
  /// Calls visit(source) for each that is read, some perhaps several times.
  template <class Visit>
  void for_each_source(const Visit& visit) const {
    for (const Copy& copy : copies) visit(copy.source);
    for (const PassOperand& operand : operands)
      if (operand.source != PassOperand::in_output) visit(operand.source);
    for (const ComputedPiece& piece : pieces)
      for (const std::size_t source : piece.sources) visit(source);
    for (const PassProgram& program : programs)
      for (const std::size_t source : program.constants) visit(source);
  }
  bool reads(std::size_t source) const {
    bool is_read = false;
    for_each_source([&](std::size_t each) { is_read |= each == source; });
    return is_read;
  }
};

/// What a plan may cost.
struct PlanLimits {
  std::size_t boxes = 1024;               ///< one node may be asked for by so many boxes
  std::int64_t stored_bytes = max_bytes;  ///< a node larger than this is not stored on the way
  /// Whether so much may be stored where that is only faster: memory that is short is left for what
  /// has to be.
  bool may_spend(std::int64_t bytes) const { return bytes <= stored_bytes / 4; }
  std::int64_t phases = 16;  ///< so many boxes stand in for a table
  /// A node is stored where the boxes pulled on the way to it are more than its bytes over this:
  /// one box through one op takes half a microsecond, and storing a nanosecond for five bytes. 0:
  /// never.
  std::int64_t bytes_per_box = 2500;
  /// What planning takes at most: lists of boxes and tables.
  std::int64_t planning_bytes = max_bytes;
  /// Whether what would be cut into too many boxes is computed where its op knows how.
  bool may_compute = true;
  /// Blocks of what is computed are 2^n times smaller than suits the caches.
  int smaller_blocks = 0;
  /// Whether the machine may be measured for what is made of it.
  bool may_measure = true;
  friend bool operator==(const PlanLimits&, const PlanLimits&) = default;
};

/// One of the results: what a pass writes, or, where it lies in a stored tensor already, a part of
/// that; the pass need not run then.
struct PlanOutput {
  std::size_t pass;
  bool is_alias = false;
  std::size_t source = 0;
  std::int64_t offset = 0;  ///< in elements
};

/// A node that several operands or outputs ask for, and was pulled through each.
struct SharedNode {
  std::string op;
  Shape shape;
  std::size_t uses, boxes;
};

/// Passes in the order of their execution, and which of them make the results.
struct Plan {
  std::vector<PlanSource> sources{};
  std::vector<Pass> passes{};
  SmallVector<PlanOutput, 2> outputs{};
  std::vector<std::string> refusals{};  ///< fusions that were not done, and why
  std::vector<SharedNode> shared{};
  Tables tables{};      ///< of the copies
  PlanLimits limits{};  ///< it was made within
  /// Copies of the indices that it was made by, beside those.
  std::int64_t index_bytes = 0;

  /// What it takes itself: boxes, their tables, and copies of indices.
  std::int64_t own_bytes() const {
    std::size_t bytes = 0;
    for (const Pass& pass : passes) {
      bytes += pass.copies.size() * sizeof(Copy);
      for (const ComputedPiece& piece : pass.pieces) bytes += piece.bytes();
    }
    return static_cast<std::int64_t>(bytes) + tables.bytes() + index_bytes;
  }
  /// Whether nothing has to move.
  bool is_alias() const {
    return std::all_of(outputs.begin(), outputs.end(),
                       [](const PlanOutput& output) { return output.is_alias; });
  }
};

/// Called for each node that is planned, where there is one; what it throws ends the planning.
using PlanningCheck = std::function<void()>;

/// Vertices of an expression.
using StoredVertices = SmallVector<std::uint32_t, 8>;

/// Pulls the whole of an expression, whose roots have no values yet, back to stored tensors. The
/// outputs are those of its roots, the indices what was read of theirs. Throws MemoryError where a
/// node has to be stored and is larger than the limits allow, or the plan itself is. Those that are
/// to be `stored` are, too, unless nobody asks for them.
Plan make_plan(const Expression& expression, const PlanLimits& limits, const Indices& indices,
               const PlanningCheck& check = {}, const StoredVertices& stored = {});
/// The same of an expression whose indices are stored.
Plan make_plan(const Expression& expression, const PlanLimits& limits = {});
inline Plan make_plan(const NodePtr& root, const PlanLimits& limits = {}) {
  return make_plan(Expression(root), limits);
}

/// An output, of elements of that type, whose pass is one unpainted run over a stored tensor needs
/// none: it lies there already, and is told so.
void find_alias(const Plan& plan, PlanOutput& output, DType dtype);

/// Empty where each pass writes as many elements as it has; else what an op did wrong, whose boxes
/// overlap or leave some out. Debug builds check every plan.
std::string flaw_of_cover(const Plan& plan);

}  // namespace weft
