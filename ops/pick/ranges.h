// SPDX-License-Identifier: Apache-2.0
// NumPy slices with start, stop and step, resolved against a shape: shared by slice and
// slice_scatter.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <weft/graph/ints.h>
#include <weft/graph/op.h>
#include <weft/graph/structure.h>

namespace weft {

/// The elements start, start + step, ... (count of them) of one axis; step is 1 where count < 2.
struct AxisRange {
  std::int64_t start, step, count;
};
using AxisRanges = SmallVector<AxisRange, 8>;

/// Whether an op takes numbers, for one axis, beside lists.
enum class Scalars : bool { refused, taken };

/// One range for each axis of `shape`, whole axes where none is named. The lists are of any integer
/// type and equal length; `step` none: 1; `axes` none: 0, 1, ... Starts and stops are clamped.
/// Throws DtypeError, ParameterError (bad_rank, length_mismatch, zero_step), AxisError.
AxisRanges resolve_ranges(std::string_view op, const Ints& start, const Ints& stop,
                          const Ints& step, const Ints& axes, const Shape& shape,
                          Scalars scalars = Scalars::refused);

/// The extents that the ranges pick.
Shape picked_shape(const AxisRanges& ranges);

/// What is known of them where `x` or the parameters (start, stop, step, axes) are known in part.
/// Throws what resolve_ranges() does where all parameters are known, and the rank of x.
PartialShape picked_shape(std::string_view op, const PartialShape& x, const Arguments& arguments,
                          Scalars scalars = Scalars::refused);

/// Adds the ranges to a structure.
void add_ranges(const AxisRanges& ranges, Structure& to);

/// "0:8:2, 3:4".
std::string to_string(const AxisRanges& ranges);

}  // namespace weft
