// SPDX-License-Identifier: Apache-2.0
// What is asked of a node while a plan is made: boxes, for which pass, over what.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <weft/graph/map/box.h>
#include <weft/graph/plan/part.h>
#include <weft/graph/value/small_vector.h>
#include <weft/graph/value/tensor_type.h>

namespace weft {

/// Which pass a box writes for, over what, and which part of elements it asks for. Layers compare
/// like binary fractions: each painting op appends a bit, 0 below and 1 above.
struct WriteTarget {
  std::size_t pass;
  std::uint64_t layer = 0;
  int depth = 0;
  Part part{};

  static constexpr int max_depth = 60;
  WriteTarget painted(bool above) const {
    return {pass, layer | (std::uint64_t{above} << (63 - depth)), depth + 1, part};
  }
  friend auto operator<=>(const WriteTarget&, const WriteTarget&) = default;
};

struct TargetBoxes {
  WriteTarget target;
  Boxes boxes;
  bool is_merged = false;  // joining was tried and found nothing more
};
/// In the order of their targets.
using BoxesByTarget = std::vector<TargetBoxes, ArenaAllocator<TargetBoxes>>;

/// Joins boxes to those of their target, or adds them.
void add_boxes(BoxesByTarget& all, TargetBoxes&& own);
/// Adds a box to those of its target.
void add_box(BoxesByTarget& all, const WriteTarget& target, Box box);

std::size_t count_boxes(const BoxesByTarget& all);

/// What is asked of one node: boxes in its coordinates, and boxes in its linear order from reshapes
/// that could not be carried on, which oblige it to be stored. Those count units of it, whose size
/// is that of their part.
struct Demand {
  BoxesByTarget boxes;
  BoxesByTarget linear;
  // Computations that read all of it: the pass, and which of its operands it is.
  struct WholeReader {
    std::size_t pass, operand;
  };
  SmallVector<WholeReader, 2> whole_readers;
  bool is_output = false;  // to be stored whole
  bool is_whole = false;   // one dense box: nothing can be gained by storing the node
  // Boxes beyond a few that were pulled on the way here, op by op, since something was stored.
  std::size_t work = 0;

  explicit Demand(Arena& arena) noexcept : boxes(&arena), linear(&arena) {}
  bool is_empty() const noexcept {
    return boxes.empty() && linear.empty() && whole_readers.empty();
  }
};

/// The demands on the vertices of an expression. Most of a long chain are passed over by all.
class Demands {
 public:
  Demands(std::size_t vertices, Arena& arena) : arena_(arena), of_(vertices, nullptr, &arena) {}
  Demands(const Demands&) = delete;
  Demands& operator=(const Demands&) = delete;
  ~Demands() {
    for (std::size_t v = 0; v < of_.size(); ++v) clear(v);
  }

  bool has(std::size_t v) const noexcept { return of_[v] != nullptr; }
  bool is_output(std::size_t v) const noexcept { return of_[v] && of_[v]->is_output; }
  /// One without boxes where there was none.
  Demand& operator[](std::size_t v) {
    if (!of_[v]) of_[v] = new (arena_.allocate(sizeof(Demand))) Demand(arena_);
    return *of_[v];
  }
  /// Of a vertex that has one.
  const Demand& operator[](std::size_t v) const noexcept { return *of_[v]; }
  void clear(std::size_t v) noexcept {
    Demand* const demand = std::exchange(of_[v], nullptr);
    if (!demand) return;
    std::destroy_at(demand);
    arena_.give_back(demand, sizeof(Demand));
  }

 private:
  Arena& arena_;
  std::vector<Demand*, ArenaAllocator<Demand*>> of_;
};

/// A part of a node, as a box of coordinates.
struct Region {
  Index origin;
  Shape shape;
};

/// The part of a node of that type that is asked for. Where linear boxes ask, it is contiguous in
/// the node's row-major order.
Region asked_region(const Demand& demand, const TensorType& type);

}  // namespace weft
