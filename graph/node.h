// SPDX-License-Identifier: Apache-2.0
// A node of the deferred graph: immutable, owns its inputs, and keeps its value once it has one.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <weft/graph/value/dtype.h>
#include <weft/graph/value/partial_shape.h>
#include <weft/graph/value/shape.h>

namespace weft {

class Elementwise;
class Node;
class PullBack;
class Structure;
struct Box;
struct CyclicMap;

/// Where the elements of a tensor are, row-major; the pointer keeps them alive.
using Storage = std::shared_ptr<const std::byte>;

/// Calls work(begin, end) for parts of [0, count), in any order and perhaps at the same time.
using ForParts = std::function<void(
    std::int64_t count, const std::function<void(std::int64_t begin, std::int64_t end)>& work)>;

/// Writes all elements of a value, from those of operands; all are row-major. It may evaluate other
/// tensors, within `work` too, but none that depends on this value.
using Computation = std::function<void(std::span<const std::byte* const> operands, std::byte* out,
                                       const ForParts& for_parts)>;

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

/// What carries an expression out, whatever that is: the engine makes it, and knows.
struct AnyExecutable {
  virtual ~AnyExecutable() = default;
};

/// Where an expression keeps its executable between evaluations. Who uses it takes it out and puts
/// it back; who comes meanwhile finds none and makes one. Nothing is locked and nothing counted.
class ExecutableSlot {
 public:
  ExecutableSlot() = default;
  ~ExecutableSlot();
  std::unique_ptr<AnyExecutable> take() noexcept;
  void put(std::unique_ptr<AnyExecutable> executable) noexcept;

 private:
  std::atomic<AnyExecutable*> executable_{nullptr};
};

/// What an expression is made of. An op derives from it in its own file; `pull_back` and `trace`
/// use only what the op itself keeps, never the inputs, for a node lets go of those once it has a
/// value.
class Node {
 public:
  Node(DType dtype, Shape shape, std::vector<NodePtr> inputs)
      : Node(dtype, std::move(shape), std::move(inputs), Known::all) {}
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  virtual ~Node() = default;

  /// What is known before a program runs; everything of a node that depends on no placeholder.
  enum class Known : std::uint8_t { type, rank, shape, all };

  DType dtype() const noexcept { return dtype_; }
  Known known() const noexcept { return known_; }
  virtual PartialShape partial_shape() const { return shape_; }
  const Shape& shape() const noexcept { return shape_; }
  std::size_t rank() const noexcept { return shape_.size(); }
  std::int64_t count() const noexcept { return count_; }
  std::int64_t bytes() const noexcept { return count_ * dtype_.size(); }

  /// The op's name, as users write it.
  virtual std::string_view op() const noexcept = 0;
  /// Its parameters, for people: "shift=[1], axes=[0]".
  virtual std::string parameters() const { return {}; }

  /// Says which elements of which operands the elements of `box` come from, as boxes.
  virtual void pull_back(const Box& box, PullBack& to) const = 0;
  /// The same for one element and without boxes: turns `index` into an index of the operand told.
  /// This is the op's meaning; everything else is checked against it.
  virtual std::size_t trace(Index& index) const = 0;
  /// Whether output and input hold the same bytes in the same row-major order.
  virtual bool keeps_order() const noexcept { return false; }

  /// Whether its value is stored in a pass of its own, whatever that costs.
  virtual bool must_be_stored() const noexcept { return false; }

  /// For an op that is its first operand, but for the elements from `start` on in steps of `step`,
  /// on each axis, which are its second: says so and sets both. Others return false.
  virtual bool replaces(Index& /*start*/, Index& /*step*/) const { return false; }

  /// For an op that only turns and permutes axes: goes on from a map to this node to the map to its
  /// operand. Others return false and change nothing.
  virtual bool compose(CyclicMap&) const { return false; }

  /// For an op that computes each element of one of each operand: itself.
  virtual const Elementwise* elementwise() const noexcept { return nullptr; }

  static constexpr std::size_t no_operand = static_cast<std::size_t>(-1);
  /// The operand whose elements say where those of the value come from, if there is one. It has its
  /// value, and was handed to read_index(), before a plan is made.
  virtual std::size_t index_operand() const noexcept { return no_operand; }
  /// Reads and checks that operand. Throws IndexError, and MemoryError where more than so many
  /// bytes would be kept of it.
  virtual void read_index(const Node& /*index*/, std::int64_t /*most_bytes*/ = INT64_MAX) const {}
  /// How many are kept of it, after that.
  virtual std::int64_t index_bytes() const noexcept { return 0; }
  /// Whether this is so of the node or of one it is made of.
  bool depends_on_index() const noexcept { return depends_on_index_; }

  /// Whether elements do not come in boxes but are computed, all at once.
  virtual bool is_computed() const noexcept { return false; }
  /// The same for an op whose elements come in boxes, but in so many that computing may be better.
  virtual bool may_be_computed() const noexcept { return false; }
  /// Into how many boxes it would cut this one then, about.
  virtual std::int64_t cuts(const Box&) const { return 0; }
  /// What writes them then, from the operands beside the index; each of those is stored whole.
  virtual Computation computation() const { return {}; }

  /// Adds the numbers that, with shapes and type, make the op what it is, and returns true. The
  /// plan of an expression with an op that does not say is not used for another.
  virtual bool add_parameters(Structure&) const { return false; }

  bool is_stored() const noexcept { return state_.load(std::memory_order_acquire) == stored; }
  /// The value; only where is_stored().
  const Storage& value() const noexcept { return value_; }

  /// The value, from `compute` where there is none yet: one thread computes, others wait for it.
  /// ParameterError (bad_op) where `compute` asks for the same value.
  template <class Compute>
  const Storage& value_or(Compute&& compute) const;

  /// The executable that was kept, if any, and keeping one. It keeps alive what it reads. A node
  /// that has its value keeps none.
  std::unique_ptr<AnyExecutable> take_executable() const noexcept;
  void keep_executable(std::unique_ptr<AnyExecutable> executable) const noexcept;

  /// Appends the inputs and returns true, or returns false where there is a value instead.
  bool copy_inputs(std::vector<NodePtr>& to) const;

  /// For who computes the value: true where nobody but the caller and one leaf below holds
  /// `value`, and nobody but this expression that leaf and the nodes on the way to it. Then nobody
  /// will: until this node has its value, or fails to get one, copy_inputs() waits.
  bool withhold(const Storage& value) const;
  /// Whether withhold() would be true now; withholds nothing.
  bool may_withhold(const Storage& value) const;

  /// For a stored node of which the caller holds one reference, and `value` beside it: whether
  /// nobody else holds either.
  bool is_given_up(const Storage& value) const;

 protected:
  /// For a leaf, born with its value.
  Node(DType dtype, Shape shape, Storage value)
      : dtype_(dtype),
        shape_(std::move(shape)),
        count_(element_count(shape_)),
        state_(stored),
        value_(std::move(value)) {}

  /// For one of which not all is known.
  Node(DType dtype, Shape shape, std::vector<NodePtr> inputs, Known known)
      : dtype_(dtype),
        shape_(std::move(shape)),
        count_(element_count(shape_)),
        known_(known),
        inputs_(std::move(inputs)) {
    for (const NodePtr& input : inputs_) depends_on_index_ |= input->depends_on_index_;
  }

  bool depends_on_index_ = false;

 private:
  friend class NodePtr;
  enum State : std::uint32_t { lazy, computing, stored };

  [[noreturn]] void throw_asks_for_itself() const;
  void keep(Storage value) const;
  bool is_sole_user(const Storage& value) const;
  void give_up() const noexcept;
  /// Gives up a reference; true where it was the last. Nobody else can touch a node held once,
  /// which spares the common case an atomic write.
  bool release() const noexcept {
    return references_.load(std::memory_order_acquire) == 1 ||
           references_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }
  static void destroy(const Node* node) noexcept;

  const DType dtype_;
  const Shape shape_;
  const std::int64_t count_;
  const Known known_ = Known::all;
  mutable std::atomic<std::uint32_t> references_{1};
  mutable std::atomic<State> state_{lazy};
  mutable std::atomic<std::thread::id> computed_by_{};  // since it last became computing
  mutable std::mutex inputs_mutex_;
  mutable std::vector<NodePtr> inputs_;  // guarded by the mutex
  mutable bool is_withheld_ = false;     // so is this
  mutable ExecutableSlot executable_;
  mutable Storage value_;  // written once, before the state says stored
  mutable const Node* next_doomed_ = nullptr;
};

inline NodePtr::NodePtr(const NodePtr& other) noexcept : node_(other.node_) {
  if (node_) node_->references_.fetch_add(1, std::memory_order_relaxed);
}
inline NodePtr::~NodePtr() {
  if (node_ && node_->release()) Node::destroy(node_);
}

template <class Compute>
const Storage& Node::value_or(Compute&& compute) const {
  for (;;) {
    State seen = state_.load(std::memory_order_acquire);
    if (seen == stored) return value_;
    if (seen == lazy && state_.compare_exchange_strong(seen, computing)) {
      computed_by_.store(std::this_thread::get_id(), std::memory_order_relaxed);
      try {
        keep(compute());
      } catch (...) {
        give_up();
        throw;
      }
      return value_;
    }
    if (seen != computing) continue;
    // Nobody else would ever end that wait.
    if (computed_by_.load(std::memory_order_relaxed) == std::this_thread::get_id())
      throw_asks_for_itself();
    state_.wait(computing);
  }
}

/// A tensor whose elements exist: the leaf of every expression.
class Stored final : public Node {
 public:
  Stored(DType dtype, Shape shape, Storage value)
      : Node(dtype, std::move(shape), std::move(value)) {}
  std::string_view op() const noexcept override { return "stored"; }
  void pull_back(const Box&, PullBack&) const override {}
  std::size_t trace(Index&) const override { return 0; }
};

}  // namespace weft
