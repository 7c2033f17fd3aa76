// SPDX-License-Identifier: Apache-2.0
// Index operands are evaluated first, those that others depend on before them.
#include <weft/engine/run/resolve_indices.h>

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/eval.h>
#include <weft/engine/run/limits.h>
#include <weft/engine/run/workers.h>
#include <weft/graph/indexed.h>
#include <weft/graph/plan/by_kind.h>
#include <weft/graph/value/error.h>

namespace weft {
namespace {

// What takes longer to plan than to store, mostly.
constexpr std::int64_t many_nodes = 256;

/// Parts that indices have in common with others, and how large they are. Each index that is made
/// of one would carry it out again, so in a chain, where each link is an index into the one before
/// it, the work would grow by the square of the links.
class SharedParts {
 public:
  explicit SharedParts(const Expression& expression)
      : expression_(expression),
        is_in_index_(expression.size(), false),
        nodes_(expression.size(), 0) {
    for (const std::uint32_t v : expression.order())
      for (std::size_t k = 0; k < expression[v].operand_count; ++k)
        if (is_in_index_[v] || k == index_of(*expression[v].node))
          is_in_index_[expression.operand(v, k)] = true;
  }

  /// To be asked of operands before their users.
  bool is_large(std::size_t v) {
    const Expression::Vertex& vertex = expression_[v];
    nodes_[v] = 1;  // and those of its operands, which may be counted twice
    for (std::size_t k = 0; k < vertex.operand_count; ++k)
      if (k != index_of(*vertex.node)) nodes_[v] += nodes_[expression_.operand(v, k)];
    nodes_[v] = std::min(nodes_[v], many_nodes);
    return nodes_[v] == many_nodes && is_in_index_[v] && vertex.uses > 1;
  }

  void store(std::size_t v) { nodes_[v] = 0; }

 private:
  const Expression& expression_;
  std::vector<bool> is_in_index_;
  std::vector<std::int64_t> nodes_;
};

/// Gives an index of the node its value, and takes that from the limit.
void evaluate_index(const Node& node, const Tensor& index, EvalOptions& options) {
  try {
    evaluate(index, options);
  } catch (const MemoryError& error) {
    throw MemoryError(fmt::format("{}: its index {} {}: {}", node.op(), index.node().op(),
                                  to_string(index.shape()), error.what()));
  }
}

/// Whether it was found to be right before, where it was born with its value by whoever refers to
/// it, and nobody writes to its memory.
bool is_settled(const Node& index, std::int64_t extent) {
  return is_fixed_index(index) &&
         (index.is_known_within(extent) ||
          (index.operation().kind() == Operation::Kind::stored && is_checked_when_built(index)));
}

/// The first vertex whose elements a root lists in the same order.
const Node* base_of_root(const Expression& expression, std::size_t v) {
  while (!expression[v].is_stored && by_kind::keeps_order(*expression[v].node))
    v = expression.operand(v, 0);
  return expression[v].node;
}

/// Reads, and checks, what an evaluation needs of indices.
class Reader {
 public:
  Reader(const Expression& expression, IndexChecks checks, const EvalOptions& options)
      : threads_(options.threads), left_(limits_of(options).planning_bytes) {
    if (checks == IndexChecks::but_of_roots)
      for (const std::uint32_t root : expression.roots())
        bases_.push_back(base_of_root(expression, root));
  }

  /// What one that was stored before is made into may take what planning may in any case.
  void read(const Node& node, const Node& index, bool was_stored) {
    const StoredIndex stored(node, index);
    const bool checks_places = node.operation().as<IndexedMovement>()->checks_places();
    bool is_checked = checks_places && is_settled(index, stored.extent());
    const bool may_wait =
        checks_places && std::find(bases_.begin(), bases_.end(), &node) != bases_.end();
    if (!is_checked && !may_wait) {
      stored.check(in_parts(threads_, index.bytes()));
      index.know_within(stored.extent());
      is_checked = true;
    }
    Places places = read_index_of(stored, node, left_ + (was_stored ? planning_allowance : 0));
    left_ -= places.copied_bytes();
    made.add(node, index, std::move(places), is_checked);
  }

  Indices made;

 private:
  const int threads_;
  std::int64_t left_;
  SmallVector<const Node*, 2> bases_;
};

}  // namespace

bool is_fixed_index(const Node& index) {
  return is_fixed(index.value()) || is_index_list(index.value());
}

ForParts in_parts(int threads, std::int64_t bytes) {
  return [=](std::int64_t count, const auto& work) { run_parts(count, bytes, threads, work); };
}

void evaluate(const Tensor& tensor, EvalOptions& options) {
  if (tensor.is_stored()) return;
  tensor.eval(options);
  if (options.memory_limit > 0)
    options.memory_limit = std::max<std::int64_t>(1, options.memory_limit - tensor.bytes());
}

Indices resolve_indices(std::span<const NodePtr> roots, EvalOptions& options, IndexChecks checks) {
  if (std::none_of(roots.begin(), roots.end(),
                   [](const NodePtr& root) { return root->depends_on_index(); }))
    return {};
  EvalOptions for_index = options;
  for_index.in_place = false;  // that, and what is told, is about the roots
  for_index.progress = nullptr;
  const Expression expression(roots);
  Reader reader(expression, checks, options);
  SharedParts parts(expression);
  bool are_some_done = false;  // and what they are made of is not needed any more
  for (std::size_t i = expression.size(); i-- > 0;) {
    const std::size_t v = expression.order()[i];
    const Expression::Vertex& vertex = expression[v];
    if (vertex.is_stored) continue;
    if (const std::size_t k = index_of(*vertex.node); k != no_index) {
      const Tensor index(expression.pointer(expression.operand(v, k)));
      const bool was_stored = index.is_stored();
      are_some_done |= !was_stored;
      evaluate_index(*vertex.node, index, for_index);
      reader.read(*vertex.node, index.node(), was_stored);
    }
    if (!parts.is_large(v)) continue;
    try {
      evaluate(Tensor(expression.pointer(v)), for_index);
      parts.store(v);
      are_some_done = true;
    } catch (const MemoryError&) {  // it was only to save time
    }
  }
  options.memory_limit = for_index.memory_limit;
  if (are_some_done) reader.made.keep_only(Expression(roots));
  return std::move(reader.made);
}

void refuse_too_large(std::span<const NodePtr> roots, const EvalOptions& options) {
  const std::int64_t limit = limits_of(options).stored_bytes;
  // The largest alone: several may lie in one another's memory.
  const NodePtr& root =
      *std::max_element(roots.begin(), roots.end(),
                        [](const NodePtr& a, const NodePtr& b) { return a->bytes() < b->bytes(); });
  if (root->bytes() <= limit || root->is_stored()) return;
  // One that is no larger than something stored may lie there, or be written over it.
  const Expression expression(roots);
  for (std::size_t v = 0; v < expression.size(); ++v)
    if (expression[v].is_stored && expression[v].node->bytes() >= root->bytes()) return;
  throw MemoryError(fmt::format("{} {} has {} bytes, at most {} are allowed", root->op(),
                                to_string(root->shape()), root->bytes(), limit));
}

}  // namespace weft
