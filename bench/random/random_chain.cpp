// SPDX-License-Identifier: Apache-2.0
// Drawing chains. What an op is in plain loops is told here anew, of what NumPy says it is.
#include "random/random_chain.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <utility>

#include <weft/weft.h>

#include "support/random.h"

namespace weft::bench {
namespace {

using testing::Random;
using List = std::vector<std::int64_t>;

constexpr int first_octave = 14;
// No op makes more of its operand than so many times as much as the chain began with.
constexpr std::int64_t most_growth = 2;

Shape shape_of(const List& list) { return Shape(list.begin(), list.end()); }

PlainBox whole(const Shape& shape) {
  return {0, 0, shape, row_major_strides(shape), row_major_strides(shape)};
}

class Drawing {
 public:
  explicit Drawing(std::uint64_t seed) : random_(seed * 0x9e3779b97f4a7c15u + 1) {
    chain_.type = types[random_.below(std::size(types))];
    const double octave = first_octave + static_cast<double>(seed % chain_octaves);
    const double bytes = std::exp2(octave + static_cast<double>(random_.below(1000)) / 1000);
    most_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(bytes) / chain_.type.size());
    draw_shape();
    chain_.shape = shape_;
    most_ = most_growth * std::max(most_, element_count(shape_));
  }

  Chain run() {
    const std::size_t count = 1 + random_.below(5);
    while (chain_.ops.size() < count) add();
    return std::move(chain_);
  }

 private:
  static constexpr DType types[] = {u8,  u8,  u16,  f16,       f32,       f32,
                                    f32, f64, c128, opaque(3), opaque(12)};

  std::int64_t extent(std::int64_t most) {
    const std::int64_t own = std::max<std::int64_t>(1, most);
    switch (random_.below(3)) {
      case 0:  // any
        return random_.in(std::max<std::int64_t>(1, own / 4), own);
      case 1:  // thin
        return std::min(own, random_.in(2, 32));
      default:  // a power of two
        return std::int64_t{1} << random_.below(static_cast<std::size_t>(std::log2(own)) + 1);
    }
  }
  /// All axes but one are drawn; that has what is left.
  void draw_shape() {
    const std::size_t rank = 1 + random_.below(5);
    shape_ = Shape(rank, 1);
    std::int64_t left = most_;
    const std::size_t rest = random_.below(rank);
    for (std::size_t axis = 0; axis < rank; ++axis) {
      if (axis == rest) continue;
      const double share = std::pow(static_cast<double>(left), 1.6 / static_cast<double>(rank));
      shape_[axis] = std::min(left, extent(static_cast<std::int64_t>(share)));
      left /= shape_[axis];
    }
    shape_[rest] = std::max<std::int64_t>(1, left);
  }

  std::size_t any_axis() { return random_.below(shape_.size()); }
  std::int64_t count() const { return element_count(shape_); }

  void add() {
    switch (random_.below(10)) {
      case 0:
      case 1:
        return roll();
      case 2:
      case 3:
        return transpose();
      case 4:
        return flip();
      case 5:
        return slice();
      case 6:
        return pad();
      case 7:
        return random_.one_in(2) ? tile() : repeat();
      case 8:
        return random_.one_in(2) ? reshape() : concat();
      default:
        return slice_scatter();
    }
  }
  void push(std::string name, std::vector<List> arguments,
            std::function<Tensor(const Tensor&)> build, PlainOp plain) {
    shape_ = plain.shape;
    chain_.ops.push_back(
        {std::move(name), std::move(arguments), std::move(build), std::move(plain)});
  }

  void roll() {
    const std::size_t axis = any_axis();
    const std::int64_t extent = shape_[axis], shift = random_.in(-extent, extent);
    const std::int64_t right = ((shift % extent) + extent) % extent;
    PlainOp plain{shape_};
    PlainBox head = whole(shape_), tail = head;
    const std::int64_t stride = head.to_strides[axis];
    head.extents[axis] = extent - right;
    head.to = right * stride;
    tail.extents[axis] = right;
    tail.from = (extent - right) * stride;
    plain.boxes = {head, tail};
    const Ints shifts = shift, axes = static_cast<std::int64_t>(axis);
    push(
        "roll", {{shift}, {static_cast<std::int64_t>(axis)}},
        [=](const Tensor& x) { return x.roll(shifts, axes); }, std::move(plain));
  }
  void transpose() {
    List order(shape_.size());
    std::iota(order.begin(), order.end(), 0);
    random_.shuffle(order);
    PlainBox box = whole(shape_);
    PlainOp plain{shape_};
    for (std::size_t axis = 0; axis < order.size(); ++axis) {
      const auto from = static_cast<std::size_t>(order[axis]);
      plain.shape[axis] = box.extents[axis] = shape_[from];
      box.from_strides[axis] = row_major_strides(shape_)[from];
    }
    box.to_strides = row_major_strides(plain.shape);
    plain.boxes = {box};
    push(
        "transpose", {order}, [=](const Tensor& x) { return x.transpose(shape_of(order)); },
        std::move(plain));
  }
  void flip() {
    const std::size_t axis = any_axis();
    PlainBox box = whole(shape_);
    box.from = (shape_[axis] - 1) * box.from_strides[axis];
    box.from_strides[axis] = -box.from_strides[axis];
    push("flip", {{static_cast<std::int64_t>(axis)}},
         [=](const Tensor& x) { return x.flip(static_cast<std::int64_t>(axis)); },
         {shape_, false, {box}});
  }
  void slice() {
    const std::size_t axis = any_axis();
    const std::int64_t extent = shape_[axis], step = random_.one_in(3) ? random_.in(2, 4) : 1;
    const std::int64_t start = random_.in(0, extent / 4),
                       stop = random_.in(start + (extent - start + 1) / 2, extent);
    if (stop <= start) return;
    PlainBox box = whole(shape_);
    PlainOp plain{shape_};
    plain.shape[axis] = box.extents[axis] = (stop - start + step - 1) / step;
    box.from = start * box.from_strides[axis];
    box.from_strides[axis] *= step;
    box.to_strides = row_major_strides(plain.shape);
    plain.boxes = {box};
    const auto at = static_cast<std::int64_t>(axis);
    push(
        "slice", {{start}, {stop}, {step}, {at}},
        [=](const Tensor& x) { return x.slice({start}, {stop}, {step}, {at}); }, std::move(plain));
  }
  void pad() {
    const std::size_t axis = any_axis();
    List before(shape_.size(), 0), after = before;
    before[axis] = random_.in(0, std::min<std::int64_t>(9, shape_[axis]));
    after[axis] = random_.in(0, std::min<std::int64_t>(9, shape_[axis]));
    PlainOp plain{shape_, true};
    plain.shape[axis] += before[axis] + after[axis];
    if (plain.count() > most_) return;
    PlainBox box = whole(shape_);
    box.to_strides = row_major_strides(plain.shape);
    box.to = before[axis] * box.to_strides[axis];
    plain.boxes = {box};
    push(
        "pad", {before, after},
        [=](const Tensor& x) { return x.pad(shape_of(before), shape_of(after)); },
        std::move(plain));
  }
  void tile() {
    const std::size_t axis = any_axis();
    List times(shape_.size(), 1);
    times[axis] = 2;
    PlainOp plain{shape_};
    plain.shape[axis] *= times[axis];
    if (plain.count() > most_) return;
    PlainBox box = whole(shape_);
    box.to_strides = row_major_strides(plain.shape);
    for (std::int64_t k = 0; k < times[axis]; ++k) {
      plain.boxes.push_back(box);
      box.to += shape_[axis] * box.to_strides[axis];
    }
    push(
        "tile", {times}, [=](const Tensor& x) { return x.tile(shape_of(times)); },
        std::move(plain));
  }
  void repeat() {
    const std::size_t axis = any_axis();
    PlainOp plain{shape_};
    plain.shape[axis] *= 2;
    if (plain.count() > most_) return;
    PlainBox box = whole(shape_);
    box.to_strides = row_major_strides(plain.shape);
    const std::int64_t next = box.to_strides[axis];
    box.to_strides[axis] *= 2;
    plain.boxes = {box, box};
    plain.boxes[1].to = next;
    const auto at = static_cast<std::int64_t>(axis);
    push(
        "repeat", {{2}, {at}}, [=](const Tensor& x) { return x.repeat(2, at); }, std::move(plain));
  }
  /// Of one axis two, or of two one.
  void reshape() {
    List to(shape_.begin(), shape_.end());
    const std::size_t axis = any_axis();
    if (to.size() > 1 && random_.one_in(2)) {
      const std::size_t first = std::min(axis, to.size() - 2);
      to[first] *= to[first + 1];
      to.erase(to.begin() + static_cast<std::ptrdiff_t>(first) + 1);
    } else {
      std::int64_t part = 2;
      while (part < 8 && to[axis] % part != 0) ++part;
      if (to[axis] % part != 0 || to.size() > 5) return;
      to[axis] /= part;
      to.insert(to.begin() + static_cast<std::ptrdiff_t>(axis) + (random_.one_in(2) ? 1 : 0), part);
    }
    PlainOp plain{shape_of(to)};
    plain.boxes = {whole(plain.shape)};
    push(
        "reshape", {to}, [=](const Tensor& x) { return x.reshape(shape_of(to)); },
        std::move(plain));
  }
  void concat() {
    const std::size_t axis = any_axis();
    PlainOp plain{shape_};
    plain.shape[axis] *= 2;
    if (plain.count() > most_) return;
    PlainBox box = whole(shape_);
    box.to_strides = row_major_strides(plain.shape);
    plain.boxes = {box, box};
    plain.boxes[1].to = shape_[axis] * box.to_strides[axis];
    const auto at = static_cast<std::int64_t>(axis);
    push(
        "concat", {{at}},
        [=](const Tensor& x) {
          return weft::concat({x, x}, at);
        },
        std::move(plain));
  }
  /// The first half of an axis over every second element of it.
  void slice_scatter() {
    const std::size_t axis = any_axis();
    const std::int64_t half = shape_[axis] / 2;
    if (half == 0) return;
    PlainBox all = whole(shape_), updates = all;
    updates.extents[axis] = half;
    updates.to_strides[axis] *= 2;
    const auto at = static_cast<std::int64_t>(axis);
    push("slice_scatter", {{0}, {2 * half}, {2}, {at}},
         [=](const Tensor& x) {
           return x.slice_scatter(x.slice({0}, {half}, {1}, {at}), {0}, {2 * half}, {2}, {at});
         },
         {shape_, false, {all, updates}});
  }

  Random random_;
  Chain chain_{u8, {}, {}};
  Shape shape_;
  std::int64_t most_ = 0;  // elements
};

}  // namespace

std::string ChainOp::text() const {
  std::string text;
  for (const List& list : arguments)
    text += fmt::format("{}[{}]", text.empty() ? "" : ", ", fmt::join(list, ", "));
  return fmt::format("{}({})", name, text);
}

Tensor Chain::build(const Tensor& x) const {
  Tensor made = x;
  for (const ChainOp& op : ops) made = op.build(made);
  return made;
}

std::string Chain::text() const {
  std::string steps;
  for (const ChainOp& op : ops) steps += (steps.empty() ? "" : " | ") + op.text();
  return fmt::format("{} {}: {}", type.name(), to_string(shape), steps);
}

Chain random_chain(std::uint64_t seed) { return Drawing(seed).run(); }

}  // namespace weft::bench
