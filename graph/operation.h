// SPDX-License-Identifier: Apache-2.0
// Operations: what a node does to its operands, apart from the node. A plain struct that keeps
// what it needs, lists it as `fields` (graph/fields.h), and answers what its kind is asked.
#pragma once

#include <concepts>
#include <string_view>
#include <utility>

#include <weft/graph/fields.h>
#include <weft/graph/indexed.h>
#include <weft/graph/map/cyclic_map.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/tensor.h>
#include <weft/graph/value/tensor_type.h>

namespace weft {

// What operations are asked, each with the shape or the type of the result. All is const.
//
// A movement says where elements come from, in boxes and one by one:
//   void pull_back(const Shape&, const Box&, PullBack&)
//   std::size_t trace(const Shape&, Index&)   its meaning, which all else is checked against
// and may say:
//   static constexpr bool keeps_order = true   operand and result list the same elements
//   void compose(const Shape&, CyclicMap&)     it only turns and permutes axes
//   void replaces(Index& start, Index& step)   it is operand 0, but for a slice that is operand 1
//   static constexpr bool must_be_stored = true
//
// An indexed movement reads places that an operand holds, checked by
//   std::vector<IndexBounds> bounds(const Shape&)
//   void arrange(const Shape&, std::vector<std::int64_t>&)   optional: what it makes of them, once
// and is handed them before all else: pull_back(const Places&, const Shape&, ...) and so on. It may
// be computed where its boxes are too many:
//   std::int64_t cuts(const Shape&, const Box&)
//   Computation computation(const Places&, const TensorType&)
//
// An opaque operation has a computation and trace(), and no boxes.

/// An operation whose operand 1 says where elements come from.
template <class Own>
concept IndexedOperation = requires(const Own& own, const Shape& shape) {
  { own.bounds(shape) } -> std::same_as<std::vector<IndexBounds>>;
};

namespace detail {

/// Asks an operation in the name of a node: what all of them are asked.
template <class Own, class Base>
class AnyNodeOf : public Base {
 public:
  AnyNodeOf(TensorType&& type, std::vector<NodePtr>&& inputs, Own&& own)
      : Base(type.dtype, std::move(type.shape), std::move(inputs)), own_(std::move(own)) {}

  std::string_view op() const noexcept final {
    if constexpr (requires { own_.op_name(); }) return own_.op_name();
    else return Own::name;
  }
  std::string parameters() const final { return text_of(own_, this->shape()); }
  bool keeps_order() const noexcept final {
    return requires { requires Own::keeps_order; };
  }
  bool must_be_stored() const noexcept final {
    return requires { requires Own::must_be_stored; };
  }

 protected:
  const Own own_;
};

template <class Own>
class MovementNode final : public AnyNodeOf<Own, Node> {
 public:
  using AnyNodeOf<Own, Node>::AnyNodeOf;

  void pull_back(const Box& box, PullBack& to) const override {
    this->own_.pull_back(this->shape(), box, to);
  }
  std::size_t trace(Index& index) const override { return this->own_.trace(this->shape(), index); }
  bool compose(CyclicMap& map) const override {
    if constexpr (requires { this->own_.compose(this->shape(), map); }) {
      this->own_.compose(this->shape(), map);
      return true;
    }
    return false;
  }
  bool replaces(Index& start, Index& step) const override {
    if constexpr (requires { this->own_.replaces(start, step); }) {
      this->own_.replaces(start, step);
      return true;
    }
    return false;
  }
  bool add_parameters(Structure& to) const override {
    add_fields(this->own_, to);
    return true;
  }
};

template <class Own>
class IndexedNode final : public AnyNodeOf<Own, Indexed> {
 public:
  using AnyNodeOf<Own, Indexed>::AnyNodeOf;
  static constexpr bool has_boxes = requires(const Own& own, const Places& places,
                                             const Shape& shape, const Box& box, PullBack& to) {
    own.pull_back(places, shape, box, to);
  };
  static constexpr bool has_computation =
      requires(const Own& own, const Places& places, const TensorType& type) {
    own.computation(places, type);
  };

  void pull_back(const Box& box, PullBack& to) const override {
    if constexpr (has_boxes) this->own_.pull_back(this->places(), this->shape(), box, to);
  }
  std::size_t trace(Index& index) const override {
    return this->own_.trace(this->places(), this->shape(), index);
  }
  bool is_computed() const noexcept override { return has_computation && !has_boxes; }
  bool may_be_computed() const noexcept override { return has_computation && has_boxes; }
  std::int64_t cuts(const Box& box) const override {
    if constexpr (has_computation && has_boxes) return this->own_.cuts(this->shape(), box);
    else return 0;
  }
  Computation computation() const override {
    if constexpr (has_computation)
      return this->own_.computation(this->places(), TensorType{this->dtype(), this->shape()});
    else return {};
  }

 private:
  std::vector<IndexBounds> bounds() const override { return this->own_.bounds(this->shape()); }
  static constexpr bool arranges = requires(const Own& own, std::vector<std::int64_t>& places) {
    own.arrange(Shape(), places);
  };
  bool is_arranged() const noexcept override { return arranges; }
  void arrange(std::vector<std::int64_t>& places) const override {
    if constexpr (arranges) this->own_.arrange(this->shape(), places);
  }
};

}  // namespace detail

/// The tensor that an operation makes of its operands.
template <class Own, class... Operands>
requires(!IndexedOperation<Own>) [[nodiscard]] Tensor
    tensor_of(Own own, TensorType type, const Operands&... operands) {
  return make_tensor<detail::MovementNode<Own>>(std::move(type), inputs_of(operands...),
                                                std::move(own));
}
/// The same of any number of them.
template <class Own>
[[nodiscard]] Tensor tensor_of(Own own, TensorType type, const Tensors& operands) {
  std::vector<NodePtr> inputs;
  inputs.reserve(operands.size());
  for (const Tensor& operand : operands) inputs.push_back(operand.node_ptr());
  return make_tensor<detail::MovementNode<Own>>(std::move(type), std::move(inputs), std::move(own));
}
/// The same with operand 1 as the index, which is checked here where it is stored.
template <IndexedOperation Own, class... Operands>
[[nodiscard]] Tensor tensor_of(Own own, TensorType type, const Tensor& x, const Tensor& index,
                               const Operands&... operands) {
  return make_indexed<detail::IndexedNode<Own>>(index, std::move(type),
                                                inputs_of(x, index, operands...), std::move(own));
}

}  // namespace weft
