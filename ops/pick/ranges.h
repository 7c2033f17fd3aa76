// SPDX-License-Identifier: Apache-2.0
// NumPy slices with start, stop and step, resolved against a shape: shared by slice and
// slice_scatter.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <weft/graph/ints.h>
#include <weft/graph/op.h>
#include <weft/graph/structural_key.h>

namespace weft {

/// The elements start, start + step, ... (count of them) of one axis; step is 1 where count < 2.
struct AxisRange {
  std::int64_t start, step, count;
};
using AxisRanges = SmallVector<AxisRange, 8>;

/// Whether an op takes numbers, for one axis, beside lists.
enum class Scalars : bool { refused, taken };

/// One range for each axis of `shape`, whole axes where none is named, of parameters that
/// picked_extents() has let pass: lists of any integer type and equal length; `step` none: 1;
/// `axes` none: 0, 1, ... Starts and stops are clamped.
AxisRanges resolve_ranges(std::string_view op, const Ints& start, const Ints& stop,
                          const Ints& step, const Ints& axes, const Shape& shape);

/// The extents that the ranges pick.
Shape picked_shape(const AxisRanges& ranges);

/// The slice, and a copy with it replaced.
Tensor pick_ranges(const Tensor& x, const AxisRanges& ranges);
Tensor write_ranges(const Tensor& data, const Tensor& updates, const AxisRanges& ranges);

/// What is known of the extents that start, stop and step pick of `x`. Throws DtypeError,
/// ParameterError (bad_rank, length_mismatch, zero_step), AxisError, as far as it is certain.
Extents picked_extents(std::string_view op, const Extents& x, const Ints& start, const Ints& stop,
                       const Ints& step, const Ints& axes, Scalars scalars = Scalars::refused);

/// `x` where any of `axes`, or without them of the first `length` (or of all, below 0), may be cut.
Extents cut_somewhere(const Extents& x, std::int64_t length, const Ints& axes);

/// Adds the ranges to a structure.
void add_to(const AxisRanges& ranges, StructuralKey& to);

/// "0:8:2, 3:4".
std::string to_string(const AxisRanges& ranges);

}  // namespace weft
