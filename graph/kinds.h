// SPDX-License-Identifier: Apache-2.0
// Operations: what nodes do to their operands, apart from the nodes. Each is of one of a closed set
// of kinds, and whoever plans or evaluates asks it what its kind can be asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <weft/graph/value/shape.h>

namespace weft {

class Places;
class PullBack;
class StructuralKey;
class Tensor;
struct Box;
struct CyclicMap;
struct IndexBounds;
struct TensorType;

/// Calls work(begin, end) for parts of [0, count), in any order and perhaps at the same time.
struct ForParts
    : std::function<void(std::int64_t count,
                         const std::function<void(std::int64_t begin, std::int64_t end)>& work)> {
  using function::function;
  std::int64_t aside_bytes = 0;  ///< that each part may take beside what it reads and writes
};

/// Writes all elements of a value, from those of operands; all are row-major, unless it was told
/// otherwise. It may evaluate other tensors, within `work` too, but none that depends on this
/// value.
using Computation = std::function<void(std::span<const std::byte* const> operands, std::byte* out,
                                       const ForParts& for_parts)>;

/// Copies the element at that index of operand k to `to`.
using ElementOf = std::function<void(std::size_t k, const Index& index, std::byte* to)>;

/// Where a computation finds an operand: from its first element on, at strides in elements; or, its
/// first one, in the output already, and then there is no memory of it.
struct OperandLayout {
  Shape strides{};
  bool is_in_output = false;
};

/// Of floating-point numbers: what a change of each operand changes, where changing the result by
/// one does `cotangent`. Each is of its operand's shape, or of the result's where operands are
/// broadcast; empty where the operand changes nothing.
using Adjoint = std::vector<Tensor> (*)(const Tensor& cotangent, const Tensor& result,
                                        const std::vector<Tensor>& operands);

/// What a node does to its operands. Immutable: it keeps what it was told and nothing it was asked,
/// and never looks at operands, for a node lets go of those once it has a value. Shapes and types
/// that it is asked with are those of the result.
class Operation {
 public:
  enum class Kind : std::uint8_t {
    stored,            ///< nothing: the elements exist
    movement,          ///< elements come from the operands, in boxes
    indexed_movement,  ///< the same, from places that an operand holds
    elementwise,       ///< each element is computed from one of each operand
    reduction,         ///< each element is made of many of one operand
    product,           ///< matrices are multiplied
    opaque,            ///< a function computes all elements at once
    deferred           ///< not known before a program runs: placeholders, and calls of them
  };

  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  Kind kind() const noexcept { return kind_; }
  /// As one of that kind, or null where it is of another.
  template <class OfKind>
  const OfKind* as() const noexcept {
    return kind_ == OfKind::own_kind ? static_cast<const OfKind*>(this) : nullptr;
  }

  /// The op's name, as users write it.
  virtual std::string_view name() const noexcept = 0;
  /// Its parameters, for people: "shift=[1], axes=[0]".
  virtual std::string parameters(const Shape&) const { return {}; }
  /// Adds the numbers that, with shapes and types, make it what it is, and returns true. The plan
  /// of an expression with one that does not say is not used for another.
  virtual bool add_parameters(StructuralKey&) const { return false; }
  /// An Adjoint; no tensors where the op has none.
  virtual std::vector<Tensor> adjoint(const Tensor& cotangent, const Tensor& result,
                                      const std::vector<Tensor>& operands) const;

 protected:
  explicit constexpr Operation(Kind kind) noexcept : kind_(kind) {}
  constexpr ~Operation() = default;  // it lies in its node, and goes with that

 private:
  const Kind kind_;
};

/// Elements come from the operands, in boxes.
class Movement : public Operation {
 public:
  static constexpr Kind own_kind = Kind::movement;

  /// Says which elements of which operands the elements of `box` come from, as boxes.
  virtual void pull_back(const Shape& shape, const Box& box, PullBack& to) const = 0;
  /// The same for one element and without boxes: turns `index` into an index of the operand told.
  /// This is the op's meaning; everything else is checked against it.
  virtual std::size_t trace(const Shape& shape, Index& index) const = 0;

  // Answers that spare work, where an op has them.

  /// Whether result and operand hold the same bytes in the same row-major order.
  bool keeps_order() const noexcept { return answers_.keeps_order; }
  /// Whether its value is stored in a pass of its own, whatever that costs.
  bool must_be_stored() const noexcept { return answers_.must_be_stored; }
  /// Whether it only turns and permutes axes, so that it goes on from a map to the result to the
  /// map to its operand.
  bool composes() const noexcept { return answers_.composes; }
  virtual void compose(const Shape&, CyclicMap&) const {}
  /// For an op that is its first operand, but for the elements from `start` on in steps of `step`,
  /// on each axis, which are its second: says so and sets both. Others return false.
  virtual bool replaces(Index& /*start*/, Index& /*step*/) const { return false; }

 protected:
  struct Answers {
    bool keeps_order = false, must_be_stored = false, composes = false;
  };
  Movement() noexcept : Operation(own_kind) {}
  explicit Movement(Answers answers) noexcept : Operation(own_kind), answers_(answers) {}
  ~Movement() = default;

 private:
  const Answers answers_{};
};

/// Elements come from places that one operand, the index, holds. That has its value before a plan
/// is made; what was read of it belongs to the evaluation, and is handed to all that needs it.
class IndexedMovement : public Operation {
 public:
  static constexpr Kind own_kind = Kind::indexed_movement;

  /// Which operand the index is.
  static constexpr std::size_t index() noexcept { return 1; }
  /// What it may hold, for each of the tuples that its elements come in. Those below 0 have
  /// `high + 1` added where low is below 0.
  virtual std::vector<IndexBounds> bounds(const Shape& shape) const = 0;
  /// What the op makes of its elements, once an evaluation, if is_arranged().
  virtual Places arrange(const Shape& shape, std::vector<std::int64_t> places) const;
  bool is_arranged() const noexcept { return traits_.is_arranged; }

  /// As a movement's; where there are boxes.
  virtual void pull_back(const Places&, const Shape&, const Box&, PullBack&) const {}
  virtual std::size_t trace(const Places& places, const Shape& shape, Index& index) const = 0;
  /// Makes the element at `index` of one that makes new ones; false where it only moves them.
  virtual bool make_element(const Places&, const TensorType&, const Index& /*index*/,
                            const ElementOf&, std::byte* /*to*/) const {
    return false;
  }

  /// Whether elements come in no boxes but are computed, all at once.
  bool is_computed() const noexcept { return traits_.has_computation && !traits_.has_boxes; }
  /// The same for an op whose elements come in boxes, but in so many that computing may be better.
  bool may_be_computed() const noexcept { return traits_.has_computation && traits_.has_boxes; }
  /// The same where nothing around it could be carried out in the same pass.
  bool is_computed_alone() const noexcept { return traits_.is_computed_alone; }
  /// Into how many boxes it would cut this one then, about.
  virtual std::int64_t cuts(const Shape&, const Box&) const { return 0; }
  /// What writes the elements, from the operands beside the index, which lie as `layouts` say:
  /// row-major each, unless it reads_strided().
  virtual Computation computation(const Places&, const TensorType&,
                                  std::span<const OperandLayout> /*layouts*/) const {
    return {};
  }
  /// Whether its computation checks places as it reads them: it is given those as they lie.
  bool checks_places() const noexcept { return traits_.checks_places; }
  /// Whether it finds its operands wherever they lie.
  bool reads_strided() const noexcept { return traits_.reads_strided; }
  /// Whether, more than that, it is its first operand, but for what it writes over it, and leaves
  /// that alone where it is in the output already.
  bool writes_over_first() const noexcept { return traits_.writes_over_first; }

 protected:
  struct Traits {
    bool is_arranged = false, has_boxes = true, has_computation = false;
    bool reads_strided = false, writes_over_first = false, checks_places = false;
    bool is_computed_alone = false;
  };
  explicit IndexedMovement(Traits traits) noexcept : Operation(own_kind), traits_(traits) {}
  ~IndexedMovement() = default;

 private:
  const Traits traits_;
};

/// A function computes all elements at once, from operands that are stored whole.
class Opaque : public Operation {
 public:
  static constexpr Kind own_kind = Kind::opaque;

  virtual Computation computation(const TensorType& type) const = 0;

  // Its meaning.

  /// As a movement's, of one that only moves elements.
  virtual std::size_t trace(const Shape& shape, Index& index) const = 0;
  /// Makes the element at `index` of the result, of one that makes new ones; false where it only
  /// moves them.
  virtual bool make_element(const TensorType&, const Index& /*index*/, const ElementOf&,
                            std::byte* /*to*/) const {
    return false;
  }

 protected:
  Opaque() noexcept : Operation(own_kind) {}
  ~Opaque() = default;
};

}  // namespace weft
