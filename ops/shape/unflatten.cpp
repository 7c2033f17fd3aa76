// SPDX-License-Identifier: Apache-2.0
// unflatten: what it refuses, and the reshape it is.
#include <weft/ops/shape/unflatten.h>

#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/ops/shape/reshape.h>

namespace weft {
namespace {

/// `shape` with the -1 inferred. The extent is divided, for a product may be beyond int64.
Shape parts_of(std::int64_t extent, std::size_t axis, const Ints& shape) {
  Shape parts;
  std::size_t inferred = shape.size();
  bool has_zero = false, fits = true;
  std::int64_t left = extent;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] < -1 || (shape[i] == -1 && inferred < shape.size()))
      throw ShapeError(
          fmt::format("unflatten: extent {} in shape {}, expected 0 or more, or one -1", shape[i],
                      shape.text()));
    if (shape.exceeds_int64(i))
      throw OverflowError(fmt::format("unflatten: extent {} in shape {} is beyond int64",
                                      shape.text(i), shape.text()));
    if (shape[i] == -1) inferred = i;
    if (shape[i] == 0) has_zero = true;
    if (shape[i] > 0) {
      fits = fits && left % shape[i] == 0;
      left /= shape[i];
    }
    parts.push_back(shape[i]);
  }
  const bool is_inferred = inferred < shape.size();
  fits = fits && (is_inferred ? !has_zero : left == (has_zero ? 0 : 1));
  if (!fits)
    throw ShapeError(fmt::format("unflatten: shape {} does not make the extent {} of axis {}",
                                 shape.text(), extent, axis));
  if (is_inferred) parts[inferred] = left;
  return parts;
}

/// What is known of the extents that an axis is parted into.
Extents parts_of(const Extent& extent, std::size_t axis, const Ints& shape) {
  if (extent.is_known()) return parts_of(extent.low, axis, shape);
  Extents parts;
  for (std::size_t i = 0; i < shape.size(); ++i)
    parts.push_back(shape[i] < 0 ? Extent() : Extent(shape[i]));
  return parts;
}

struct Unflatten {
  static constexpr std::string_view name = "unflatten";
  static constexpr const Op& op = unflatten_op;
  static constexpr std::tuple fields{
      operand("x", "an axis of which is parted"), parameter("axis", "the axis that is parted"),
      parameter("shape", "the extents that it makes; one entry may be -1 and is inferred")};

  static KnownType infer(const KnownType& x, const Ints& axis, const Ints& shape) {
    check_integer(name, "axis", axis);
    check_integer(name, "shape", shape);
    check_scalar_or_list(name, "axis", axis);
    check_scalar_or_list(name, "shape", shape);
    check_one(name, "axis", axis);
    const std::int64_t length = known_length(shape);
    if (!x.shape.has_rank()) return x;
    const std::size_t count = length < 0 ? 0 : static_cast<std::size_t>(length);
    if (x.shape.rank() + count > max_rank + 1)
      throw ParameterError("bad_rank",
                           fmt::format("unflatten: the result would have rank {}, at most {} is "
                                       "allowed",
                                       x.shape.rank() + count - 1, max_rank));
    const bool has_rank = length >= 0 && x.shape.rank() > 0;
    if (axis.is_open())
      return {x.dtype, has_rank ? Extents::of_rank(x.shape.rank() - 1 + count) : Extents::any()};
    const std::size_t parted = check_axis(name, axis, 0, x.shape);
    if (length < 0) return {x.dtype, Extents::any()};
    KnownType result = x;
    result.shape.erase(parted);
    const Extents parts =
        shape.is_open() ? Extents::of_rank(count) : parts_of(x.shape[parted], parted, shape);
    for (std::size_t i = 0; i < count; ++i) result.shape.insert(parted + i, parts[i]);
    return result;
  }

  static Tensor make(const TensorType& type, const Tensor& x, const Ints&, const Ints&) {
    return reshape(x, type.shape);
  }
};

}  // namespace

constinit const Op unflatten_op = op_of<Unflatten>();

Tensor unflatten(const Tensor& x, const Ints& axis, const Ints& shape) {
  return build<Unflatten>(x, axis, shape);
}

Tensor Tensor::unflatten(const Ints& axis, const Ints& shape) const {
  return weft::unflatten(*this, axis, shape);
}

}  // namespace weft
