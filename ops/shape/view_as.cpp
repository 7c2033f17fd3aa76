// SPDX-License-Identifier: Apache-2.0
// view_as: what it refuses, and the elements that hold the same bytes.
#include <weft/ops/shape/view_as.h>

#include <fmt/format.h>
#include <limits>

#include <weft/graph/define.h>
#include <weft/graph/map/box.h>

namespace weft {
namespace {

void check_types(DType from, DType to) {
  if (to == bool_ && from != bool_)
    throw DtypeError(
        fmt::format("view_as: dtype is bool, of which an element is 0 or 1 alone, "
                    "expected another for x of {}",
                    from.name()));
  if (to.size() < from.size() && from.size() % to.size() != 0)
    throw DtypeError(
        fmt::format("view_as: dtype {} has {} bytes, expected a divisor of the {} of "
                    "x, {}, or more than those",
                    to.name(), to.size(), from.size(), from.name()));
}

/// The last axis of x in elements of `to`, of a size that differs.
Extent viewed(const KnownType& x, DType to) {
  const DType from = x.dtype;
  const Extent& last = x.shape[x.shape.rank() - 1];
  if (to.size() < from.size()) {
    const std::int64_t parts = from.size() / to.size();
    if (last.is_known() && last.low > std::numeric_limits<std::int64_t>::max() / parts)
      throw OverflowError(fmt::format("view_as: the last axis of shape {} would be beyond int64",
                                      to_string(x.shape)));
    return last * parts;
  }
  if (!last.is_known()) return Extent(0, last.high);
  // Beside an extent of 0 the bytes of the axis may be beyond int64. Whole groups of `to` elements
  // make `from` new ones each; sizes are below 2^32, so the rest has bytes that can be counted.
  const std::int64_t groups = last.low / to.size();
  const auto rest =
      static_cast<std::uint64_t>(last.low % to.size()) * static_cast<std::uint64_t>(from.size());
  const auto size = static_cast<std::uint64_t>(to.size());
  if (rest % size != 0)
    throw ShapeError(
        fmt::format("view_as: the last axis of x, of shape {}, has {} elements of {} "
                    "bytes, expected a multiple of the {} of dtype {}",
                    to_string(x.shape), last.low, from.size(), to.size(), to.name()));
  return groups * from.size() + static_cast<std::int64_t>(rest / size);
}

struct ViewAs {
  std::string dtype;  // its name
  Shape source;
  std::int64_t from, to;  // bytes of an element of the operand, and of the result

  static constexpr std::string_view name = "view_as";
  static constexpr const Op& op = view_as_op;
  static constexpr bool keeps_order = true;
  static constexpr std::tuple fields{operand("x", "what is seen otherwise"),
                                     shown("dtype", &ViewAs::dtype, "the element type to see"),
                                     derived(&ViewAs::source), derived(&ViewAs::from),
                                     derived(&ViewAs::to)};

  static KnownType infer(const KnownType& x, const DType& dtype) {
    check_types(x.dtype, dtype);
    KnownType result{dtype, x.shape};
    if (dtype.size() == x.dtype.size() || !x.shape.has_rank()) return result;
    if (x.shape.rank() == 0)
      throw ShapeError(
          fmt::format("view_as: x is a scalar of {}, expected dtype {} to have {} bytes "
                      "as well, not {}",
                      x.dtype.name(), dtype.name(), x.dtype.size(), dtype.size()));
    result.shape.set(x.shape.rank() - 1, viewed(x, dtype));
    return result;
  }

  static Tensor make(TensorType type, const Tensor& x, const DType& dtype) {
    if (dtype == x.dtype()) return x;
    return tensor_of(ViewAs{dtype.name(), x.shape(), x.dtype().size(), dtype.size()},
                     std::move(type), x);
  }

  // Where sizes differ an element is no box of elements: who carries order through asks for parts.
  void pull_back(const Shape&, const Box& box, PullBack& asked) const {
    if (to == from) asked.add(0, box);
  }

  /// The element that holds the first byte.
  std::size_t trace(const Shape& shape, Index& index) const {
    index = unravel_index(linear_index(index, shape) * to / from, source);
    return 0;
  }
};

}  // namespace

constinit const Op view_as_op = op_of<ViewAs>();

Tensor view_as(const Tensor& x, DType dtype) { return build<ViewAs>(x, dtype); }

Tensor Tensor::view_as(DType dtype) const { return weft::view_as(*this, dtype); }

}  // namespace weft
