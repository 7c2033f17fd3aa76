// SPDX-License-Identifier: Apache-2.0
// Indices: operands that say where elements come from, what is read of them, and what holds that.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <weft/graph/expression.h>
#include <weft/graph/tensor.h>

namespace weft {

/// Whole numbers that an index may hold, and what people call them.
struct IndexBounds {
  std::int64_t low, high;
  const char* what;  ///< "index"
};

/// An index that has its value: where its elements lie, aligned to nothing, and what they may be.
class StoredIndex {
 public:
  /// Of a node.
  StoredIndex(const Node& node, const Node& index);

  const Shape& shape() const noexcept { return shape_; }
  DType type() const noexcept { return type_; }
  std::int64_t count() const noexcept { return count_; }
  const std::byte* bytes() const noexcept { return memory_.get(); }
  const Storage& memory() const noexcept { return memory_; }
  /// Of tuples, what each part may be.
  const std::vector<IndexBounds>& bounds() const noexcept { return bounds_; }
  /// How element k counts, of a list of places.
  std::int64_t place(std::int64_t k) const;
  /// How all count.
  std::vector<std::int64_t> places() const;

  /// What they are an index into, where each may be as far from the end as from the front; or 0.
  std::int64_t extent() const noexcept;

  /// Whether its memory holds those as they are.
  bool lies_as_it_counts() const;
  /// Throws IndexError, for the first that is out of bounds.
  void check(const ForParts& for_parts) const;
  void check() const;
  /// The same, where it was found that one is.
  [[noreturn]] void refuse() const;

 private:
  std::int64_t first_wrong() const;

  std::string op_;
  Shape shape_;
  DType type_;
  std::int64_t count_;
  Storage memory_;
  std::vector<IndexBounds> bounds_;
};

/// What an op is given of its index: the elements, row-major, or what it made of them.
class Places {
 public:
  Places() = default;
  /// The elements as they lie in the tensor.
  Places(Storage memory, std::int64_t count)
      : memory_(std::move(memory)), count_(static_cast<std::size_t>(count)) {}
  /// The same of any type, which an op that checks its places is given, and nobody else.
  explicit Places(std::shared_ptr<const StoredIndex> index)
      : count_(static_cast<std::size_t>(index->count())), index_(std::move(index)) {}
  /// Copies of them.
  explicit Places(std::vector<std::int64_t> copies) : Places(made_of(std::move(copies))) {}
  /// Anything else, which as() gives back.
  template <class T>
  static Places made_of(std::vector<T> values) {
    const auto kept = std::make_shared<const std::vector<T>>(std::move(values));
    Places places(Storage(kept, reinterpret_cast<const std::byte*>(kept->data())),
                  static_cast<std::int64_t>(kept->size()));
    places.copied_bytes_ = static_cast<std::int64_t>(kept->size() * sizeof(T));
    return places;
  }

  const std::int64_t* data() const noexcept { return as<std::int64_t>().data(); }
  std::size_t size() const noexcept { return count_; }
  std::int64_t operator[](std::size_t k) const {
    return index_ ? index_->place(static_cast<std::int64_t>(k)) : data()[k];
  }
  operator std::span<const std::int64_t>() const noexcept { return as<std::int64_t>(); }
  template <class T>
  std::span<const T> as() const noexcept {
    return {reinterpret_cast<const T*>(memory_.get()), count_};
  }
  /// What copies of the index take, or what was made of it, which limits count.
  std::int64_t copied_bytes() const noexcept { return copied_bytes_; }
  /// Where they are read as they lie; or null.
  const StoredIndex* index() const noexcept { return index_.get(); }

 private:
  Storage memory_;
  std::size_t count_ = 0;
  std::int64_t copied_bytes_ = 0;
  std::shared_ptr<const StoredIndex> index_;
};

/// What one evaluation has read of indices, for each node that has one.
class Indices {
 public:
  /// Those that are not checked yet are, by who reads them or by check().
  void add(const Node& node, const Node& index, Places places, bool are_checked = true);
  /// InternalError where it was not read.
  const Places& of(const Node& node) const;
  /// The same, checked.
  const Places& checked(const Node& node) const;
  bool are_none() const noexcept { return read_.empty(); }
  /// Checks those that were not, before memory is written that is not the evaluation's own. Their
  /// nodes are told.
  void check(const ForParts& for_parts) const;
  /// Forgets those of nodes that are stored in the expression, or not in it.
  void keep_only(const Expression& expression);
  /// Whether an index lies in memory from `begin` to `end`: a computation may read it there.
  bool is_within(const std::byte* begin, const std::byte* end) const;

 private:
  struct Read {
    Places places;
    const Node* node;        // the index, which lives as long as it is not checked
    const std::byte* index;  // where it lies; looked at by nobody
    std::int64_t bytes;
    bool are_checked;
  };
  const Read& read_of(const Node& node) const;

  std::unordered_map<const Node*, Read> read_;
};

/// The operand of a node that is its index, or none.
inline constexpr std::size_t no_index = static_cast<std::size_t>(-1);
inline std::size_t index_of(const Node& node) noexcept {
  const auto* const indexed = node.operation().as<IndexedMovement>();
  return indexed ? indexed->index() : no_index;
}

/// Whether nodes check their index where they are built: one that is stored and of few elements.
/// Others are checked when they are evaluated, which more than one thread does.
bool is_checked_when_built(const Node& index);
/// Checks the elements of an index that is stored, of a node. Throws IndexError.
void check_index_of(const Node& node, const Node& index);
/// What the node's operation is given of them, once they are checked. Throws MemoryError where
/// copies would take more than so many bytes.
Places read_index_of(const StoredIndex& index, const Node& node,
                     std::int64_t most_bytes = INT64_MAX);
/// Checks them, too.
Places read_index_of(const Node& node, const Node& index);
/// Reads those of an expression that are stored.
Indices read_stored_indices(const Expression& expression);

/// Calls visit(node, index) for each node of the expression that has no value but an index, those
/// that others depend on before them.
template <class Visit>
void for_each_index(const Expression& expression, const Visit& visit) {
  const Expression::Numbers& order = expression.order();
  for (std::size_t i = order.size(); i-- > 0;) {
    const Expression::Vertex& vertex = expression[order[i]];
    const std::size_t k = index_of(*vertex.node);
    if (!vertex.is_stored && k != no_index)
      visit(*vertex.node, expression.pointer(expression.operand(order[i], k)));
  }
}

/// The tensor of a list or a scalar: dtype_mismatch, bad_rank.
[[nodiscard]] Tensor index_tensor(std::string_view op, std::string_view operand,
                                  const Ints& indices);
/// Whether memory is that of a list that index_tensor() keeps, which nobody can write to.
bool is_index_list(const Storage& memory);

/// dtype_mismatch unless the elements are integers.
void check_index(std::string_view op, std::string_view operand, DType index);
inline void check_index(std::string_view op, std::string_view operand, const Tensor& index) {
  check_index(op, operand, index.dtype());
}

}  // namespace weft
