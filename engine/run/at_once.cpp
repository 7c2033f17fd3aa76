// SPDX-License-Identifier: Apache-2.0
// One row of all elements, by the links that a plan would have for them.
#include <weft/engine/run/at_once.h>

#include <algorithm>
#include <bit>

#include <weft/engine/kernels/compute/run_program.h>
#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/bind_program.h>
#include <weft/engine/run/blocks.h>
#include <weft/engine/run/cut_piece.h>
#include <weft/engine/run/over_operand.h>
#include <weft/graph/plan/plain_program.h>
#include <weft/graph/value/share_bytes.h>

namespace weft {
namespace {

// Of more, planning is a small part of the whole; what takes longer two threads may make.
constexpr std::int64_t most_bytes = 16 * 1024;
constexpr double most_nanoseconds = 4096;

bool may_be_small_program(const Node& root) {
  return root.bytes() <= most_bytes && root.operation().as<Elementwise>();
}

/// A small expression. What is cheap to ask is asked before its links are made.
class SmallProgram {
 public:
  explicit SmallProgram(const NodePtr& root)
      : expression_(root), root_(*root), plain_(expression_) {
    if (plain_.exists()) operands_ = plain_.operands();
  }

  /// Whether it only computes, and each operand has the elements of a row, or repeats its own.
  bool is_one_row() const {
    return plain_.exists() && std::none_of(operands_.reads.begin(), operands_.reads.end(),
                                           [&](std::uint32_t v) { return !is_in_row(node(v)); });
  }

  bool overlaps(const std::byte* out) const {
    const auto overlaps = [&](std::uint32_t v) {
      return share_bytes(node(v).value().get(), node(v).bytes(), out, root_.bytes());
    };
    return std::any_of(operands_.reads.begin(), operands_.reads.end(), overlaps) ||
           std::any_of(operands_.constants.begin(), operands_.constants.end(), overlaps);
  }

  /// Whether an operand that the value could be made over is held by the expression alone.
  bool is_given_up() const {
    return std::any_of(operands_.reads.begin(), operands_.reads.end(), [&](std::uint32_t v) {
      return node(v).bytes() == root_.bytes() && node(v).is_held(expression_[v].uses + 1);
    });
  }

  /// Makes its links; false where it is not of any, takes long or does not fit.
  bool bind() {
    const PassProgram program = plain_.program(operands_);
    if (!is_of_links(program) || takes_long(program)) return false;
    constants_ = program.constants;
    bound_ = bind_program(program, false);
    return bound_.scratch_bytes() <= near_bytes &&
           std::all_of(operands_.reads.begin(), operands_.reads.end(),
                       [&](std::uint32_t v) { return period(node(v)) <= bound_.core->group; });
  }

  void compute(std::byte* out) const {
    alignas(cache_line) std::byte near[near_bytes];
    SmallVector<const std::byte*, 16> sources;
    for (const std::uint32_t v : operands_.reads) sources.push_back(node(v).value().get());
    for (const std::uint32_t v : operands_.constants) sources.push_back(node(v).value().get());
    ProgramRun run(bound_, {}, near, sources.data(), constants_);
    const std::size_t reads = operands_.reads.size();
    for (std::size_t k = 0; k < reads; ++k)
      run.operands()[k] = {sources[k], 0, period(node(operands_.reads[k]))};
    run.carry_out({1, root_.count(), out, 0, {run.operands(), reads}});
  }

 private:
  const Node& node(std::uint32_t v) const { return *expression_[v].node; }

  bool takes_long(const PassProgram& program) const {
    return program_cost(program) * static_cast<double>(root_.count()) > most_nanoseconds;
  }
  /// Whether it is the last axes of the whole, of so many elements that groups hold all of them
  /// again and again, or all axes.
  bool is_in_row(const Node& operand) const {
    const Shape &own = operand.shape(), &whole = root_.shape();
    const auto* const first =
        std::find_if(own.begin(), own.end(), [](std::int64_t extent) { return extent != 1; });
    const std::int64_t repeated = period(operand);
    return std::equal(first, own.end(), whole.end() - (own.end() - first)) &&
           (repeated == 0 || std::has_single_bit(static_cast<std::uint64_t>(repeated)));
  }
  /// How many elements it repeats, or 0.
  std::int64_t period(const Node& operand) const {
    return operand.count() == root_.count() ? 0 : operand.count();
  }

  const Expression expression_;
  const Node& root_;
  const PlainProgram plain_;
  PlainProgram::Operands operands_{};
  SmallVector<std::size_t, 4> constants_{};
  BoundProgram bound_{};
};

}  // namespace

bool compute_at_once(const NodePtr& root, std::byte* out) {
  if (!may_be_small_program(*root)) return false;
  SmallProgram program(root);
  if (!program.is_one_row() || program.overlaps(out) || !program.bind()) return false;
  program.compute(out);
  return true;
}

Storage value_at_once(const NodePtr& root) {
  if (!may_be_small_program(*root)) return nullptr;
  SmallProgram program(root);
  if (!program.is_one_row() || program.is_given_up() || !program.bind()) return nullptr;
  const std::shared_ptr<std::byte> value = allocate(root->bytes(), root->op(), root->shape());
  program.compute(value.get());
  return value;
}

}  // namespace weft
