// Draws a recipe op by op, each to fit the shapes so far.
#include "support/random_graph.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "support/random.h"

namespace weft::testing {
namespace {

using List = std::vector<std::int64_t>;

constexpr std::size_t rank_limit = 8;

constexpr std::array dtypes{u8,  bool_, i16,  f16,       bf16,      f32,        i32,       i64,
                            f64, c64,   c128, opaque(3), opaque(5), opaque(12), opaque(24)};

/// start, stop, step of slices, and how much they pick; an axis that is not named is whole.
struct Slices {
  List start, stop, step;
  Numbers axes;
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed)
      : random_(seed),
        limit_(random_.one_in(40)  ? 200000
               : random_.one_in(4) ? 3000
                                   : 500) {
    recipe_.dtype = dtypes[random_.below(dtypes.size())];
  }

  Recipe run() {
    add("leaf", {}, {random_shape()});
    const std::int64_t ops = random_.one_in(40) ? 40 : random_.in(1, 12);
    const bool stores = random_.one_in(3);
    for (std::int64_t k = 0; k < ops; ++k) {
      add_random_op(pick_operand());
      recipe_.steps.back().is_stored = stores && random_.one_in(5);
    }
    return recipe_;
  }

 private:
  std::size_t add(const std::string& op, std::vector<std::size_t> operands,
                  std::vector<Numbers> parameters) {
    recipe_.steps.push_back({op, std::move(operands), std::move(parameters)});
    values_.push_back(build_step(recipe_, values_.size(), values_));
    return values_.size() - 1;
  }

  /// The newest value mostly, so that chains get deep.
  std::size_t pick_operand() {
    return random_.one_in(4) ? random_.below(values_.size()) : values_.size() - 1;
  }

  List shape_of(std::size_t value) const {
    const Shape& shape = values_[value].shape();
    return {shape.begin(), shape.end()};
  }

  void add_random_op(std::size_t x) {
    switch (random_.in(0, 13)) {
      case 0:
      case 1:
        return add_roll(x);
      case 2:
        return add_transpose(x);
      case 3:
        return add_tile(x);
      case 4:
        return add_reshape(x);
      case 5:
        return add_flip(x);
      case 6:
        return add_squeeze(x);
      case 7:
        return add_expand_dims(x);
      case 8:
        return add_broadcast_to(x);
      case 9:
      case 10:
        return add_slice(x);
      case 11:
        return add_strided_tile(x);
      default:
        return add_slice_scatter(x);
    }
  }

  List random_shape() {
    const std::int64_t rank = random_.one_in(12) ? 0 : random_.in(1, random_.one_in(3) ? 8 : 4);
    List shape;
    std::int64_t left = limit_;
    for (std::int64_t k = 0; k < rank; ++k) {
      std::int64_t extent = 1;
      if (random_.one_in(60)) extent = 0;
      else if (!random_.one_in(6))
        extent = random_.in(std::min<std::int64_t>(left, 2),
                            std::min<std::int64_t>(left, random_.one_in(4) ? left : 12));
      shape.push_back(extent);
      left /= std::max<std::int64_t>(extent, 1);
    }
    random_.shuffle(shape);
    return shape;
  }

  /// A subset of the axes in random order, some counted from the end.
  List random_axes(std::size_t rank) {
    List axes(rank);
    std::iota(axes.begin(), axes.end(), 0);
    random_.shuffle(axes);
    axes.resize(random_.below(rank + 1));
    return with_signs(axes, rank);
  }

  List with_signs(List axes, std::size_t rank) {
    for (std::int64_t& axis : axes)
      if (random_.one_in(3)) axis -= static_cast<std::int64_t>(rank);
    return axes;
  }

  void add_roll(std::size_t x) {
    const List shape = shape_of(x);
    List shift, axes;
    if (!shape.empty())
      for (std::int64_t k = random_.in(1, 3); k > 0; --k) {
        const std::size_t axis = random_.below(shape.size());
        axes.push_back(static_cast<std::int64_t>(axis));
        shift.push_back(random_.one_in(20)  ? (random_.one_in(2) ? INT64_MIN : INT64_MAX)
                        : random_.one_in(4) ? random_.in(-3 * shape[axis], 3 * shape[axis])
                                            : random_.in(0, shape[axis]));
      }
    if (random_.one_in(8) && !shift.empty()) shift = {shift[0]};
    add("roll", {x}, {shift, with_signs(axes, shape.size())});
  }

  void add_transpose(std::size_t x) {
    List order(values_[x].rank());
    std::iota(order.begin(), order.end(), 0);
    random_.shuffle(order);
    if (random_.one_in(4)) order.clear();
    add("transpose", {x}, {order});
  }

  void add_tile(std::size_t x) {
    const std::size_t length = random_.below(std::min(values_[x].rank() + 2, rank_limit) + 1);
    List repeats;
    std::int64_t room = limit_ / std::max<std::int64_t>(values_[x].size(), 1);
    for (std::size_t k = 0; k < length; ++k) {
      std::int64_t repeat = 1;
      if (random_.one_in(60)) repeat = 0;
      else if (room > 0 && random_.one_in(2))
        repeat = random_.in(1, random_.one_in(4) ? room : std::min<std::int64_t>(room, 5));
      repeats.push_back(repeat);
      room /= std::max<std::int64_t>(repeat, 1);
    }
    random_.shuffle(repeats);
    add("tile", {x}, {repeats});
  }

  /// Extents with the product `count`.
  List factors(std::int64_t count) {
    List shape;
    std::int64_t left = count;
    while (left > 1 && shape.size() + 2 < rank_limit) {
      std::int64_t factor = random_.in(2, left);
      while (left % factor != 0) --factor;
      // The greatest divisor below a random number is often 1: take the smallest then.
      for (std::int64_t k = 2; factor == 1; ++k)
        if (left % k == 0) factor = k;
      shape.push_back(factor);
      left /= factor;
    }
    if (left > 1) shape.push_back(left);
    if (random_.one_in(4)) shape.push_back(1);
    random_.shuffle(shape);
    return shape;
  }

  void add_reshape(std::size_t x) {
    const std::int64_t count = values_[x].size();
    List shape;
    if (count == 0) {
      shape = {random_.in(0, 3), 0, random_.in(0, 3)};
    } else {
      shape = factors(count);
      if (!shape.empty() && random_.one_in(3)) shape[random_.below(shape.size())] = -1;
    }
    add("reshape", {x}, {shape});
  }

  void add_flip(std::size_t x) {
    add("flip", {x}, {random_.one_in(4) ? Numbers() : random_axes(values_[x].rank())});
  }

  void add_squeeze(std::size_t x) {
    const List shape = shape_of(x);
    List axes;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      if (shape[axis] == 1 && random_.one_in(2)) axes.push_back(static_cast<std::int64_t>(axis));
    add("squeeze", {x},
        {random_.one_in(3) ? Numbers() : with_signs(std::move(axes), shape.size())});
  }

  void add_expand_dims(std::size_t x) {
    const std::size_t rank = values_[x].rank();
    if (rank >= rank_limit) return add_flip(x);
    const std::size_t more = random_.below(std::min<std::size_t>(rank_limit - rank, 2)) + 1;
    List axes(rank + more);
    std::iota(axes.begin(), axes.end(), 0);
    random_.shuffle(axes);
    axes.resize(more);
    add("expand_dims", {x}, {with_signs(axes, rank + more)});
  }

  void add_broadcast_to(std::size_t x) {
    List shape = shape_of(x);
    std::int64_t room = limit_ / std::max<std::int64_t>(values_[x].size(), 1);
    const auto extent = [&] {
      const std::int64_t e = room < 1 ? 1 : random_.in(1, std::min<std::int64_t>(room, 20));
      room /= e;
      return e;
    };
    for (std::int64_t& e : shape)
      if (e == 1 && random_.one_in(2)) e = extent();
    while (shape.size() < rank_limit && random_.one_in(3)) shape.insert(shape.begin(), extent());
    add("broadcast_to", {x}, {shape});
  }

  /// start, stop and step for an axis; empty ones are rare, for all that follows them is empty too.
  void add_range(std::int64_t n, Slices& slices) {
    for (int attempt = 0;; ++attempt) {
      const std::int64_t magnitude = random_.one_in(2)   ? 1
                                     : random_.one_in(3) ? random_.in(1, n + 1)
                                                         : random_.in(1, 4);
      const std::int64_t step = random_.one_in(30)  ? (random_.one_in(2) ? INT64_MIN : INT64_MAX)
                                : random_.one_in(3) ? -magnitude
                                                    : magnitude;
      std::int64_t low = random_.in(0, n), high = random_.in(0, n);
      if (low > high) std::swap(low, high);
      if (random_.one_in(3)) low = 0;
      if (random_.one_in(3)) high = n;
      if (low == high && attempt < 4 && n > 0) continue;
      std::int64_t start = step > 0 ? low : high - 1;
      std::int64_t stop = step > 0 ? high : low - 1;
      if (stop < 0) stop = random_.one_in(2) ? INT64_MIN : -n - 1;
      if (step > 0 && stop == n && random_.one_in(2)) stop = INT64_MAX;
      if (start >= 0 && start < n && random_.one_in(3)) start -= n;
      slices.start.push_back(start);
      slices.stop.push_back(stop);
      slices.step.push_back(step);
      return;
    }
  }

  Slices random_slices(const List& shape) {
    Slices slices;
    List axes(shape.size());
    std::iota(axes.begin(), axes.end(), 0);
    random_.shuffle(axes);
    axes.resize(random_.below(std::min<std::size_t>(shape.size(), 3) + 1));
    if (random_.one_in(4)) std::iota(axes.begin(), axes.end(), 0);
    for (const std::int64_t axis : axes) add_range(shape[static_cast<std::size_t>(axis)], slices);
    slices.axes = with_signs(axes, shape.size());
    return slices;
  }

  void add_slice(std::size_t x) {
    if (values_[x].rank() == 0) return add_expand_dims(x);
    Slices slices = random_slices(shape_of(x));
    Numbers step = slices.step;
    if (std::all_of(step->begin(), step->end(), [](std::int64_t s) { return s == 1; }))
      step.reset();
    add("slice", {x}, {slices.start, slices.stop, step, slices.axes});
  }

  void add_slice_scatter(std::size_t x) {
    if (values_[x].rank() == 0) return add_expand_dims(x);
    const Slices slices = random_slices(shape_of(x));
    const std::vector<Numbers> parameters{slices.start, slices.stop, slices.step, slices.axes};
    std::vector<std::size_t> operands{x};
    if (random_.one_in(2)) operands.push_back(add_update(x, parameters));
    add("slice_scatter", operands, parameters);
  }

  /// Repeats the longest axis and walks it with a step: what needs tables of indices.
  void add_strided_tile(std::size_t x) {
    const List shape = shape_of(x);
    const std::int64_t room = limit_ / std::max<std::int64_t>(values_[x].size(), 1);
    if (shape.empty() || room < 2) return add_slice(x);
    const auto longest = std::max_element(shape.begin(), shape.end()) - shape.begin();
    List repeats(shape.size(), 1);
    repeats[static_cast<std::size_t>(longest)] = random_.in(2, std::min<std::int64_t>(room, 9));
    const std::size_t tiled = add("tile", {x}, {repeats});
    const bool back = random_.one_in(3);
    const std::int64_t step = random_.in(2, 12);
    add("slice", {tiled},
        {List{back ? -1 : random_.in(0, 9)}, List{back ? random_.in(0, 9) : INT64_MAX},
         List{back ? -step : step}, List{longest}});
  }

  /// Updates that come from a value that exists, often the data itself, moved about.
  std::size_t add_update(std::size_t x, const std::vector<Numbers>& parameters) {
    std::size_t source = x;
    for (std::size_t other = 0; other < values_.size(); ++other)
      if (values_[other].shape() == values_[x].shape() && random_.one_in(3)) source = other;
    if (random_.one_in(2)) {
      add_roll(source);
      source = values_.size() - 1;
    }
    const std::size_t updates = add("slice", {source}, parameters);
    if (random_.one_in(2)) return updates;
    add_flip(updates);
    return values_.size() - 1;
  }

  Random random_;
  std::int64_t limit_;
  Recipe recipe_{u8, {}};
  std::vector<Tensor> values_;
};

}  // namespace

Recipe random_recipe(std::uint64_t seed) { return Generator(seed).run(); }

}  // namespace weft::testing
