// SPDX-License-Identifier: Apache-2.0
// unflatten: what it refuses, and the reshape it is.
#include <weft/ops/shape/unflatten.h>

#include <fmt/format.h>

#include <weft/graph/op.h>
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
std::vector<Dim> parts_of(const Dim& extent, std::size_t axis, const Ints& shape) {
  std::vector<Dim> parts;
  if (extent.is_known()) {
    for (const std::int64_t part : parts_of(extent.low(), axis, shape)) parts.emplace_back(part);
    return parts;
  }
  for (std::size_t i = 0; i < shape.size(); ++i)
    parts.push_back(shape[i] < 0 ? Dim() : Dim(shape[i]));
  return parts;
}

PartialShape infer(const Arguments& arguments) {
  const PartialShape x = arguments.operands[0].partial_shape();
  const Ints &axis = arguments.ints(0), &shape = arguments.ints(1);
  const std::int64_t length = known_length(shape);
  if (!x.has_rank() || x.rank() == 0 || length < 0) return PartialShape::any();
  const std::size_t count = static_cast<std::size_t>(length);
  if (axis.is_open()) return PartialShape::of_rank(x.rank() - 1 + count);
  check_single("unflatten", "axis", axis);
  const std::size_t parted = check_axis("unflatten", axis, 0, x.lowest());
  const std::vector<Dim> parts =
      shape.is_open() ? std::vector<Dim>(count) : parts_of(x[parted], parted, shape);
  std::vector<Dim> dims = x.dims();
  const auto at = dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(parted));
  dims.insert(at, parts.begin(), parts.end());
  return PartialShape(std::move(dims));
}

}  // namespace

const Op unflatten_op{"unflatten", {"x"}, {"axis", "shape"}, call<weft::unflatten>, infer};

Tensor unflatten(const Tensor& x, const Ints& axis, const Ints& shape) {
  if (is_any_open(unflatten_op, x, axis, shape)) return defer(unflatten_op, {{x}, {axis, shape}});
  check_integer("unflatten", "axis", axis);
  check_integer("unflatten", "shape", shape);
  check_scalar_or_list("unflatten", "axis", axis);
  check_scalar_or_list("unflatten", "shape", shape);
  check_single("unflatten", "axis", axis);
  if (x.rank() + shape.size() > max_rank + 1)
    throw ParameterError("bad_rank",
                         fmt::format("unflatten: the result would have rank {}, at most {} is "
                                     "allowed",
                                     x.rank() + shape.size() - 1, max_rank));
  const std::size_t parted = check_axis("unflatten", axis, 0, x.shape());
  Shape extents;
  for (std::size_t k = 0; k < x.rank(); ++k) {
    if (k != parted) {
      extents.push_back(x.shape()[k]);
    } else {
      for (const std::int64_t part : parts_of(x.shape()[k], k, shape)) extents.push_back(part);
    }
  }
  return reshape(x, extents);
}

Tensor Tensor::unflatten(const Ints& axis, const Ints& shape) const {
  return weft::unflatten(*this, axis, shape);
}

}  // namespace weft
