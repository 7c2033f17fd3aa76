// SPDX-License-Identifier: Apache-2.0
// repeat: what it refuses, and how a box is pulled back through it.
#include <weft/ops/grow/repeat.h>

#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/graph/map/box.h>
#include <weft/ops/grow/concat.h>
#include <weft/ops/indexing/take.h>
#include <weft/ops/pick/slice.h>
#include <weft/ops/shape/reshape.h>

namespace weft {
namespace {

/// How long the axis gets. Tells all that can be wrong with the repeats.
std::int64_t repeated_extent(const Ints& repeats, std::int64_t extent) {
  const bool is_one = repeats.size() == 1;
  if (!is_one && static_cast<std::int64_t>(repeats.size()) != extent)
    throw ShapeError(
        fmt::format("repeat: there are {} repeats, expected one, or one for each of {} positions",
                    repeats.size(), extent));
  std::int64_t total = 0;
  for (std::size_t k = 0; k < repeats.size(); ++k) {
    if (repeats[k] < 0)
      throw ParameterError(
          "negative_repeats",
          fmt::format("repeat: repeats are {}, expected none below 0", repeats.text()));
    if (repeats.exceeds_int64(k) || __builtin_add_overflow(total, repeats[k], &total))
      throw OverflowError("repeat: the repeats are more than int64 holds");
  }
  if (is_one && __builtin_mul_overflow(total, extent, &total))
    throw OverflowError(fmt::format("repeat: {} positions {} times are more than int64 holds",
                                    extent, repeats.text()));
  return total;
}

/// The positions, neighbours that are repeated as often together, each repeated.
Tensors repeated_parts(const Tensor& x, const Ints& repeats, std::size_t axis) {
  Tensors parts;
  for (std::size_t first = 0, end = 0; first < repeats.size(); first = end) {
    while (end < repeats.size() && repeats[end] == repeats[first]) ++end;
    if (repeats[first] == 0) continue;
    const Tensor part = x.slice({first}, {end}, none, {axis});
    parts.push_back(part.repeat(repeats[first], axis));
  }
  return parts;
}

/// Each position as often as every other.
struct Repeat {
  std::int64_t repeats, axis;

  static constexpr std::string_view name = "repeat";
  static constexpr const Op& op = repeat_op;
  static constexpr std::tuple fields{
      operand("x", "whose positions are repeated"),
      parameter("repeats", &Repeat::repeats, "how often each, or one number for all"),
      parameter("axis", &Repeat::axis, "the axis that counts them; none: x is read flat", none)};

  static KnownType infer(const KnownType& x, const Ints& repeats, const Ints& axis) {
    check_integer(name, "repeats", repeats);
    check_scalar_or_list(name, "repeats", repeats);
    if (!axis.is_none()) check_one(name, "axis", axis);
    if (axis.is_none()) {
      const Extent all = x.shape.is_closed() ? element_count(x.shape.lowest()) : Extent();
      KnownType flat{x.dtype, {}};
      flat.shape.push_back(extent_of(all, repeats));
      return flat;
    }
    if (!x.shape.has_rank()) return x;
    if (axis.is_open()) return {x.dtype, Extents::of_rank(x.shape.rank())};
    KnownType result = x;
    const std::size_t at = check_axis(name, axis, 0, x.shape);
    result.shape.set(at, extent_of(x.shape[at], repeats));
    return result;
  }

  static Extent extent_of(const Extent& extent, const Ints& repeats) {
    if (repeats.is_open()) return {};
    if (extent.is_known()) return repeated_extent(repeats, extent.low);
    if (repeats.size() != 1)
      return repeated_extent(repeats, static_cast<std::int64_t>(repeats.size()));
    repeated_extent(repeats, 1);
    return extent * repeats[0];
  }

  static Tensor make(TensorType type, const Tensor& x, const Ints& repeats, const Ints& axis) {
    const Tensor source = axis.is_none() ? x.reshape(x.size()) : x;
    const std::size_t at = axis.is_none() ? 0 : check_axis(name, axis, 0, x.shape());
    if (repeats.size() == 1)
      return tensor_of(Repeat{std::max<std::int64_t>(repeats[0], 1), static_cast<std::int64_t>(at)},
                       std::move(type), source);
    // Positions that come often are better repeated each than listed.
    if (type.shape[at] > 64 * static_cast<std::int64_t>(repeats.size()))
      return concat(repeated_parts(source, repeats, at), at);
    std::vector<std::int64_t> places;
    for (std::size_t k = 0; k < repeats.size(); ++k)
      places.insert(places.end(), static_cast<std::size_t>(repeats[k]),
                    static_cast<std::int64_t>(k));
    return source.take(Ints(places), at);
  }

  void pull_back(const Shape&, const Box& box, PullBack& to) const {
    quotient(box, static_cast<std::int32_t>(axis), repeats, to.plain(0));
  }

  std::size_t trace(const Shape&, Index& index) const {
    index[static_cast<std::size_t>(axis)] /= repeats;
    return 0;
  }

  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors& operands) const {
    std::int64_t inner = 1;
    for (std::size_t k = static_cast<std::size_t>(axis) + 1; k < cotangent.rank(); ++k)
      inner *= cotangent.shape()[k];
    const Tensor parted = cotangent.reshape({cotangent.size() / repeats / inner, repeats, inner});
    return {parted.sum(1).astype(cotangent.dtype()).reshape(operands[0].shape())};
  }
};

}  // namespace

constinit const Op repeat_op = op_of<Repeat>();

Tensor repeat(const Tensor& x, const Ints& repeats, const Ints& axis) {
  return build<Repeat>(x, repeats, axis);
}

Tensor Tensor::repeat(const Ints& repeats, const Ints& axis) const {
  return weft::repeat(*this, repeats, axis);
}

}  // namespace weft
