// SPDX-License-Identifier: Apache-2.0
// Lifetimes of nodes: counting, letting go of inputs, and freeing without recursion.
#include <weft/graph/node.h>

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

#include <weft/graph/open.h>
#include <weft/graph/value/error.h>
#include <weft/graph/value/small_vector.h>

namespace weft {

PartialShape Node::partial_shape() const {
  const Open* const open = operation_.as<Open>();
  return open ? open->shape() : PartialShape(shape_);
}

void Node::destroy(const Node* node) noexcept {
  // The nodes to free are strung together through themselves: no stack, no allocation.
  while (node) {
    const Node* doomed = node;
    node = doomed->next_doomed_;
    for (NodePtr& input : doomed->slot_.inputs) {
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
  slot_.value = std::move(value);
  NodeInputs released;
  std::vector<std::weak_ptr<KeptExecutable>> above;
  {
    const std::lock_guard lock(slot_.mutex);
    slot_.state.store(ValueSlot::stored, std::memory_order_release);
    released.swap(slot_.inputs);
    above.swap(slot_.executables_above);
  }
  slot_.state.notify_all();
  if (KeptExecutable* const own = slot_.executable.load(std::memory_order_acquire)) own->drop();
  for (const std::weak_ptr<KeptExecutable>& each : above)
    if (const std::shared_ptr<KeptExecutable> kept = each.lock()) kept->drop();
}

void Node::wait_for_value(const std::function<void()>& meanwhile) const {
  using namespace std::chrono_literals;
  if (!meanwhile) return slot_.state.wait(ValueSlot::computing);
  // An atomic waits for as long as it takes.
  for (std::chrono::microseconds pause = 20us; is_computing();
       pause = std::min(2 * pause, 1000us)) {
    meanwhile();
    std::this_thread::sleep_for(pause);
  }
}

void Node::throw_asks_for_itself() const {
  throw ParameterError("bad_op", fmt::format("eval: {} {} asks for its own value while that is "
                                             "computed",
                                             op(), to_string(shape_)));
}

void Node::give_up() const noexcept {
  {
    const std::lock_guard lock(slot_.mutex);
    slot_.is_withheld = false;
    slot_.computed_by.store({}, std::memory_order_relaxed);  // before another thread computes
    slot_.state.store(ValueSlot::lazy, std::memory_order_release);
  }
  slot_.state.notify_all();
}

std::unique_ptr<AnyExecutable> Node::take_executable() const noexcept {
  KeptExecutable* const own = slot_.executable.load(std::memory_order_acquire);
  return own ? own->take() : nullptr;
}

void Node::put_back(std::unique_ptr<AnyExecutable> executable) const noexcept {
  KeptExecutable* const own = slot_.executable.load(std::memory_order_acquire);
  if (!own) return;
  own->put(std::move(executable));
  // Whoever gave the node its value meanwhile may have found no place.
  if (is_stored()) own->drop();
}

void Node::keep_executable(std::unique_ptr<AnyExecutable> executable,
                           std::span<const Node* const> below) const {
  const std::shared_ptr<KeptExecutable> own = place_of_executable();
  executable->kept_at = own->age();
  for (const Node* const node : below)
    if (!node->add_executable_above(own)) return;
  put_back(std::move(executable));
}

std::shared_ptr<KeptExecutable> Node::place_of_executable() const {
  const std::lock_guard lock(slot_.mutex);
  if (!slot_.own_executable) {
    slot_.own_executable = std::make_shared<KeptExecutable>();
    slot_.executable.store(slot_.own_executable.get(), std::memory_order_release);
  }
  return slot_.own_executable;
}

/// Drops it when this node gains its value; false where it has one.
bool Node::add_executable_above(const std::shared_ptr<KeptExecutable>& executable) const {
  const std::lock_guard lock(slot_.mutex);
  if (is_stored()) return false;
  auto& above = slot_.executables_above;
  if (above.size() == above.capacity()) {
    // Those of expressions that are gone, or were added before.
    std::erase_if(above, [&](const std::weak_ptr<KeptExecutable>& each) {
      return each.expired() || (!each.owner_before(executable) && !executable.owner_before(each));
    });
    above.reserve(std::max<std::size_t>(1, 2 * above.size()));
  }
  above.push_back(executable);
  return true;
}

std::optional<NodeInputs> Node::inputs() const {
  std::optional<NodeInputs> copy;
  const std::unique_lock lock = lock_inputs();
  if (is_stored()) return copy;
  copy.emplace(slot_.inputs.size());
  for (const NodePtr& input : slot_.inputs) copy->add(input);
  return copy;
}

std::unique_lock<std::mutex> Node::lock_inputs() const {
  for (;;) {
    std::unique_lock lock(slot_.mutex);
    if (!slot_.is_withheld || is_stored()) return lock;
    lock.unlock();
    if (is_computed_here()) throw_asks_for_itself();
    slot_.state.wait(ValueSlot::computing);
  }
}

namespace {

/// Whether two hold `value`. use_count() orders nothing; letting go of one more comes after what
/// others did before they let go of theirs.
bool is_held_twice(const Storage& value) {
  if (value.use_count() != 2) return false;
  Storage(value).reset();
  return true;
}

}  // namespace

bool Node::is_given_up(const Storage& value) const {
  return references_.load(std::memory_order_acquire) == 1 && is_held_twice(value);
}

bool Node::withhold(const Storage& value) const {
  if (!is_held_twice(value)) return false;
  const std::lock_guard lock(slot_.mutex);
  return slot_.is_withheld = is_sole_user(value);
}

bool Node::may_withhold(const Storage& value) const {
  const std::lock_guard lock(slot_.mutex);
  return is_held_twice(value) && is_sole_user(value);
}

namespace {

/// Counts the references that nodes of an expression hold on others of it, and tells when all that
/// there are have been met.
class References {
 public:
  /// Whether that was the last of `all` references to a node. Gives up on expressions that share
  /// much.
  bool met_all(const Node* node, std::uint32_t all) {
    if (all == 1) return true;
    const auto same =
        std::find_if(met_.begin(), met_.end(), [&](const Met& met) { return met.node == node; });
    if (same != met_.end()) return ++same->count == all;
    if (met_.size() < most) met_.push_back({node, 1});
    return false;
  }

 private:
  static constexpr std::size_t most = 64;
  struct Met {
    const Node* node;
    std::uint32_t count;
  };
  SmallVector<Met, 4> met_;
};

}  // namespace

/// With the inputs locked.
bool Node::is_sole_user(const Storage& value) const {
  // A node all of whose references are met is reached through those above it alone, and they
  // through this node, whose inputs are locked: its count cannot rise.
  References references;
  SmallVector<const Node*, 8> unvisited;
  unvisited.push_back(this);
  while (!unvisited.empty()) {
    const Node& node = *unvisited.back();
    unvisited.pop_back();
    for (const NodePtr& input : node.slot_.inputs) {
      const std::uint32_t all = input->references_.load(std::memory_order_acquire);
      if (!references.met_all(input.get(), all)) continue;
      if (!input->is_stored()) unvisited.push_back(input.get());
      else if (input->slot_.value == value) return true;
    }
  }
  return false;
}

}  // namespace weft
