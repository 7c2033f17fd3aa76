// SPDX-License-Identifier: Apache-2.0
// Boxes of mixed-radix digits: the one form in which every index map is held, and the primitives
// that carry it through an op.
//
// A box says which output elements come from where:
//
//     out    = out_offset + sum over digits of out_stride * i          (linear position)
//     at[a]  = origin[a]  + sum over digits of axis a of in_stride * i (coordinate in the node)
//
// with 0 <= i < extent for each digit. One axis may own several digits; a digit without an axis is
// replicated: it writes the same element again and again. Worked examples, output [6]:
//
//     x of 6             digit {6, out 1, in 1 on axis 0}
//     tile(x of 2, 3)    digits {3, out 2, replicated}, {2, out 1, in 1 on axis 0}
//     flip(x)            digit {6, out 1, in -1 on axis 0}, origin 5
//
// Invariants (checked after every step when WEFT_CHECK_INVARIANTS is on): the digits are sorted by
// out stride, largest first, and nested: each out stride is larger than the whole span of the
// digits below it; every coordinate lies inside its axis. On an axis the in strides, made positive
// and sorted, are mostly nested too; where they are not (windows that overlap), or there is a
// table, the primitives are as right but cut more.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <weft/graph/value/arena.h>
#include <weft/graph/value/shape.h>

namespace weft {

/// A digit whose steps follow no stride: `in[i]` is its contribution to the coordinate and
/// `out[i]`, increasing, its contribution to the output position (empty: `out_stride * i`, with a
/// positive stride).
struct Table {
  std::vector<std::int64_t> in;
  std::vector<std::int64_t> out;
  friend bool operator==(const Table&, const Table&) = default;
};

/// Owns the tables of one plan; addresses stay put. Most plans have none.
class Tables {
 public:
  Tables() = default;
  Tables(std::initializer_list<Table> tables) {
    for (const Table& table : tables) emplace_back(table);
  }
  Table& emplace_back(Table table = {}) {
    if (budget) budget->take((table.in.capacity() + table.out.capacity()) * sizeof(std::int64_t));
    return *tables_.emplace_back(std::make_unique<Table>(std::move(table)));
  }
  Table& operator[](std::size_t i) { return *tables_[i]; }

  /// Where n and a stride are coprime, up to this many phases become a box each; more, a table.
  std::int64_t max_phases = 16;
  /// While a plan is made: what its tables take is taken from this.
  PlanBudget* budget = nullptr;
  /// Of all tables.
  std::int64_t bytes() const {
    std::size_t entries = 0;
    for (const auto& table : tables_) entries += table->in.capacity() + table->out.capacity();
    return static_cast<std::int64_t>(entries * sizeof(std::int64_t));
  }

 private:
  std::vector<std::unique_ptr<Table>> tables_;
};

inline constexpr std::int32_t replicated = -1;

struct Digit {
  std::int64_t extent;
  std::int64_t out_stride;  ///< of a table with out offsets: its smallest step
  std::int64_t in_stride;   ///< 0 for tables and replicated digits
  std::int32_t axis;
  const Table* table = nullptr;

  std::int64_t out_at(std::int64_t i) const {
    return table && !table->out.empty() ? table->out[static_cast<std::size_t>(i)] : out_stride * i;
  }
  std::int64_t in_at(std::int64_t i) const {
    return table ? table->in[static_cast<std::size_t>(i)] : in_stride * i;
  }
  /// Distance from the first to the last output position.
  std::int64_t out_span() const { return out_at(extent - 1); }
  friend bool operator==(const Digit& a, const Digit& b);
};

struct Box {
  std::int64_t out_offset = 0;
  Index origin;
  SmallVector<Digit, 6> digits;
  Tables* tables = nullptr;  ///< where the primitives put the tables they make
};

using Boxes = std::vector<Box, ArenaAllocator<Box>>;

/// Adds boxes to a list, which takes over the other whole where it is empty.
inline void append(Boxes& to, Boxes&& boxes) {
  if (to.empty()) to = std::move(boxes);
  else
    to.insert(to.end(), std::make_move_iterator(boxes.begin()),
              std::make_move_iterator(boxes.end()));
}

/// Thrown by a primitive that would cut one box into thousands; the planner stores a node instead.
struct TooManyBoxes : std::runtime_error {
  TooManyBoxes() : std::runtime_error("too many boxes") {}
};

struct Range {
  std::int64_t low, high;
};
/// Smallest and largest of what a digit adds to a coordinate.
Range digit_range(const Digit& digit);
/// Smallest and largest coordinate of the box on `axis`.
Range coordinate_range(const Box& box, std::int32_t axis);

/// Number of output elements of the box.
std::int64_t element_count(const Box& box);

// --- primitives. All keep the set of output elements and where they come from. ---

/// x becomes p + q * x on `axis`.
void affine(Box& box, std::int32_t axis, std::int64_t p, std::int64_t q);

/// Each element becomes k in the output, of which the box writes the first.
void scale_out(Box& box, std::int64_t k);

/// The parts of the box where x < at and where x >= at.
void split(const Box& box, std::int32_t axis, std::int64_t at, Boxes& below, Boxes& above);

/// x becomes x mod n on `axis`, and x / n on a new last axis.
void divmod(const Box& box, std::int32_t axis, std::int64_t n, Boxes& out);

/// The inverse of divmod: x becomes n * y + x, with y the last axis, which goes.
void undivide(Box& box, std::int32_t axis, std::int64_t n);

/// x becomes x mod n. One box where the digits align with n, three where they nearly do, a table
/// digit where they do not.
void remainder(const Box& box, std::int32_t axis, std::int64_t n, Boxes& out);

/// x becomes x / n.
void quotient(const Box& box, std::int32_t axis, std::int64_t n, Boxes& out);

/// x becomes f[x], for a function with a value for every x. Steps where that is negative keep x and
/// go to `missed`, which must be there where some are.
void lookup(const Box& box, std::int32_t axis, std::span<const std::int64_t> f, Boxes& found,
            Boxes* missed = nullptr);

/// The same for a function that is asked, for each x perhaps several times.
void lookup(const Box& box, std::int32_t axis, const std::function<std::int64_t(std::int64_t)>& f,
            Boxes& found);

/// A function that has values at few x: `value + i` at `x + i`, for i below `count`.
struct Stretch {
  std::int64_t x, value, count;
};

/// The same for a function given as stretches, sorted by x: what that costs depends on them, not on
/// how long the axis is. Steps without a value are left out where `missed` is not there.
void lookup(const Box& box, std::int32_t axis, std::span<const Stretch> f, Boxes& found,
            Boxes* missed = nullptr);

/// A box for each x, in which it is fixed.
void isolate(const Box& box, std::int32_t axis, Boxes& out);

/// x becomes (x - shift) mod n, for 0 < shift < n and x in [0, n).
void rotate(const Box& box, std::int32_t axis, std::int64_t shift, std::int64_t n, Boxes& out);

/// From coordinates of `from` to coordinates of `to`, both read in row-major order.
void refactor(const Box& box, const Shape& from, const Shape& to, Boxes& out);

/// From coordinates of `shape` to the one linear row-major coordinate.
void linearise(Box& box, const Shape& shape);

/// Axis k of the result is axis `source[k]` of the box, or a coordinate fixed at 0 where that is
/// `replicated`. Digits of axes that are not named become replicated.
void relabel(Box& box, std::span<const std::int32_t> source);

/// The coordinates without the last axis, whose digits become replicated.
void drop_last_axis(Box& box);

// --- form ---

/// Counts a digit without a table from its other end, which leaves the pairs (out, at) as they are.
void reverse(Box& box, Digit& digit);

/// The box with digit k at step i alone.
Box fixed(const Box& box, std::size_t k, std::int64_t i);

/// Out strides positive and sorted, extents of 1 dropped, neighbours coalesced.
void canonicalise(Box& box);

/// Whether the digits (canonical) are nested in the output.
bool is_nested(const Box& box);
/// Whether they are on that axis; tables always are.
bool is_nested_on_axis(const Box& box, std::int32_t axis);

/// Throws InternalError naming the broken invariant.
void check_box(const Box& box, const Shape& shape);

/// Joins boxes that form a larger box. The boxes must be canonical and disjoint.
void merge(Boxes& boxes);

/// The box of all elements of `shape`, read from `origin`.
Box dense_box(const Shape& shape, const Index& origin, Tables* tables);

/// "out 0 at [5] {6: out 1, axis 0 step -1}".
std::string to_string(const Box& box);

}  // namespace weft
