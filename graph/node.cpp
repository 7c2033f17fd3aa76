// Lifetimes of nodes: counting, letting go of inputs, and freeing without recursion.
#include <weft/graph/node.h>

#include <weft/graph/plan.h>

namespace weft {

void Node::destroy(const Node* node) noexcept {
  // The nodes to free are strung together through themselves: no stack, no allocation.
  while (node) {
    const Node* doomed = node;
    node = doomed->next_doomed_;
    for (NodePtr& input : doomed->inputs_) {
      const Node* freed = std::exchange(input.node_, nullptr);
      if (freed && freed->release()) {
        freed->next_doomed_ = node;
        node = freed;
      }
    }
    delete doomed;
  }
}

void Node::keep(Storage value) const {
  value_ = std::move(value);
  std::vector<NodePtr> released;
  {
    const std::lock_guard lock(inputs_mutex_);
    state_.store(stored, std::memory_order_release);
    released.swap(inputs_);
  }
  state_.notify_all();
  plan_.take();
}

PlanSlot::~PlanSlot() { delete plan_.load(std::memory_order_relaxed); }

std::unique_ptr<Plan> PlanSlot::take() noexcept {
  return std::unique_ptr<Plan>(plan_.exchange(nullptr, std::memory_order_acq_rel));
}

void PlanSlot::put(std::unique_ptr<Plan> plan) noexcept {
  std::unique_ptr<Plan>(plan_.exchange(plan.release(), std::memory_order_acq_rel));
}

std::unique_ptr<Plan> Node::take_plan() const noexcept { return plan_.take(); }

void Node::keep_plan(std::unique_ptr<Plan> plan) const noexcept {
  plan_.put(std::move(plan));
  // Whoever gave the node its value meanwhile dropped the plan before it was there.
  if (is_stored()) plan_.take();
}

bool Node::copy_inputs(std::vector<NodePtr>& to) const {
  const std::lock_guard lock(inputs_mutex_);
  if (is_stored()) return false;
  to.insert(to.end(), inputs_.begin(), inputs_.end());
  return true;
}

}  // namespace weft
