// SPDX-License-Identifier: Apache-2.0
// Tensor: the handle users hold. Its methods build nodes; nothing moves until a value is asked for.
#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <weft/graph/error.h>
#include <weft/graph/ints.h>
#include <weft/graph/node.h>

namespace weft {

class AxisSizes;
struct EvalOptions;
struct IndexRange;
struct Op;
class Scalar;

/// Completed by `<weft/eigen.h>`: the Eigen types that `as`, `matrix` and `array` return.
template <class T, int Rank>
struct EigenTensorView;
template <class T>
struct EigenMatrixView;

/// A value or an expression for one. Copies share it; every method is also a free function.
/// Methods that build a node cost nothing but the node and throw weft::Error, changing nothing.
class Tensor {
 public:
  explicit Tensor(NodePtr node) noexcept : node_(std::move(node)) {}
  Tensor(const Tensor&) = default;
  Tensor(Tensor&&) = default;
  Tensor& operator=(const Tensor&) & = default;
  Tensor& operator=(Tensor&&) & = default;
  ~Tensor() = default;

  DType dtype() const { return node().dtype(); }
  /// This, and what counts elements, throws OpenError where it is not known before a program runs.
  const Shape& shape() const { return known_node(Node::Known::shape).shape(); }
  std::size_t rank() const { return known_node(Node::Known::rank).rank(); }
  /// Whether that is the shape: `x.has_shape({2, 3})`.
  [[nodiscard]] bool has_shape(const Shape& expected) const { return shape() == expected; }
  /// Number of elements.
  std::int64_t size() const { return known_node(Node::Known::shape).count(); }
  std::int64_t bytes() const { return known_node(Node::Known::shape).bytes(); }
  /// What is known of the shape.
  PartialShape partial_shape() const { return node().partial_shape(); }
  /// Whether the value exists already.
  bool is_stored() const { return node().is_stored(); }
  /// Whether it depends on a placeholder, so that there is no value before a program runs.
  bool is_open() const { return node().known() != Node::Known::all; }

  // Ops; the full story of each is in ops/NAME.h. concat, stack, full
  // and gather are functions only.
  Tensor roll(const Ints& shift, const Ints& axes) const&;
  Tensor roll(const Ints& shift, const Ints& axes) &&;
  Tensor transpose(const Ints& order = none) const;
  Tensor slice_scatter(const Tensor& updates, const Ints& start, const Ints& stop,
                       const Ints& step = none, const Ints& axes = none) const&;
  Tensor slice_scatter(const Tensor& updates, const Ints& start, const Ints& stop,
                       const Ints& step = none, const Ints& axes = none) &&;
  Tensor tile(const Ints& repeats) const;
  Tensor reshape(const Ints& shape) const;
  Tensor slice(const Ints& start, const Ints& stop, const Ints& step = none,
               const Ints& axes = none) const;
  Tensor flip(const Ints& axes = none) const&;
  Tensor flip(const Ints& axes = none) &&;
  Tensor squeeze(const Ints& axes = none) const;
  Tensor expand_dims(const Ints& axes) const;
  Tensor broadcast_to(const Ints& shape) const;
  Tensor take(const Tensor& indices, const Ints& axis = none) const;
  Tensor take(const Ints& indices, const Ints& axis = none) const;
  Tensor gather_elements(const Tensor& indices, const Ints& axis) const;
  Tensor gather_nd(const Tensor& indices) const;
  Tensor scatter_elements(const Tensor& indices, const Tensor& updates, const Ints& axis) const;
  Tensor scatter_nd(const Tensor& indices, const Tensor& updates) const;
  Tensor where(const Tensor& condition, const Tensor& y) const;
  [[nodiscard]] Tensor where(const Tensor& condition, const Scalar& y) const;
  Tensor index_put(const Tensor& indices, const Tensor& updates, const Ints& axis = 0) const&;
  Tensor index_put(const Ints& indices, const Tensor& updates, const Ints& axis = 0) const&;
  Tensor index_put(const Tensor& indices, const Tensor& updates, const Ints& axis = 0) &&;
  Tensor index_put(const Ints& indices, const Tensor& updates, const Ints& axis = 0) &&;
  Tensor reverse_sequence(const Tensor& lengths, const Ints& batch_axis = 0,
                          const Ints& seq_axis = 1) const;
  Tensor reverse_sequence(const Ints& lengths, const Ints& batch_axis = 0,
                          const Ints& seq_axis = 1) const;
  Tensor repeat(const Ints& repeats, const Ints& axis = none) const;
  Tensor unfold(const Ints& axis, const Ints& size, const Ints& step = 1) const;
  Tensor pad(const Ints& before, const Ints& after, const Scalar& value) const;
  Tensor pad(const Ints& before, const Ints& after) const;
  template <std::convertible_to<std::string_view> Mode>
  Tensor pad(const Ints& before, const Ints& after, const Mode& mode) const {
    return pad_by_mode(before, after, std::string(mode));
  }
  Tensor tril(const Ints& k = 0) const;
  Tensor triu(const Ints& k = 0) const;
  Tensor flatten(const Ints& start_axis = 0, const Ints& end_axis = -1) const;
  Tensor unflatten(const Ints& axis, const Ints& shape) const;
  Tensor moveaxis(const Ints& source, const Ints& destination) const;
  Tensor swapaxes(const Ints& axis1, const Ints& axis2) const;
  Tensor permute_dims(const Ints& axes) const;
  std::vector<Tensor> split(const Ints& lengths, const Ints& axis = 0) const;
  std::vector<Tensor> chunk(const Ints& chunks, const Ints& axis = 0) const;
  std::vector<Tensor> unstack(const Ints& axis = 0) const;
  Tensor crop(const Ints& before, const Ints& after, const Ints& axes = none) const;
  Tensor diagonal(const Ints& offset = 0, const Ints& axis1 = 0, const Ints& axis2 = 1) const;
  Tensor narrow(const Ints& axis, const Ints& start, const Ints& length) const;
  Tensor select(const Ints& axis, const Ints& index) const;
  Tensor rearrange(const std::string& pattern) const;
  Tensor rearrange(const std::string& pattern, const AxisSizes& sizes) const;
  Tensor repeat_pattern(const std::string& pattern) const;
  Tensor repeat_pattern(const std::string& pattern, const AxisSizes& sizes) const;
  template <std::convertible_to<std::string_view> Pattern>
  Tensor repeat(const Pattern& pattern) const {
    return repeat_pattern(std::string(pattern));
  }
  template <std::convertible_to<std::string_view> Pattern>
  Tensor repeat(const Pattern& pattern, const AxisSizes& sizes) const {
    return repeat_pattern(std::string(pattern), sizes);
  }
  Tensor depth_to_space(const Ints& block, const std::string& mode = "blocks_first") const;
  Tensor space_to_depth(const Ints& block, const std::string& mode = "blocks_first") const;
  Tensor pixel_shuffle(const Ints& factor) const;
  Tensor pixel_unshuffle(const Ints& factor) const;
  Tensor window_partition(const Ints& window) const;
  Tensor window_reverse(const Ints& window, const Ints& shape) const;
  Tensor fftshift(const Ints& axes = none) const;
  Tensor ifftshift(const Ints& axes = none) const;
  Tensor rot90(const Ints& k = 1, const Ints& axes = {0, 1}) const;
  Tensor select_scatter(const Tensor& updates, const Ints& axis, const Ints& index) const&;
  Tensor select_scatter(const Tensor& updates, const Ints& axis, const Ints& index) &&;
  Tensor channel_shuffle(const Ints& groups, const Ints& axis = 1) const;
  Tensor stored() const;
  /// `x[i]` is `x.select(0, i)`, and `x[range(a, b, step)]` a slice of axis 0: as NumPy's. In a
  /// chain each goes on from the result of the one before it, so `x[i][j]` is an element of a
  /// matrix and `x[range(2)][j]` its row j, of the first two. What it gives is a tensor of its own:
  /// `x[i] = y` does not compile; slice_scatter and select_scatter write.
  template <std::integral I>
  requires(!std::same_as<I, bool> && !Character<I>) [[nodiscard]] Tensor operator[](I index) const {
    return select(0, index);
  }
  [[nodiscard]] Tensor operator[](const IndexRange& range) const;
  /// An op of your own in the chain: `op(*this, arguments...)`.
  template <class Op, class... Arguments>
  auto apply(Op&& op, Arguments&&... arguments) const {
    return std::invoke(std::forward<Op>(op), *this, std::forward<Arguments>(arguments)...);
  }

  /// Computes the value unless it exists, keeps it, and returns the same tensor. One pass over the
  /// output, or none where the value is that of a stored tensor. Throws MemoryError.
  Tensor eval() const;
  Tensor eval(const EvalOptions& options) const;

  /// The elements, row-major; evaluates. The tensor must outlive what is returned, so a temporary
  /// has none of these. Throws DtypeError where T is not the element type.
  template <class T>
  const T* data() const& {
    return static_cast<const T*>(checked_data(dtype_of<T>));
  }
  template <class T>
  std::span<const T> span() const& {
    return {data<T>(), static_cast<std::size_t>(size())};
  }
  /// A copy of them.
  template <class T>
  [[nodiscard]] std::vector<T> to_vector() const {
    const std::span<const T> elements = span<T>();
    return {elements.begin(), elements.end()};
  }
  /// An Eigen::TensorMap of rank `Rank` (ParameterError otherwise); needs `<weft/eigen.h>`.
  template <class T, int Rank>
  typename EigenTensorView<T, Rank>::type as() const&;
  /// An Eigen::Map of a row-major matrix, for rank 0 to 2; needs `<weft/eigen.h>`.
  template <class T>
  typename EigenMatrixView<T>::type matrix() const&;
  template <class T>
  const T* data() const&& = delete;
  template <class T>
  std::span<const T> span() const&& = delete;
  template <class T, int Rank>
  typename EigenTensorView<T, Rank>::type as() const&& = delete;
  template <class T>
  typename EigenMatrixView<T>::type matrix() const&& = delete;

  /// The only element; evaluates. ShapeError where there is not exactly one.
  template <class T>
  T item() const {
    check_single_item();
    return *static_cast<const T*>(checked_data(dtype_of<T>));
  }

  const NodePtr& node_ptr() const noexcept { return node_; }
  /// The node; throws std::logic_error where the tensor was moved from.
  const Node& node() const {
    if (!node_) throw_moved_from();
    return *node_;
  }

 private:
  Tensor pad_by_mode(const Ints& before, const Ints& after, const std::string& mode) const;
  [[noreturn]] static void throw_moved_from();
  [[noreturn]] void throw_open() const;
  const Node& known_node(Node::Known needed) const {
    if (node().known() < needed) throw_open();
    return *node_;
  }
  const void* checked_data(DType asked) const;
  void check_single_item() const;

  NodePtr node_;
};

/// A list of tensors, as those that are joined.
using Tensors = std::vector<Tensor>;

/// The inputs of a node, each counted once.
template <class... Tensors>
std::vector<NodePtr> inputs_of(const Tensors&... tensors) {
  std::vector<NodePtr> inputs;
  inputs.reserve(sizeof...(tensors));
  (inputs.push_back(tensors.node_ptr()), ...);
  return inputs;
}

/// Makes the tensor of a new node.
template <class Op, class... Arguments>
Tensor make_tensor(Arguments&&... arguments) {
  return Tensor(NodePtr(new Op(std::forward<Arguments>(arguments)...)));
}

/// The expression, one node a line, inputs before their users:
/// "%1 = roll(%0, shift=[1], axes=[0])  f32 [2, 3]".
std::string graph_text(const Tensor& tensor);

}  // namespace weft
