// SPDX-License-Identifier: Apache-2.0
// tensordot: matrices of axes that meet and axes that stay.
#include <weft/ops/product/tensordot.h>

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <vector>

#include <weft/graph/define.h>
#include <weft/ops/product/products.h>
#include <weft/ops/shape/permute_dims.h>

namespace weft {
namespace {

using Axes = std::vector<std::size_t>;

/// The axes that meet, of each operand.
struct Meeting {
  Axes x, y;
};

Axes others(const Axes& axes, std::size_t rank) {
  Axes left;
  for (std::size_t axis = 0; axis < rank; ++axis)
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) left.push_back(axis);
  return left;
}

struct Tensordot {
  static constexpr std::string_view name = "tensordot";
  static constexpr const Op& op = tensordot_op;
  static constexpr std::tuple fields{
      operand("x", "the left one"), operand("y", "the right one"),
      parameter("axes", "how many meet, or those of x", 2),
      parameter("other_axes", "those of y, where axes lists some of x", none)};

  static KnownType infer(const KnownType& x, const KnownType& y, const Ints& axes,
                         const Ints& other_axes) {
    const DType type = product_type(name, x.dtype, y.dtype);
    check_integer(name, "axes", axes);
    if (other_axes.is_none()) {
      check_one(name, "axes", axes);
    } else {
      check_integer(name, "other_axes", other_axes);
      check_scalar_or_list(name, "axes", axes);
      check_scalar_or_list(name, "other_axes", other_axes);
      const std::int64_t own = known_length(axes), other = known_length(other_axes);
      if (own >= 0 && other >= 0 && own != other)
        throw ParameterError(
            "length_mismatch",
            fmt::format("tensordot: other_axes has {} entries, expected {} as axes "
                        "has",
                        other, own));
    }
    if (axes.is_open() || other_axes.is_open() || !x.shape.has_rank() || !y.shape.has_rank())
      return {type, Extents::any()};
    const Meeting meeting = meeting_of(x.shape, y.shape, axes, other_axes);
    for (std::size_t k = 0; k < meeting.x.size(); ++k)
      check_meet(name, x, meeting.x[k], "elements", y, meeting.y[k], "elements");
    KnownType made{type, {}};
    for (const std::size_t axis : others(meeting.x, x.shape.rank()))
      made.shape.push_back(x.shape[axis]);
    for (const std::size_t axis : others(meeting.y, y.shape.rank()))
      made.shape.push_back(y.shape[axis]);
    return made;
  }

  static Tensor make(const TensorType& type, const Tensor& x, const Tensor& y, const Ints& axes,
                     const Ints& other_axes) {
    const Meeting meeting = meeting_of(x.shape(), y.shape(), axes, other_axes);
    const auto permuted = [](const Tensor& own, Axes first, const Axes& then) {
      first.insert(first.end(), then.begin(), then.end());
      return permute_dims(own, Index(first.begin(), first.end()));
    };
    const auto count = [](const Tensor& own, const Axes& some) {
      return std::accumulate(
          some.begin(), some.end(), std::int64_t{1},
          [&](std::int64_t n, std::size_t axis) { return n * own.shape()[axis]; });
    };
    const Axes rows = others(meeting.x, x.rank()), columns = others(meeting.y, y.rank());
    const std::int64_t inner = count(x, meeting.x);
    return read_as(
        multiply_matrices(name, type.dtype,
                          read_as(permuted(x, rows, meeting.x), {count(x, rows), inner}),
                          read_as(permuted(y, meeting.y, columns), {inner, count(y, columns)})),
        type.shape);
  }

 private:
  static Meeting meeting_of(const Extents& x, const Extents& y, const Ints& axes,
                            const Ints& other_axes) {
    Meeting meeting;
    if (!other_axes.is_none()) {
      for (const std::size_t axis : check_unique_axes(name, axes, x)) meeting.x.push_back(axis);
      for (const std::size_t axis : check_unique_axes(name, other_axes, y))
        meeting.y.push_back(axis);
      return meeting;
    }
    const auto most = static_cast<std::int64_t>(std::min(x.rank(), y.rank()));
    const std::int64_t count = axes[0];
    if (count < 0 || count > most)
      throw ParameterError("bad_value",
                           fmt::format("tensordot: axes is {}, expected 0 to {} ({} and {})", count,
                                       most, to_string(x), to_string(y)));
    for (std::int64_t k = 0; k < count; ++k) {
      meeting.x.push_back(x.rank() - static_cast<std::size_t>(count - k));
      meeting.y.push_back(static_cast<std::size_t>(k));
    }
    return meeting;
  }
};

}  // namespace

constinit const Op tensordot_op = op_of<Tensordot>();

Tensor tensordot(const Tensor& x, const Tensor& y, const Ints& axes, const Ints& other_axes) {
  return build<Tensordot>(x, y, axes, other_axes);
}

Tensor ProductMethods::tensordot(const Tensor& other, const Ints& axes,
                                 const Ints& other_axes) const {
  return weft::tensordot(tensor(), other, axes, other_axes);
}

}  // namespace weft
