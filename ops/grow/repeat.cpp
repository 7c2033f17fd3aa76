// SPDX-License-Identifier: Apache-2.0
// repeat: what it refuses, and how a box is pulled back through it.
#include <weft/ops/grow/repeat.h>

#include <fmt/format.h>

#include <weft/graph/map/box.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/op.h>
#include <weft/graph/structure.h>
#include <weft/ops/grow/concat.h>
#include <weft/ops/indexing/take.h>
#include <weft/ops/pick/slice.h>
#include <weft/ops/shape/reshape.h>

namespace weft {
namespace {

/// Each position as often as every other.
class Repeat final : public Node {
 public:
  Repeat(const Tensor& x, const Shape& shape, std::size_t axis, std::int64_t repeats)
      : Node(x.dtype(), shape, inputs_of(x)), axis_(axis), repeats_(repeats) {}

  std::string_view op() const noexcept override { return "repeat"; }
  std::string parameters() const override {
    return fmt::format("repeats={}, axis={}", repeats_, axis_);
  }

  void pull_back(const Box& box, PullBack& to) const override {
    quotient(box, static_cast<std::int32_t>(axis_), repeats_, to.plain(0));
  }

  bool add_parameters(Structure& to) const override {
    to.add(static_cast<std::int64_t>(axis_));
    to.add(repeats_);
    return true;
  }

  std::size_t trace(Index& index) const override {
    index[axis_] /= repeats_;
    return 0;
  }

 private:
  std::size_t axis_;
  std::int64_t repeats_;
};

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

PartialShape infer(const Arguments& arguments) {
  const PartialShape x = arguments.operands[0].partial_shape();
  const Ints &repeats = arguments.ints(0), &axis = arguments.ints(1);
  if (axis.is_none()) return PartialShape::of_rank(1);
  if (!x.has_rank()) return PartialShape::any();
  if (axis.is_open()) return PartialShape::of_rank(x.rank());
  check_single("repeat", "axis", axis);
  const std::size_t at = check_axis("repeat", axis, 0, x.lowest());
  PartialShape shape = x;
  if (repeats.is_open()) shape[at] = Dim();
  else if (repeats.size() == 1) shape[at] = x[at] * repeats[0];
  else shape[at] = repeated_extent(repeats, static_cast<std::int64_t>(repeats.size()));
  return shape;
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

}  // namespace

const Op repeat_op{
    "repeat",
    {"x"},
    {"repeats", "axis"},
    call<static_cast<Tensor (*)(const Tensor&, const Ints&, const Ints&)>(weft::repeat)>,
    infer};

Tensor repeat(const Tensor& x, const Ints& repeats, const Ints& axis) {
  if (is_any_open(repeat_op, x, repeats, axis)) return defer(repeat_op, {{x}, {repeats, axis}});
  check_integer("repeat", "repeats", repeats);
  check_scalar_or_list("repeat", "repeats", repeats);
  std::size_t at = 0;
  if (!axis.is_none()) {
    check_single("repeat", "axis", axis);
    at = check_axis("repeat", axis, 0, x.shape());
  }
  const Tensor source = axis.is_none() ? x.reshape(x.size()) : x;
  Shape shape = source.shape();
  shape[at] = repeated_extent(repeats, shape[at]);
  check_shape("repeat", shape, x.dtype());
  if (repeats.size() == 1)
    return make_tensor<Repeat>(source, shape, at, std::max<std::int64_t>(repeats[0], 1));
  // Positions that come often are better repeated each than listed.
  if (shape[at] > 64 * static_cast<std::int64_t>(repeats.size()))
    return concat(repeated_parts(source, repeats, at), at);
  std::vector<std::int64_t> places;
  for (std::size_t k = 0; k < repeats.size(); ++k)
    places.insert(places.end(), static_cast<std::size_t>(repeats[k]), static_cast<std::int64_t>(k));
  return source.take(Ints(places), at);
}

Tensor Tensor::repeat(const Ints& repeats, const Ints& axis) const {
  return weft::repeat(*this, repeats, axis);
}

}  // namespace weft
