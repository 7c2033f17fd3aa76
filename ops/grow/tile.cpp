// SPDX-License-Identifier: Apache-2.0
// tile: what it refuses, and how a box is pulled back through it.
#include <weft/ops/grow/tile.h>

#include <fmt/format.h>

#include <weft/graph/map/box.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/op.h>

namespace weft {
namespace {

class Tile final : public Node {
 public:
  Tile(const Tensor& x, const Shape& shape, const Index& repeats)
      : Node(x.dtype(), shape, inputs_of(x)), source_(x.shape()), repeats_(repeats) {}

  std::string_view op() const noexcept override { return "tile"; }

  std::string parameters() const override { return fmt::format("repeats={}", to_string(repeats_)); }

  void pull_back(const Box& box, PullBack& to) const override {
    const std::size_t leading = rank() - source_.size();
    Boxes boxes = to.list(), next = to.list();
    boxes.push_back(box);
    if (leading > 0) {
      SmallVector<std::int32_t, 16> axes;
      for (std::size_t axis = leading; axis < rank(); ++axis)
        axes.push_back(static_cast<std::int32_t>(axis));
      relabel(boxes.front(), {axes.data(), axes.size()});
    }
    for (std::size_t axis = 0; axis < source_.size(); ++axis) {
      if (shape()[axis + leading] == source_[axis]) continue;
      next.clear();
      for (const Box& part : boxes)
        remainder(part, static_cast<std::int32_t>(axis), source_[axis], next);
      std::swap(boxes, next);
    }
    to.add(0, std::move(boxes));
  }

  bool add_parameters(Structure&) const override { return true; }  // the shapes tell all

  std::size_t trace(Index& index) const override {
    Index source(source_.size());
    const std::size_t leading = rank() - source_.size();
    for (std::size_t axis = 0; axis < source_.size(); ++axis)
      source[axis] = index[axis + leading] % source_[axis];
    index = source;
    return 0;
  }

 private:
  Shape source_;
  Index repeats_;
};

/// Multiplies what is known of the extents; repeats that are not known open all of them.
PartialShape infer(const Arguments& arguments) {
  const PartialShape x = arguments.operands[0].partial_shape();
  const Ints& repeats = arguments.ints(0);
  const std::int64_t length = known_length(repeats);
  if (!x.has_rank() || length < 0) return PartialShape::any();
  const std::size_t count = static_cast<std::size_t>(length);
  const std::size_t rank = std::max(x.rank(), count);
  PartialShape shape = PartialShape::of_rank(rank);
  if (repeats.is_open()) return shape;
  for (std::size_t k = 0; k < rank; ++k) {
    const Dim extent = k + x.rank() >= rank ? x[k + x.rank() - rank] : Dim(1);
    shape[k] = extent * (k + count >= rank ? repeats[k + count - rank] : 1);
  }
  return shape;
}

}  // namespace

const Op tile_op{"tile", {"x"}, {"repeats"}, call<weft::tile>, infer};

Tensor tile(const Tensor& x, const Ints& repeats) {
  if (is_any_open(tile_op, x, repeats)) return defer(tile_op, {{x}, {repeats}});
  check_integer("tile", "repeats", repeats);
  check_list("tile", "repeats", repeats);
  for (std::size_t i = 0; i < repeats.size(); ++i)
    if (repeats[i] < 0)
      throw ParameterError("negative_repeats",
                           fmt::format("tile: repeat {} in {} is negative, expected 0 or more",
                                       repeats[i], repeats.text()));
  const std::size_t rank = std::max(x.rank(), repeats.size());
  if (rank > max_rank)
    throw ParameterError("bad_rank",
                         fmt::format("tile: {} repeats make rank {}, at most {} is allowed",
                                     repeats.size(), rank, max_rank));
  Shape shape(rank, 1);
  Index kept(rank, 1);
  for (std::size_t k = 0; k < rank; ++k) {
    const bool has_repeat = k + repeats.size() >= rank;
    const std::size_t i = k + repeats.size() - rank;
    const std::int64_t extent = k + x.rank() >= rank ? x.shape()[k + x.rank() - rank] : 1;
    kept[k] = has_repeat ? repeats[i] : 1;
    const bool is_above = has_repeat && repeats.exceeds_int64(i) && extent != 0;
    if (is_above || __builtin_mul_overflow(extent, kept[k], &shape[k]))
      throw OverflowError(
          fmt::format("tile: extent {} times repeat {} in repeats {} is beyond int64", extent,
                      repeats.text(i), repeats.text()));
  }
  check_shape("tile", shape, x.dtype());
  return make_tensor<Tile>(x, shape, kept);
}

Tensor Tensor::tile(const Ints& repeats) const { return weft::tile(*this, repeats); }

}  // namespace weft
