// SPDX-License-Identifier: Apache-2.0
// narrow: what it refuses, and the slice it is.
#include <weft/ops/pick/narrow.h>

#include <fmt/format.h>

#include <weft/graph/op.h>
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

PartialShape infer(const Arguments& arguments) {
  PartialShape x = arguments.operands[0].partial_shape();
  const Ints &axis = arguments.ints(0), &start = arguments.ints(1), &length = arguments.ints(2);
  if (!x.has_rank()) return x;
  if (axis.is_open()) {  // any axis may be cut
    for (std::size_t k = 0; k < x.rank(); ++k) x[k] = Dim(0, x[k].high());
    return x;
  }
  check_single("narrow", "axis", axis);
  const std::size_t cut = check_axis("narrow", axis, 0, x.lowest());
  if (x[cut].is_known() && !is_any_open(start, length)) first_of(start, length, cut, x[cut].low());
  const bool is_known = !length.is_open() && length.size() == 1 && length[0] >= 0;
  x[cut] = is_known ? Dim(length[0]) : Dim(0, x[cut].high());
  return x;
}

}  // namespace

const Op narrow_op{"narrow", {"x"}, {"axis", "start", "length"}, call<weft::narrow>, infer};

Tensor narrow(const Tensor& x, const Ints& axis, const Ints& start, const Ints& length) {
  if (is_any_open(narrow_op, x, axis, start, length))
    return defer(narrow_op, {{x}, {axis, start, length}});
  check_singles("narrow", {{"axis", axis}, {"start", start}, {"length", length}});
  const std::size_t cut = check_axis("narrow", axis, 0, x.shape());
  const std::int64_t first = first_of(start, length, cut, x.shape()[cut]);
  return slice(x, {first}, {first + length[0]}, none, {cut});
}

Tensor Tensor::narrow(const Ints& axis, const Ints& start, const Ints& length) const {
  return weft::narrow(*this, axis, start, length);
}

}  // namespace weft
