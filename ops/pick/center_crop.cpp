// SPDX-License-Identifier: Apache-2.0
// center_crop: what it refuses, and the slice it is.
#include <weft/ops/pick/center_crop.h>

#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/ops/pick/ranges.h>
#include <weft/ops/pick/slice.h>

namespace weft {
namespace {

struct CenterCrop {
  static constexpr std::string_view name = "center_crop";
  static constexpr const Op& op = center_crop_op;
  static constexpr std::tuple fields{operand("x", "whose middle is taken"),
                                     parameter("size", "how many are left on each axis"),
                                     parameter("axes", "those that are cut; none: the last", none)};

  static KnownType infer(const KnownType& x, const Ints& size, const Ints& axes) {
    check_integer(name, "size", size);
    if (!axes.is_none()) check_integer(name, "axes", axes);
    check_scalar_or_list(name, "size", size);
    if (!axes.is_none()) check_scalar_or_list(name, "axes", axes);
    const std::int64_t length = known_length(size);
    if (const std::int64_t named = known_length(axes);
        !axes.is_none() && length >= 0 && named >= 0 && length != named)
      throw ParameterError("length_mismatch",
                           fmt::format("{}: size {} has {} entries, expected {} as axes {}", name,
                                       size.text(), length, named, axes.text()));
    if (!x.shape.has_rank()) return x;
    if (length > static_cast<std::int64_t>(x.shape.rank()))
      throw ParameterError(
          "length_mismatch",
          fmt::format("{}: size {} has {} entries, expected at most {} (shape {})", name,
                      size.text(), length, x.shape.rank(), to_string(x.shape)));
    const Ints cropped = axes.is_none() && length >= 0 ? last_axes(length, x.shape.rank()) : axes;
    if (is_any_open(size, axes)) return {x.dtype, cut_somewhere(x.shape, length, cropped)};
    const auto named = check_unique_axes(name, cropped, x.shape);
    KnownType result = x;
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (size[i] < 0)
        throw ShapeError(fmt::format("{}: {} in size {} is negative, expected 0 or more", name,
                                     size[i], size.text()));
      if (size[i] > x.shape[named[i]].high)
        throw ShapeError(fmt::format("{}: size {} is more than the extent {} of axis {} (shape {})",
                                     name, size.text(i), to_string(x.shape[named[i]]), named[i],
                                     to_string(x.shape)));
      result.shape.set(named[i], size[i]);
    }
    return result;
  }

  static Ints last_axes(std::int64_t count, std::size_t rank) {
    Index axes;
    for (std::int64_t k = -count; k < 0; ++k) axes.push_back(static_cast<std::int64_t>(rank) + k);
    return axes;
  }

  static Tensor make(const TensorType& type, const Tensor& x, const Ints& size, const Ints& axes) {
    if (size.size() == 0) return x;
    const Ints cropped =
        axes.is_none() ? last_axes(static_cast<std::int64_t>(size.size()), x.rank()) : axes;
    const auto named = check_unique_axes(name, cropped, x.shape());
    Index start, stop;
    for (const std::size_t axis : named) {
      start.push_back((x.shape()[axis] - type.shape[axis]) / 2);
      stop.push_back(start.back() + type.shape[axis]);
    }
    return slice(x, start, stop, none, named);
  }
};

}  // namespace

constinit const Op center_crop_op = op_of<CenterCrop>();

Tensor center_crop(const Tensor& x, const Ints& size, const Ints& axes) {
  return build<CenterCrop>(x, size, axes);
}

Tensor Tensor::center_crop(const Ints& size, const Ints& axes) const {
  return weft::center_crop(*this, size, axes);
}

}  // namespace weft
