// What ops share whose elements come from places that an operand holds.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <weft/graph/tensor.h>

namespace weft {

/// Whole numbers that an index may hold, and what people call them.
struct IndexBounds {
  std::int64_t low, high;
  const char* what;  ///< "index"
};

/// A node one of whose operands is an integer tensor that says where elements come from.
class Indexed : public Node {
 public:
  Indexed(DType dtype, Shape shape, std::vector<NodePtr> inputs, const Tensor& index)
      : Node(dtype, std::move(shape), std::move(inputs)), index_(&index.node()) {
    depends_on_index_ = true;
  }

  const Node* index() const noexcept final { return index_; }
  void read_index() const final;

 protected:
  /// The elements of the index, row-major, as the op wants them; after read_index().
  const std::vector<std::int64_t>& places() const noexcept { return *places_; }
  /// The same, for a computation to keep.
  std::shared_ptr<const std::vector<std::int64_t>> kept_places() const noexcept { return places_; }
  /// What element `k` may be. Those below 0 have `high + 1` added where low is below 0.
  virtual IndexBounds bounds(std::int64_t k) const = 0;
  /// What the op makes of them, once.
  virtual void arrange(std::vector<std::int64_t>&) const {}

 private:
  const Node* index_;  // an input; a reference of its own would make chains be freed by recursion
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const std::vector<std::int64_t>> places_;
};

/// Makes the tensor of a new node. An index that is stored is checked here.
template <class Op, class... Arguments>
Tensor make_indexed(Arguments&&... arguments) {
  const Tensor made = make_tensor<Op>(std::forward<Arguments>(arguments)...);
  if (made.node().index()->is_stored()) made.node().read_index();
  return made;
}

/// The tensor of a list or a scalar: dtype_mismatch, bad_rank.
Tensor index_tensor(std::string_view op, std::string_view operand, const Ints& indices);

/// dtype_mismatch unless the elements are integers.
void check_index(std::string_view op, std::string_view operand, const Tensor& index);

}  // namespace weft
