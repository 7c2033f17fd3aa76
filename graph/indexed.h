// SPDX-License-Identifier: Apache-2.0
// What ops share whose elements come from places that an operand holds.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <weft/graph/expression.h>
#include <weft/graph/tensor.h>

namespace weft {

/// Whole numbers that an index may hold, and what people call them.
struct IndexBounds {
  std::int64_t low, high;
  const char* what;  ///< "index"
};

/// The elements of an index, row-major: as they lie in the tensor, or made of them.
class Places {
 public:
  Places() = default;
  Places(std::shared_ptr<const std::int64_t> first, std::size_t count)
      : first_(std::move(first)), count_(count) {}

  explicit operator bool() const noexcept { return first_ != nullptr; }
  const std::int64_t* data() const noexcept { return first_.get(); }
  std::size_t size() const noexcept { return count_; }
  std::int64_t operator[](std::size_t k) const noexcept { return first_.get()[k]; }
  operator std::span<const std::int64_t>() const noexcept { return {first_.get(), count_}; }

 private:
  std::shared_ptr<const std::int64_t> first_;
  std::size_t count_ = 0;
};

/// A node whose operand 1 is an integer tensor that says where elements come from.
class Indexed : public Node {
 public:
  Indexed(DType dtype, Shape shape, std::vector<NodePtr> inputs)
      : Node(dtype, std::move(shape), std::move(inputs)) {
    depends_on_index_ = true;
  }

  std::size_t index_operand() const noexcept final { return 1; }
  void read_index(const Node& index, std::int64_t most_bytes = INT64_MAX) const final;
  std::int64_t index_bytes() const noexcept final;

 protected:
  /// After read_index(); a computation keeps a copy, which is cheap.
  const Places& places() const noexcept { return places_; }
  /// What an index may be, for each of the tuples that they come in. Those below 0 have `high + 1`
  /// added where low is below 0.
  virtual std::vector<IndexBounds> bounds() const = 0;
  /// What the op makes of them, once, if is_arranged().
  virtual void arrange(std::vector<std::int64_t>&) const {}
  virtual bool is_arranged() const noexcept { return false; }

 private:
  mutable std::mutex mutex_;
  mutable Places places_;
  mutable bool lies_in_index_ = false;
};

/// Makes the tensor of a new node. An index that is stored is checked here.
template <class Op, class... Arguments>
[[nodiscard]] Tensor make_indexed(const Tensor& index, Arguments&&... arguments) {
  const Tensor made = make_tensor<Op>(std::forward<Arguments>(arguments)...);
  if (index.is_stored()) made.node().read_index(index.node());
  return made;
}

/// Calls visit(node, index) for each node of the expression that has no value but an index operand,
/// those that others depend on before them.
template <class Visit>
void for_each_index(const Expression& expression, const Visit& visit) {
  const Expression::Numbers& order = expression.order();
  for (std::size_t i = order.size(); i-- > 0;) {
    const Expression::Vertex& vertex = expression[order[i]];
    const std::size_t k = vertex.node->index_operand();
    if (!vertex.is_stored && k != Node::no_operand)
      visit(*vertex.node, expression.pointer(expression.operand(order[i], k)));
  }
}

/// The tensor of a list or a scalar: dtype_mismatch, bad_rank.
[[nodiscard]] Tensor index_tensor(std::string_view op, std::string_view operand,
                                  const Ints& indices);

/// dtype_mismatch unless the elements are integers.
void check_index(std::string_view op, std::string_view operand, DType index);
inline void check_index(std::string_view op, std::string_view operand, const Tensor& index) {
  check_index(op, operand, index.dtype());
}

}  // namespace weft
