// SPDX-License-Identifier: Apache-2.0
// From a plain struct to an operation (graph/kinds.h) and its tensor: a struct keeps what it needs,
// lists it as `fields` (graph/fields.h), and answers what its kind is asked.
#pragma once

#include <concepts>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <weft/graph/fields.h>
#include <weft/graph/indexed.h>
#include <weft/graph/kinds.h>
#include <weft/graph/map/cyclic_map.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/tensor.h>
#include <weft/graph/value/error.h>
#include <weft/graph/value/tensor_type.h>

namespace weft {

// What operations are asked, each with the shape or the type of the result. All is const.
//
// Each may say
//   Tensors adjoint(const Tensor& cotangent, const Tensor& result, const Tensors& operands)
// what of the cotangent goes to each operand (graph/kinds.h); grad refuses those that do not.
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
//   Places arrange(const Shape&, std::vector<std::int64_t>)   optional: what it makes of them, once
//   static constexpr bool checks_places = true   its computation does; no arrange() then
// and is handed them before all else: pull_back(const Places&, const Shape&, ...) and so on. It may
// be computed where its boxes are too many:
//   std::int64_t cuts(const Shape&, const Box&)
//   static constexpr bool is_computed_alone = true   or where nothing around it could be fused
//   Computation computation(const Places&, const TensorType&)
// and, where it makes new elements, as an opaque operation does:
//   void value(const Places&, const TensorType&, const Index&, const ElementOf&, std::byte* to)
// or, with operands that lie at strides, the first one perhaps in the output already:
//   Computation computation(const Places&, const TensorType&, std::span<const OperandLayout>)
//   static constexpr bool writes_over_first = true
//
// An opaque operation has no boxes:
//   Computation computation(const TensorType&)
//   std::size_t trace(const Shape&, Index&)   its meaning, where it only moves elements; else
//   void value(const TensorType&, const Index&, const ElementOf&, std::byte* to)   of one element

/// An operation one of whose operands says where elements come from.
template <class Own>
concept IndexedOperation = requires(const Own& own, const Shape& shape) {
  { own.bounds(shape) } -> std::same_as<std::vector<IndexBounds>>;
};
/// An operation that computes all elements at once.
template <class Own>
concept OpaqueOperation =
    !IndexedOperation<Own> && requires(const Own& own, const TensorType& type) {
  { own.computation(type) } -> std::same_as<Computation>;
};

namespace detail {

/// Answers what operations of every kind are asked.
template <class Own, class Kind>
class KindOf : public Kind {
 public:
  std::string_view name() const noexcept final {
    if constexpr (requires { own_.op_name(); }) return own_.op_name();
    else return Own::name;
  }
  std::string parameters(const Shape& shape) const final { return text_of(own_, shape); }
  Tensors adjoint(const Tensor& cotangent, const Tensor& result,
                  const Tensors& operands) const final {
    if constexpr (requires { own_.adjoint(cotangent, result, operands); })
      return own_.adjoint(cotangent, result, operands);
    else return Kind::adjoint(cotangent, result, operands);
  }

 protected:
  template <class... Traits>
  explicit KindOf(Own&& own, Traits... traits) : Kind(traits...), own_(std::move(own)) {}
  ~KindOf() = default;

  const Own own_;
};

template <class Own>
concept KeepsOrder = requires {
  requires Own::keeps_order;
};
template <class Own>
concept MustBeStored = requires {
  requires Own::must_be_stored;
};

template <class Own>
concept Composes = requires(const Own& own, const Shape& shape, CyclicMap& map) {
  own.compose(shape, map);
};

template <class Own>
concept WritesOverFirst = requires {
  requires Own::writes_over_first;
};
template <class Own>
concept ChecksPlaces = requires {
  requires Own::checks_places;
};
template <class Own>
concept ComputedAlone = requires {
  requires Own::is_computed_alone;
};

template <class Own>
class MovementOf final : public KindOf<Own, Movement> {
 public:
  explicit MovementOf(Own&& own)
      : KindOf<Own, Movement>(std::move(own), Movement::Answers{.keeps_order = KeepsOrder<Own>,
                                                                .must_be_stored = MustBeStored<Own>,
                                                                .composes = Composes<Own>}) {}

  void pull_back(const Shape& shape, const Box& box, PullBack& to) const override {
    this->own_.pull_back(shape, box, to);
  }
  std::size_t trace(const Shape& shape, Index& index) const override {
    return this->own_.trace(shape, index);
  }
  void compose(const Shape& shape, CyclicMap& map) const override {
    if constexpr (Composes<Own>) this->own_.compose(shape, map);
  }
  bool replaces(Index& start, Index& step) const override {
    constexpr bool does = requires { this->own_.replaces(start, step); };
    if constexpr (does) this->own_.replaces(start, step);
    return does;
  }
  bool add_parameters(StructuralKey& to) const override {
    add_fields(this->own_, to);
    return true;
  }
};

template <class Own>
class IndexedOf final : public KindOf<Own, IndexedMovement> {
  static constexpr bool arranges = requires(const Own& own) { own.arrange(Shape(), {}); };
  static constexpr bool has_boxes = requires(const Own& own, const Places& places,
                                             const Shape& shape, const Box& box, PullBack& to) {
    own.pull_back(places, shape, box, to);
  };
  static constexpr bool reads_strided =
      requires(const Own& own, const Places& places, const TensorType& type,
               std::span<const OperandLayout> layouts) {
    own.computation(places, type, layouts);
  };
  static constexpr bool has_computation =
      reads_strided || requires(const Own& own, const Places& places, const TensorType& type) {
    own.computation(places, type);
  };

 public:
  explicit IndexedOf(Own&& own)
      : KindOf<Own, IndexedMovement>(
            std::move(own),
            IndexedMovement::Traits{arranges, has_boxes, has_computation, reads_strided,
                                    WritesOverFirst<Own>, ChecksPlaces<Own>, ComputedAlone<Own>}) {}

  std::vector<IndexBounds> bounds(const Shape& shape) const override {
    return this->own_.bounds(shape);
  }
  Places arrange(const Shape& shape, std::vector<std::int64_t> places) const override {
    if constexpr (arranges) return this->own_.arrange(shape, std::move(places));
    else return IndexedMovement::arrange(shape, std::move(places));
  }
  void pull_back(const Places& places, const Shape& shape, const Box& box,
                 PullBack& to) const override {
    if constexpr (has_boxes) this->own_.pull_back(places, shape, box, to);
  }
  std::size_t trace(const Places& places, const Shape& shape, Index& index) const override {
    return this->own_.trace(places, shape, index);
  }
  bool make_element(const Places& places, const TensorType& type, const Index& index,
                    const ElementOf& element, std::byte* to) const override {
    constexpr bool makes = requires { this->own_.value(places, type, index, element, to); };
    if constexpr (makes) this->own_.value(places, type, index, element, to);
    return makes;
  }
  std::int64_t cuts(const Shape& shape, const Box& box) const override {
    constexpr bool counts = requires { this->own_.cuts(shape, box); };
    if constexpr (counts) return this->own_.cuts(shape, box);
    else return 0;
  }
  Computation computation(const Places& places, const TensorType& type,
                          std::span<const OperandLayout> layouts) const override {
    if constexpr (reads_strided) return this->own_.computation(places, type, layouts);
    else if constexpr (has_computation) return this->own_.computation(places, type);
    else return {};
  }
};

template <class Own>
class OpaqueOf final : public KindOf<Own, Opaque> {
 public:
  explicit OpaqueOf(Own&& own) : KindOf<Own, Opaque>(std::move(own)) {}

  Computation computation(const TensorType& type) const override {
    return this->own_.computation(type);
  }
  std::size_t trace(const Shape& shape, Index& index) const override {
    if constexpr (makes_elements) throw InternalError("an op that makes elements has no trace");
    else return this->own_.trace(shape, index);
  }
  bool make_element(const TensorType& type, const Index& index, const ElementOf& element,
                    std::byte* to) const override {
    if constexpr (makes_elements) this->own_.value(type, index, element, to);
    return makes_elements;
  }
  bool add_parameters(StructuralKey& to) const override {
    add_fields(this->own_, to);
    return true;
  }

 private:
  static constexpr bool makes_elements =
      requires(const Own& own, const TensorType& type, const Index& index, const ElementOf& element,
               std::byte* to) {
    own.value(type, index, element, to);
  };
};

template <class Own>
struct OperationOf {
  using Type = MovementOf<Own>;
};
template <IndexedOperation Own>
struct OperationOf<Own> {
  using Type = IndexedOf<Own>;
};
template <OpaqueOperation Own>
struct OperationOf<Own> {
  using Type = OpaqueOf<Own>;
};

template <class Own>
Tensor tensor_with(Own&& own, TensorType&& type, NodeInputs&& inputs) {
  return make_tensor<NodeOf<typename OperationOf<Own>::Type>>(std::move(type), std::move(inputs),
                                                              std::forward<Own>(own));
}

}  // namespace detail

/// The tensor that an operation makes of its operands. A short index that is stored is checked.
template <class Own, class... Operands>
requires(!std::is_lvalue_reference_v<Own>) [[nodiscard]] Tensor
    tensor_of(Own&& own, TensorType type, const Operands&... operands) {
  Tensor made =
      detail::tensor_with(std::forward<Own>(own), std::move(type), inputs_of(operands...));
  if constexpr (IndexedOperation<Own>) {
    const Tensor& index = std::get<IndexedMovement::index()>(std::tie(operands...));
    if (is_checked_when_built(index.node())) check_index_of(made.node(), index.node());
  }
  return made;
}
/// The same of any number of them.
template <class Own>
requires(!std::is_lvalue_reference_v<Own>) [[nodiscard]] Tensor
    tensor_of(Own&& own, TensorType type, const Tensors& operands) {
  NodeInputs inputs(operands.size());
  for (const Tensor& operand : operands) inputs.add(operand.node_ptr());
  return detail::tensor_with(std::forward<Own>(own), std::move(type), std::move(inputs));
}

}  // namespace weft
