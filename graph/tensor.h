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

#include <weft/graph/elementwise_methods.h>
#include <weft/graph/ints.h>
#include <weft/graph/node.h>
#include <weft/graph/product_methods.h>
#include <weft/graph/reduce_methods.h>
#include <weft/graph/value/error.h>

namespace weft {

class AxisSizes;
struct EvalOptions;
struct IndexRange;
struct Op;
class Results;
class Scalar;

/// Completed by `<weft/eigen.h>`: the Eigen types that `as`, `matrix` and `array` return.
template <class T, int Rank>
struct EigenTensorView;
template <class T>
struct EigenMatrixView;

/// A value or an expression for one. Copies share it; every method is also a free function.
/// Methods that build a node cost nothing but the node and throw weft::Error, changing nothing.
class Tensor : public ElementwiseMethods, public ReduceMethods, public ProductMethods {
 public:
  /// An empty one, as one that was moved from: it can be assigned, copied and asked has_value().
  /// Whatever else is asked of it throws EmptyError, in the name of the op or of what was asked.
  Tensor() noexcept = default;
  explicit Tensor(NodePtr node) noexcept : node_(std::move(node)) {}
  Tensor(const Tensor&) noexcept = default;
  Tensor(Tensor&&) noexcept = default;
  // Of variables alone: what an op returns is no place to assign to.
  Tensor& operator=(const Tensor&) & noexcept = default;
  Tensor& operator=(Tensor&&) & noexcept = default;
  ~Tensor() = default;

  /// Whether it is not empty.
  [[nodiscard]] bool has_value() const noexcept { return static_cast<bool>(node_); }
  explicit operator bool() const = delete;  // ask has_value(), or item<bool>() for the element

  [[nodiscard]] DType dtype() const { return held("dtype").dtype(); }
  /// This, and what counts elements, throws OpenError where it is not known before a program runs.
  [[nodiscard]] const Shape& shape() const& { return known("shape", Node::Known::shape).shape(); }
  [[nodiscard]] Shape shape() const&& { return known("shape", Node::Known::shape).shape(); }
  /// The extent of an axis, from the end where it is below 0. Throws AxisError.
  [[nodiscard]] std::int64_t extent(std::int64_t axis) const {
    const Shape& all = known("extent", Node::Known::shape).shape();
    return all[check_axis("extent", axis, 0, all)];
  }
  [[nodiscard]] std::size_t rank() const { return known("rank", Node::Known::rank).rank(); }
  /// Whether that is the shape: `x.has_shape({2, 3})`.
  [[nodiscard]] bool has_shape(const Shape& expected) const { return shape() == expected; }
  /// Number of elements.
  [[nodiscard]] std::int64_t size() const { return known("size", Node::Known::shape).count(); }
  [[nodiscard]] std::int64_t bytes() const { return known("bytes", Node::Known::shape).bytes(); }
  /// What is known of the shape.
  [[nodiscard]] PartialShape partial_shape() const { return held("partial_shape").partial_shape(); }
  /// Whether the value exists already.
  [[nodiscard]] bool is_stored() const { return held("is_stored").is_stored(); }
  /// Whether it depends on a placeholder, so that there is no value before a program runs.
  [[nodiscard]] bool is_open() const { return held("is_open").known() != Node::Known::all; }

  // Ops; the full story of each is in ops/NAME.h. concat, stack, full and gather are functions
  // only; those that compute elements are in elementwise_methods.h, those that reduce in
  // reduce_methods.h, those that multiply in product_methods.h.
  [[nodiscard]] Tensor roll(const Ints& shift, const Ints& axes) const&;
  [[nodiscard]] Tensor roll(const Ints& shift, const Ints& axes) &&;
  [[nodiscard]] Tensor transpose(const Ints& order = none) const;
  [[nodiscard]] Tensor slice_scatter(const Tensor& updates, const Ints& start, const Ints& stop,
                                     const Ints& step = none, const Ints& axes = none) const&;
  [[nodiscard]] Tensor slice_scatter(Tensor updates, const Ints& start, const Ints& stop,
                                     const Ints& step = none, const Ints& axes = none) &&;
  [[nodiscard]] Tensor tile(const Ints& repeats) const;
  [[nodiscard]] Tensor reshape(const Ints& shape) const;
  [[nodiscard]] Tensor slice(const Ints& start, const Ints& stop, const Ints& step = none,
                             const Ints& axes = none) const;
  [[nodiscard]] Tensor flip(const Ints& axes = none) const&;
  [[nodiscard]] Tensor flip(const Ints& axes = none) &&;
  [[nodiscard]] Tensor squeeze(const Ints& axes = none) const;
  [[nodiscard]] Tensor expand_dims(const Ints& axes) const;
  [[nodiscard]] Tensor broadcast_to(const Ints& shape) const;
  [[nodiscard]] Tensor take(const Tensor& indices, const Ints& axis = none) const;
  [[nodiscard]] Tensor take(const Ints& indices, const Ints& axis = none) const;
  [[nodiscard]] Tensor gather_elements(const Tensor& indices, const Ints& axis) const;
  [[nodiscard]] Tensor gather_nd(const Tensor& indices) const;
  [[nodiscard]] Tensor scatter_elements(const Tensor& indices, const Tensor& updates,
                                        const Ints& axis,
                                        const std::string& reduction = "none") const;
  [[nodiscard]] Tensor scatter_nd(const Tensor& indices, const Tensor& updates,
                                  const std::string& reduction = "none") const;
  [[nodiscard]] Tensor astype(DType dtype) const;
  [[nodiscard]] Tensor where(const Tensor& condition, const Tensor& y) const;
  [[nodiscard]] Tensor where(const Tensor& condition, const Scalar& y) const;
  [[nodiscard]] Tensor index_put(const Tensor& indices, const Tensor& updates, const Ints& axis = 0,
                                 const std::string& reduction = "none") const&;
  [[nodiscard]] Tensor index_put(const Ints& indices, const Tensor& updates, const Ints& axis = 0,
                                 const std::string& reduction = "none") const&;
  [[nodiscard]] Tensor index_put(const Tensor& indices, Tensor updates, const Ints& axis = 0,
                                 const std::string& reduction = "none") &&;
  [[nodiscard]] Tensor index_put(const Ints& indices, Tensor updates, const Ints& axis = 0,
                                 const std::string& reduction = "none") &&;
  [[nodiscard]] Tensor reverse_sequence(const Tensor& lengths, const Ints& batch_axis = 0,
                                        const Ints& seq_axis = 1) const;
  [[nodiscard]] Tensor reverse_sequence(const Ints& lengths, const Ints& batch_axis = 0,
                                        const Ints& seq_axis = 1) const;
  [[nodiscard]] Tensor repeat(const Ints& repeats, const Ints& axis = none) const;
  [[nodiscard]] Tensor unfold(const Ints& axis, const Ints& size, const Ints& step = 1) const;
  [[nodiscard]] Tensor pad(const Ints& before, const Ints& after, const Scalar& value) const;
  [[nodiscard]] Tensor pad(const Ints& before, const Ints& after) const;
  template <std::convertible_to<std::string_view> Mode>
  [[nodiscard]] Tensor pad(const Ints& before, const Ints& after, const Mode& mode) const {
    return pad_by_mode(before, after, std::string(mode));
  }
  [[nodiscard]] Tensor tril(const Ints& k = 0) const;
  [[nodiscard]] Tensor triu(const Ints& k = 0) const;
  [[nodiscard]] Tensor flatten(const Ints& start_axis = 0, const Ints& end_axis = -1) const;
  [[nodiscard]] Tensor view_as(DType dtype) const;
  [[nodiscard]] Tensor unflatten(const Ints& axis, const Ints& shape) const;
  [[nodiscard]] Tensor moveaxis(const Ints& source, const Ints& destination) const;
  [[nodiscard]] Tensor swapaxes(const Ints& axis1, const Ints& axis2) const;
  [[nodiscard]] Tensor permute_dims(const Ints& axes) const;
  [[nodiscard]] Results split(const Ints& lengths, const Ints& axis = 0) const;
  [[nodiscard]] Results chunk(const Ints& chunks, const Ints& axis = 0) const;
  [[nodiscard]] Results unstack(const Ints& axis = 0) const;
  [[nodiscard]] Tensor crop(const Ints& before, const Ints& after, const Ints& axes = none) const;
  [[nodiscard]] Tensor center_crop(const Ints& size, const Ints& axes = none) const;
  [[nodiscard]] Tensor diagonal(const Ints& offset = 0, const Ints& axis1 = 0,
                                const Ints& axis2 = 1) const;
  [[nodiscard]] Tensor narrow(const Ints& axis, const Ints& start, const Ints& length) const;
  [[nodiscard]] Tensor select(const Ints& axis, const Ints& index) const;
  [[nodiscard]] Tensor rearrange(const std::string& pattern) const;
  [[nodiscard]] Tensor rearrange(const std::string& pattern, const AxisSizes& sizes) const;
  [[nodiscard]] Tensor repeat_pattern(const std::string& pattern) const;
  [[nodiscard]] Tensor repeat_pattern(const std::string& pattern, const AxisSizes& sizes) const;
  template <std::convertible_to<std::string_view> Pattern>
  [[nodiscard]] Tensor repeat(const Pattern& pattern) const {
    return repeat_pattern(std::string(pattern));
  }
  template <std::convertible_to<std::string_view> Pattern>
  [[nodiscard]] Tensor repeat(const Pattern& pattern, const AxisSizes& sizes) const {
    return repeat_pattern(std::string(pattern), sizes);
  }
  [[nodiscard]] Tensor depth_to_space(const Ints& block,
                                      const std::string& mode = "blocks_first") const;
  [[nodiscard]] Tensor space_to_depth(const Ints& block,
                                      const std::string& mode = "blocks_first") const;
  [[nodiscard]] Tensor pixel_shuffle(const Ints& factor) const;
  [[nodiscard]] Tensor pixel_unshuffle(const Ints& factor) const;
  [[nodiscard]] Tensor window_partition(const Ints& window) const;
  [[nodiscard]] Tensor window_reverse(const Ints& window, const Ints& shape) const;
  [[nodiscard]] Tensor fftshift(const Ints& axes = none) const;
  [[nodiscard]] Tensor ifftshift(const Ints& axes = none) const;
  [[nodiscard]] Tensor rot90(const Ints& k = 1, const Ints& axes = {0, 1}) const;
  [[nodiscard]] Tensor select_scatter(const Tensor& updates, const Ints& axis,
                                      const Ints& index) const&;
  [[nodiscard]] Tensor select_scatter(Tensor updates, const Ints& axis, const Ints& index) &&;
  [[nodiscard]] Tensor channel_shuffle(const Ints& groups, const Ints& axis = 1) const;
  [[nodiscard]] Tensor stored() const;
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
  [[nodiscard]] auto apply(Op&& op, Arguments&&... arguments) const {
    return std::invoke(std::forward<Op>(op), *this, std::forward<Arguments>(arguments)...);
  }

  /// Computes the value unless it exists, keeps it, and returns the same tensor. One pass over the
  /// output, or none where the value is that of a stored tensor. Throws MemoryError.
  Tensor eval() const;
  Tensor eval(const EvalOptions& options) const;

  /// The elements, row-major; evaluates. The tensor must outlive what is returned, so a temporary
  /// has none of these. Throws DtypeError where T is not the element type.
  template <class T>
  [[nodiscard]] const T* data() const& {
    return elements<T>("data");
  }
  template <class T>
  [[nodiscard]] std::span<const T> span() const& {
    const T* const first = elements<T>("span");
    return {first, static_cast<std::size_t>(size())};
  }
  /// A copy of them.
  template <class T>
  [[nodiscard]] std::vector<T> to_vector() const {
    const T* const first = elements<T>("to_vector");
    return std::vector<T>(first, first + size());
  }
  /// An Eigen::TensorMap of rank `Rank` (ParameterError otherwise); needs `<weft/eigen.h>`.
  template <class T, int Rank>
  [[nodiscard]] typename EigenTensorView<T, Rank>::type as() const&;
  /// An Eigen::Map of a row-major matrix, for rank 0 to 2; needs `<weft/eigen.h>`.
  template <class T>
  [[nodiscard]] typename EigenMatrixView<T>::type matrix() const&;
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
  [[nodiscard]] T item() const {
    check_single_item();
    return *elements<T>("item");
  }

  /// Null where it is empty.
  [[nodiscard]] const NodePtr& node_ptr() const& noexcept { return node_; }
  [[nodiscard]] NodePtr node_ptr() const&& noexcept { return node_; }
  /// The node, which lives as long as a tensor holds it.
  [[nodiscard]] const Node& node() const { return held("node"); }
  /// The same in the name of who asks, which is what the error begins with.
  const Node& held(std::string_view what) const {
    if (!node_) throw_empty(what);
    return *node_;
  }

 private:
  Tensor pad_by_mode(const Ints& before, const Ints& after, const std::string& mode) const;
  [[noreturn]] static void throw_empty(std::string_view what);
  [[noreturn]] void throw_open(std::string_view what) const;
  const Node& known(std::string_view what, Node::Known needed) const {
    if (held(what).known() < needed) throw_open(what);
    return *node_;
  }
  template <class T>
  const T* elements(std::string_view what) const {
    return static_cast<const T*>(checked_data(what, dtype_of<T>));
  }
  const void* checked_data(std::string_view what, DType asked) const;
  void check_single_item() const;

  NodePtr node_;
};

inline const Tensor& ElementwiseMethods::tensor() const {
  return static_cast<const Tensor&>(*this);
}
inline const Tensor& ReduceMethods::tensor() const { return static_cast<const Tensor&>(*this); }
inline const Tensor& ProductMethods::tensor() const { return static_cast<const Tensor&>(*this); }

/// Several tensors that one call makes: a vector, but an element of a temporary is a tensor, not a
/// reference that would not outlive it.
class Results : public std::vector<Tensor> {
 public:
  using std::vector<Tensor>::vector;
  Results(std::vector<Tensor> tensors) noexcept : std::vector<Tensor>(std::move(tensors)) {}

  [[nodiscard]] const Tensor& operator[](std::size_t k) const& { return vector::operator[](k); }
  [[nodiscard]] Tensor& operator[](std::size_t k) & { return vector::operator[](k); }
  [[nodiscard]] Tensor operator[](std::size_t k) && { return std::move(vector::operator[](k)); }
  [[nodiscard]] const Tensor& at(std::size_t k) const& { return vector::operator[](checked(k)); }
  [[nodiscard]] Tensor& at(std::size_t k) & { return vector::operator[](checked(k)); }
  [[nodiscard]] Tensor at(std::size_t k) && { return std::move(vector::operator[](checked(k))); }
  [[nodiscard]] const Tensor& front() const& { return vector::front(); }
  [[nodiscard]] Tensor& front() & { return vector::front(); }
  [[nodiscard]] Tensor front() && { return std::move(vector::front()); }
  [[nodiscard]] const Tensor& back() const& { return vector::back(); }
  [[nodiscard]] Tensor& back() & { return vector::back(); }
  [[nodiscard]] Tensor back() && { return std::move(vector::back()); }

 private:
  /// Throws IndexError.
  std::size_t checked(std::size_t k) const;
};

/// A list of tensors, as those that are joined.
using Tensors = std::vector<Tensor>;

/// The inputs of a node, each counted once.
template <class... Tensors>
[[nodiscard]] NodeInputs inputs_of(const Tensors&... tensors) {
  NodeInputs inputs(sizeof...(tensors));
  (inputs.add(tensors.node_ptr()), ...);
  return inputs;
}

/// Makes the tensor of a new node.
template <class Op, class... Arguments>
[[nodiscard]] Tensor make_tensor(Arguments&&... arguments) {
  return Tensor(NodePtr(new Op(std::forward<Arguments>(arguments)...)));
}

/// The expression, one node a line, inputs before their users:
/// "%1 = roll(%0, shift=[1], axes=[0])  f32 [2, 3]".
[[nodiscard]] std::string graph_text(const Tensor& tensor);

}  // namespace weft
