// SPDX-License-Identifier: Apache-2.0
// narrow: what it refuses, and the slice it is.
#include <weft/ops/pick/narrow.h>

#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/ops/pick/slice.h>

namespace weft {
namespace {

/// Where the stretch begins, counted from the front.
std::int64_t first_of(const Ints& start, const Ints& length, std::size_t axis,
                      std::int64_t extent) {
  if (start[0] < -extent || start[0] > extent)
    throw IndexError(fmt::format("narrow: start {} is out of range for axis {} of extent {}",
                                 start.text(0), axis, extent));
  const std::int64_t first = start[0] < 0 ? start[0] + extent : start[0];
  if (length[0] < 0 || length[0] > extent - first)
    throw IndexError(
        fmt::format("narrow: length {} from start {} of axis {} of extent {}, expected 0 to {}",
                    length.text(0), start.text(0), axis, extent, extent - first));
  return first;
}

struct Narrow {
  static constexpr std::string_view name = "narrow";
  static constexpr const Op& op = narrow_op;
  static constexpr std::tuple fields{
      operand("x", "what is cut"), parameter("axis", "the axis that is cut"),
      parameter("start", "the first position"), parameter("length", "how many")};

  static KnownType infer(const KnownType& x, const Ints& axis, const Ints& start,
                         const Ints& length) {
    check_singles(name, {{"axis", axis}, {"start", start}, {"length", length}});
    KnownType result = x;
    if (!x.shape.has_rank()) return x;
    if (axis.is_open()) {  // any axis may be cut
      for (std::size_t k = 0; k < x.shape.rank(); ++k)
        result.shape.set(k, Extent(0, x.shape[k].high));
      return result;
    }
    const std::size_t cut = check_axis(name, axis, 0, x.shape);
    const Extent extent = x.shape[cut];
    if (extent.is_known() && !is_any_open(start, length)) first_of(start, length, cut, extent.low);
    const bool is_known = !length.is_open() && length[0] >= 0;
    result.shape.set(cut, is_known ? Extent(length[0]) : Extent(0, extent.high));
    return result;
  }

  static Tensor make(const TensorType&, const Tensor& x, const Ints& axis, const Ints& start,
                     const Ints& length) {
    const std::size_t cut = check_axis(name, axis, 0, x.shape());
    const std::int64_t first = first_of(start, length, cut, x.shape()[cut]);
    return slice(x, {first}, {first + length[0]}, none, {cut});
  }
};

}  // namespace

constinit const Op narrow_op = op_of<Narrow>();

Tensor narrow(const Tensor& x, const Ints& axis, const Ints& start, const Ints& length) {
  return build<Narrow>(x, axis, start, length);
}

Tensor Tensor::narrow(const Ints& axis, const Ints& start, const Ints& length) const {
  return weft::narrow(*this, axis, start, length);
}

}  // namespace weft
