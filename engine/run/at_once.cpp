// SPDX-License-Identifier: Apache-2.0
// One row of all elements, by the links that a plan would have for them.
#include <weft/engine/run/at_once.h>

#include <algorithm>
#include <functional>

#include <weft/engine/kernels/compute/run_program.h>
#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/bind_program.h>
#include <weft/engine/run/cut_piece.h>
#include <weft/engine/run/over_operand.h>
#include <weft/graph/plan/plain_program.h>

namespace weft {
namespace {

// Of more a plan is a small part; what takes longer may be worth several threads.
constexpr std::int64_t most_bytes = 16 * 1024;
constexpr double most_nanoseconds = 4096;
constexpr std::int64_t aside_bytes = 16 * 1024;

/// A small expression, ready to be computed.
class SmallProgram {
 public:
  explicit SmallProgram(const NodePtr& root) : expression_(root), root_(*root) {
    const PlainProgram plain(expression_);
    if (!plain.exists()) return;
    const PlainProgram::Operands operands = plain.operands();
    for (const std::uint32_t v : operands.reads) {
      if (!is_of_last_axes(node(v).shape())) return;
      operands_.push_back(v);
    }
    reads_ = operands_.size();
    for (const std::uint32_t v : operands.constants) operands_.push_back(v);
    const PassProgram program = plain.program(operands);
    if (!is_of_links(program) || takes_long(program)) return;
    constants_ = program.constants;
    bound_ = bind_program(program, false);
    exists_ = bound_.scratch_bytes() <= aside_bytes;
    for (std::size_t k = 0; k < reads_; ++k)
      exists_ = exists_ && (period(k) == 0 || bound_.core->group % period(k) == 0);
  }

  static bool may_exist(const Node& root) {
    return root.bytes() <= most_bytes && root.operation().as<Elementwise>();
  }
  bool exists() const { return exists_; }

  bool overlaps(const std::byte* out) const {
    return std::any_of(operands_.begin(), operands_.end(), [&](std::uint32_t v) {
      const std::byte* const begin = node(v).value().get();
      return std::less<>()(begin, out + root_.bytes()) &&
             std::less<>()(out, begin + node(v).bytes());
    });
  }

  /// Whether an operand that the value could be made over is held by the expression alone.
  bool is_given_up() const {
    return std::any_of(operands_.begin(), operands_.begin() + reads(), [&](std::uint32_t v) {
      return node(v).bytes() == root_.bytes() && node(v).is_held(expression_[v].uses + 1);
    });
  }

  void compute(std::byte* out) const {
    alignas(cache_line) std::byte aside[aside_bytes];
    SmallVector<const std::byte*, 16> sources;
    for (const std::uint32_t v : operands_) sources.push_back(node(v).value().get());
    ProgramRun run(bound_, {}, aside, sources.data(), constants_);
    for (std::size_t k = 0; k < reads_; ++k) run.operands()[k] = {sources[k], 0, period(k)};
    run.carry_out({1, root_.count(), out, 0, {run.operands(), reads_}});
  }

 private:
  const Node& node(std::uint32_t v) const { return *expression_[v].node; }
  std::ptrdiff_t reads() const { return static_cast<std::ptrdiff_t>(reads_); }

  bool takes_long(const PassProgram& program) const {
    return program_cost(program) * static_cast<double>(root_.count()) > most_nanoseconds;
  }
  bool is_of_last_axes(const Shape& operand) const {
    const auto* const first = std::find_if(operand.begin(), operand.end(),
                                           [](std::int64_t extent) { return extent != 1; });
    return std::equal(first, operand.end(), root_.shape().end() - (operand.end() - first));
  }
  /// Elements that operand k repeats, or 0.
  std::int64_t period(std::size_t k) const {
    const std::int64_t count = node(operands_[k]).count();
    return count == root_.count() ? 0 : count;
  }

  const Expression expression_;
  const Node& root_;
  SmallVector<std::uint32_t, 16> operands_{};  // of the program, those that it reads first
  std::size_t reads_ = 0;
  SmallVector<std::size_t, 4> constants_{};
  BoundProgram bound_{};
  bool exists_ = false;
};

}  // namespace

bool compute_at_once(const NodePtr& root, std::byte* out) {
  if (!SmallProgram::may_exist(*root)) return false;
  const SmallProgram program(root);
  if (!program.exists() || program.overlaps(out)) return false;
  program.compute(out);
  return true;
}

Storage value_at_once(const NodePtr& root) {
  if (!SmallProgram::may_exist(*root)) return nullptr;
  const SmallProgram program(root);
  if (!program.exists() || program.is_given_up()) return nullptr;
  const std::shared_ptr<std::byte> value = allocate(root->bytes(), root->op(), root->shape());
  program.compute(value.get());
  return value;
}

}  // namespace weft
