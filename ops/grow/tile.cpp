// SPDX-License-Identifier: Apache-2.0
// tile: what it refuses, and how a box is pulled back through it.
#include <weft/ops/grow/tile.h>

#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/graph/map/box.h>

namespace weft {
namespace {

struct Tile {
  Index repeats;  // of each axis of the result
  Shape source;

  static constexpr std::string_view name = "tile";
  static constexpr const Op& op = tile_op;
  static constexpr std::tuple fields{
      operand("x", "what is repeated"),
      shown("repeats", &Tile::repeats, "how often, for each of the last axes"),
      derived(&Tile::source)};

  /// Multiplies what is known of the extents; repeats that are not known open all of them.
  static KnownType infer(const KnownType& x, const Ints& repeats) {
    check_integer(name, "repeats", repeats);
    if (!x.shape.has_rank()) return x;  // all else is told when the program runs
    check_list(name, "repeats", repeats);
    for (std::size_t i = 0; i < repeats.size(); ++i)
      if (repeats[i] < 0)
        throw ParameterError("negative_repeats",
                             fmt::format("tile: repeat {} in {} is negative, expected 0 or more",
                                         repeats[i], repeats.text()));
    const std::int64_t length = known_length(repeats);
    if (length < 0) return {x.dtype, Extents::any()};
    const std::size_t count = static_cast<std::size_t>(length), own = x.shape.rank();
    const std::size_t rank = std::max(own, count);
    if (rank > max_rank)
      throw ParameterError(
          "bad_rank", fmt::format("tile: {} repeats make rank {}, at most {} is allowed", count,
                                  rank, max_rank));
    if (repeats.is_open()) return {x.dtype, Extents::of_rank(rank)};
    KnownType result{x.dtype, {}};
    for (std::size_t k = 0; k < rank; ++k) {
      const Extent extent = k + own >= rank ? x.shape[k + own - rank] : Extent(1);
      if (k + count < rank) {
        result.shape.push_back(extent);
        continue;
      }
      const std::size_t i = k + count - rank;
      const std::int64_t repeat = repeats[i];
      std::int64_t lowest = 0;
      if ((repeats.exceeds_int64(i) && extent.low != 0) ||
          __builtin_mul_overflow(extent.low, repeat, &lowest))
        throw OverflowError(
            fmt::format("tile: extent {} times repeat {} in repeats {} is beyond int64",
                        to_string(extent), repeats.text(i), repeats.text()));
      result.shape.push_back(extent * repeat);
    }
    return result;
  }

  static Tensor make(TensorType type, const Tensor& x, const Ints& repeats) {
    const std::size_t rank = type.shape.size(), count = repeats.size();
    Tile tile{Index(rank, 1), x.shape()};
    for (std::size_t i = 0; i < count; ++i) tile.repeats[rank - count + i] = repeats[i];
    return tensor_of(std::move(tile), std::move(type), x);
  }

  void pull_back(const Shape& shape, const Box& box, PullBack& to) const {
    const std::size_t leading = shape.size() - source.size();
    Boxes boxes = to.list(), next = to.list();
    boxes.push_back(box);
    if (leading > 0) {
      SmallVector<std::int32_t, 16> axes;
      for (std::size_t axis = leading; axis < shape.size(); ++axis)
        axes.push_back(static_cast<std::int32_t>(axis));
      relabel(boxes.front(), {axes.data(), axes.size()});
    }
    for (std::size_t axis = 0; axis < source.size(); ++axis) {
      if (shape[axis + leading] == source[axis]) continue;
      next.clear();
      for (const Box& part : boxes)
        remainder(part, static_cast<std::int32_t>(axis), source[axis], next);
      std::swap(boxes, next);
    }
    to.add(0, std::move(boxes));
  }

  std::size_t trace(const Shape& shape, Index& index) const {
    Index at(source.size());
    const std::size_t leading = shape.size() - source.size();
    for (std::size_t axis = 0; axis < source.size(); ++axis)
      at[axis] = index[axis + leading] % source[axis];
    index = at;
    return 0;
  }

  /// Repeats become axes of their own, which are summed; where there are too many axes for that,
  /// some first.
  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors&) const {
    const Shape& shape = cotangent.shape();
    const std::size_t leading = shape.size() - source.size();
    Shape parted, left;
    Index summed;
    std::size_t axes_left = max_rank - shape.size();
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const std::int64_t own = axis < leading ? 1 : source[axis - leading];
      const bool is_summed = repeats[axis] != 1 && (own == 1 || axes_left > 0);
      if (is_summed) {
        summed.push_back(static_cast<std::int64_t>(parted.size()));
        parted.push_back(repeats[axis]);
      }
      if (!is_summed || own != 1) {
        parted.push_back(is_summed ? own : shape[axis]);
        axes_left -= is_summed;
      }
      left.push_back(is_summed ? own : shape[axis]);
    }
    const DType type = cotangent.dtype();
    const Tensor sum = cotangent.reshape(parted).sum(summed).astype(type).reshape(left);
    if (sum.size() == element_count(source)) return {sum.reshape(source)};
    Tile rest{repeats, source};
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      if (left[axis] != shape[axis]) rest.repeats[axis] = 1;
    return rest.adjoint(sum, sum, {});
  }
};

}  // namespace

constinit const Op tile_op = op_of<Tile>();

Tensor tile(const Tensor& x, const Ints& repeats) { return build<Tile>(x, repeats); }

Tensor Tensor::tile(const Ints& repeats) const { return weft::tile(*this, repeats); }

}  // namespace weft
