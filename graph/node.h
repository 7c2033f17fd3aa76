// SPDX-License-Identifier: Apache-2.0
// A node of the deferred graph: its type, its operation and its inputs, and a slot for its value,
// the one thing about it that changes.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <weft/graph/kept_executable.h>
#include <weft/graph/kinds.h>
#include <weft/graph/value/dtype.h>
#include <weft/graph/value/partial_shape.h>
#include <weft/graph/value/shape.h>
#include <weft/graph/value/tensor_type.h>

namespace weft {

class Node;

/// Where the elements of a tensor are, row-major; the pointer keeps them alive.
using Storage = std::shared_ptr<const std::byte>;

/// A counted reference to a node. Letting go of the last one frees a chain of any length in
/// constant stack.
class NodePtr {
 public:
  NodePtr() noexcept = default;
  /// Takes over the reference that a new node is born with.
  explicit NodePtr(const Node* node) noexcept : node_(node) {}
  inline NodePtr(const NodePtr& other) noexcept;
  NodePtr(NodePtr&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  NodePtr& operator=(NodePtr other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  inline ~NodePtr();

  const Node* get() const noexcept { return node_; }
  const Node& operator*() const noexcept { return *node_; }
  const Node* operator->() const noexcept { return node_; }
  explicit operator bool() const noexcept { return node_ != nullptr; }

 private:
  friend class Node;
  const Node* node_ = nullptr;
};

/// The inputs of a node; a few lie within it.
class NodeInputs {
 public:
  NodeInputs() noexcept = default;
  /// With room for so many, which add() then fills.
  explicit NodeInputs(std::size_t count) {
    if (count > few_.size()) many_ = std::make_unique<NodePtr[]>(count);
  }
  explicit NodeInputs(std::vector<NodePtr> nodes) : NodeInputs(nodes.size()) {
    for (NodePtr& node : nodes) add(std::move(node));
  }
  NodeInputs(NodeInputs&& other) noexcept
      : few_(std::move(other.few_)),
        many_(std::move(other.many_)),
        count_(std::exchange(other.count_, 0)) {}
  NodeInputs& operator=(NodeInputs&&) = delete;

  void add(NodePtr node) noexcept { begin()[count_++] = std::move(node); }
  void swap(NodeInputs& other) noexcept {
    few_.swap(other.few_);
    many_.swap(other.many_);
    std::swap(count_, other.count_);
  }

  std::size_t size() const noexcept { return count_; }
  NodePtr* begin() noexcept { return many_ ? many_.get() : few_.data(); }
  NodePtr* end() noexcept { return begin() + count_; }
  const NodePtr* begin() const noexcept { return many_ ? many_.get() : few_.data(); }
  const NodePtr* end() const noexcept { return begin() + count_; }
  NodePtr& operator[](std::size_t k) noexcept { return begin()[k]; }
  const NodePtr& operator[](std::size_t k) const noexcept { return begin()[k]; }

 private:
  std::array<NodePtr, 3> few_;
  std::unique_ptr<NodePtr[]> many_;
  std::size_t count_ = 0;
};

/// What an expression is made of. It is immutable but for its value slot.
class Node {
 public:
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  virtual ~Node() = default;  // with its operation, which lies beside it

  /// What is known before a program runs; everything of a node that depends on no placeholder.
  enum class Known : std::uint8_t { type, rank, shape, all };

  DType dtype() const noexcept { return dtype_; }
  Known known() const noexcept { return known_; }
  PartialShape partial_shape() const;
  const Shape& shape() const noexcept { return shape_; }
  std::size_t rank() const noexcept { return shape_.size(); }
  std::int64_t count() const noexcept { return count_; }
  std::int64_t bytes() const noexcept { return count_ * dtype_.size(); }

  const Operation& operation() const noexcept { return operation_; }
  std::string_view op() const noexcept { return operation_.name(); }
  std::string parameters() const { return operation_.parameters(shape_); }
  /// Whether elements of it, or of a node it is made of, come from places that an operand holds.
  bool depends_on_index() const noexcept { return depends_on_index_; }

  bool is_stored() const noexcept {
    return slot_.state.load(std::memory_order_acquire) == ValueSlot::stored;
  }
  /// The value; only where is_stored().
  const Storage& value() const noexcept { return slot_.value; }

  /// The value, from `compute` where there is none yet: one thread computes, others wait for it.
  /// ParameterError (bad_op) where `compute` asks for the same value. Who waits calls `meanwhile`,
  /// if there is one, now and then; what it throws ends the wait.
  template <class Compute>
  const Storage& value_or(Compute&& compute, const std::function<void()>& meanwhile = {}) const;
  /// Of a value that is an index: whether each element was found to be from -extent to extent - 1.
  /// Whoever asks knows that nobody has written to its memory since.
  bool is_known_within(std::int64_t extent) const noexcept {
    const std::int64_t known = slot_.known_extent.load(std::memory_order_relaxed);
    return known != 0 && known <= extent;
  }
  /// Says that they were; an extent of 0 says nothing.
  void know_within(std::int64_t extent) const noexcept {
    slot_.known_extent.store(extent, std::memory_order_relaxed);
  }

  /// Whether some thread computes the value just now.
  bool is_computing() const noexcept {
    return slot_.state.load(std::memory_order_acquire) == ValueSlot::computing;
  }

  /// The executable that is kept, if any, for who puts it back. It keeps alive what it reads, so it
  /// goes when this node or one of those below gains its value: then others are read.
  std::unique_ptr<AnyExecutable> take_executable() const noexcept;
  void put_back(std::unique_ptr<AnyExecutable> executable) const noexcept;
  /// Keeps one that was made when none of the nodes `below`, through which it reads, had a value.
  void keep_executable(std::unique_ptr<AnyExecutable> executable,
                       std::span<const Node* const> below) const;

  /// Nothing where there is a value instead.
  std::optional<NodeInputs> inputs() const;
  /// Calls visit(const NodePtr&) for each input, while no other thread may ask for them; false
  /// where there is a value instead.
  template <class Visit>
  bool for_each_input(const Visit& visit) const {
    const std::unique_lock lock = lock_inputs();
    if (is_stored()) return false;
    for (const NodePtr& input : slot_.inputs) visit(input);
    return true;
  }

  /// For who computes the value: true where nobody but the caller and one leaf below holds
  /// `value`, and nobody but this expression that leaf and the nodes on the way to it. Then nobody
  /// will: until this node has its value, or fails to get one, inputs() waits.
  bool withhold(const Storage& value) const;
  /// Whether withhold() would be true now; withholds nothing.
  bool may_withhold(const Storage& value) const;

  /// For a stored node of which the caller holds one reference, and `value` beside it: whether
  /// nobody else holds either.
  bool is_given_up(const Storage& value) const;
  /// Whether the caller, who holds so many references, holds all that there are.
  bool is_held(std::uint32_t references) const noexcept {
    return references_.load(std::memory_order_acquire) == references;
  }

 protected:
  /// The operation lives as long as the node.
  Node(const Operation& operation, TensorType&& type, NodeInputs&& inputs, Known known)
      : operation_(operation),
        dtype_(type.dtype),
        known_(known),
        depends_on_index_(depends_on_index(operation, inputs)),
        shape_(std::move(type.shape)),
        count_(element_count(shape_)),
        slot_(std::move(inputs)) {}
  /// A leaf, born with its value.
  Node(const Operation& operation, DType dtype, Shape&& shape, Storage&& value)
      : operation_(operation),
        dtype_(dtype),
        known_(Known::all),
        depends_on_index_(false),
        shape_(std::move(shape)),
        count_(element_count(shape_)),
        slot_(std::move(value)) {}

 private:
  friend class NodePtr;

  /// All that changes: a node has inputs until it has a value.
  struct ValueSlot {
    enum State : std::uint32_t { lazy, computing, stored };
    explicit ValueSlot(NodeInputs&& given) : inputs(std::move(given)) {}
    explicit ValueSlot(Storage&& given) : state(stored), value(std::move(given)) {}

    std::atomic<State> state{lazy};
    std::atomic<std::thread::id> computed_by{};  // since it last became computing
    std::mutex mutex{};
    NodeInputs inputs{};       // guarded by the mutex
    bool is_withheld = false;  // so is this
    // Made once, when the first executable is kept; where it lies, without the lock.
    std::shared_ptr<KeptExecutable> own_executable{};
    std::atomic<KeptExecutable*> executable{nullptr};
    // Of expressions that this node is a part of: guarded by the mutex.
    std::vector<std::weak_ptr<KeptExecutable>> executables_above{};
    Storage value{};                            // written once, before the state says stored
    std::atomic<std::int64_t> known_extent{0};  // that nobody knows yet
  };

  static bool depends_on_index(const Operation& operation, const NodeInputs& inputs) noexcept {
    bool depends = operation.kind() == Operation::Kind::indexed_movement;
    for (const NodePtr& input : inputs) depends |= input->depends_on_index_;
    return depends;
  }

  /// Waits while they are withheld; refuses who withholds them.
  std::unique_lock<std::mutex> lock_inputs() const;
  void wait_for_value(const std::function<void()>& meanwhile) const;
  bool is_computed_here() const noexcept {
    return slot_.computed_by.load(std::memory_order_relaxed) == std::this_thread::get_id();
  }
  [[noreturn]] void throw_asks_for_itself() const;
  void keep(Storage value) const;
  std::shared_ptr<KeptExecutable> place_of_executable() const;
  bool add_executable_above(const std::shared_ptr<KeptExecutable>& executable) const;
  bool is_sole_user(const Storage& value) const;
  void give_up() const noexcept;
  /// Gives up a reference; true where it was the last. Nobody else can touch a node held once,
  /// which spares the common case an atomic write.
  bool release() const noexcept {
    return references_.load(std::memory_order_acquire) == 1 ||
           references_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }
  static void destroy(const Node* node) noexcept;

  const Operation& operation_;
  const DType dtype_;
  const Known known_;
  const bool depends_on_index_;
  const Shape shape_;
  const std::int64_t count_;
  mutable ValueSlot slot_;
  // How long it lives, which is no part of what it is.
  mutable std::atomic<std::uint32_t> references_{1};
  mutable const Node* next_doomed_ = nullptr;
};

inline NodePtr::NodePtr(const NodePtr& other) noexcept : node_(other.node_) {
  if (node_) node_->references_.fetch_add(1, std::memory_order_relaxed);
}
inline NodePtr::~NodePtr() {
  if (node_ && node_->release()) Node::destroy(node_);
}

template <class Compute>
const Storage& Node::value_or(Compute&& compute, const std::function<void()>& meanwhile) const {
  using enum ValueSlot::State;
  for (;;) {
    ValueSlot::State seen = slot_.state.load(std::memory_order_acquire);
    if (seen == stored) return slot_.value;
    if (seen == lazy && slot_.state.compare_exchange_strong(seen, computing)) {
      slot_.computed_by.store(std::this_thread::get_id(), std::memory_order_relaxed);
      try {
        keep(compute());
      } catch (...) {
        give_up();
        throw;
      }
      return slot_.value;
    }
    if (seen != computing) continue;
    // Nobody else would ever end that wait.
    if (is_computed_here()) throw_asks_for_itself();
    wait_for_value(meanwhile);
  }
}

namespace detail {

/// A base, so that the operation is there before the node that refers to it.
template <class Own>
struct WithOperation {
  template <class... Arguments>
  explicit WithOperation(Arguments&&... arguments)
      : operation(std::forward<Arguments>(arguments)...) {}
  const Own operation;
};

class NoOperation final : public Operation {
 public:
  constexpr NoOperation() noexcept : Operation(Kind::stored) {}
  std::string_view name() const noexcept override { return "stored"; }
};
inline constexpr NoOperation no_operation;

}  // namespace detail

/// A node and its operation, in one piece of memory.
template <class Own>
class NodeOf final : detail::WithOperation<Own>, public Node {
 public:
  /// The operation is made of the arguments, in place.
  template <class... Arguments>
  NodeOf(TensorType&& type, NodeInputs&& inputs, Arguments&&... arguments)
      : NodeOf(Known::all, std::move(type), std::move(inputs),
               std::forward<Arguments>(arguments)...) {}
  /// One of which not all is known.
  template <class... Arguments>
  NodeOf(Known known, TensorType&& type, NodeInputs&& inputs, Arguments&&... arguments)
      : detail::WithOperation<Own>(std::forward<Arguments>(arguments)...),
        Node(detail::WithOperation<Own>::operation, std::move(type), std::move(inputs), known) {}
};

/// A tensor whose elements exist: the leaf of every expression.
class Stored final : public Node {
 public:
  Stored(DType dtype, Shape shape, Storage value)
      : Node(detail::no_operation, dtype, std::move(shape), std::move(value)) {}
};

}  // namespace weft
