// SPDX-License-Identifier: Apache-2.0
// split: what it refuses, and the slices it is.
#include <weft/ops/pick/split.h>

#include <fmt/format.h>

#include <weft/graph/op.h>
#include <weft/ops/pick/slice.h>

namespace weft {
namespace {

bool is_number_of_parts(const Ints& lengths) { return lengths.rank() == 0; }

std::int64_t part_count(const Ints& lengths) {
  return is_number_of_parts(lengths) ? lengths[0] : static_cast<std::int64_t>(lengths.size());
}

std::int64_t part_length(const Ints& lengths, std::size_t k, std::int64_t extent) {
  return is_number_of_parts(lengths) ? extent / lengths[0] : lengths[k];
}

/// Types, ranks and lengths of the parameters.
void check_parameters(const Ints& lengths, const Ints& axis) {
  check_integer("split", "lengths", lengths);
  check_integer("split", "axis", axis);
  check_scalar_or_list("split", "lengths", lengths);
  check_scalar_or_list("split", "axis", axis);
  check_single("split", "axis", axis);
}

/// What can be wrong with the lengths of any axis.
void check_lengths(const Ints& lengths) {
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    if (is_number_of_parts(lengths) && lengths[k] < 1)
      throw ShapeError(fmt::format("split: {} parts, expected 1 or more", lengths[k]));
    if (lengths[k] < 0)
      throw ShapeError(fmt::format("split: length {} in lengths {}, expected 0 or more", lengths[k],
                                   lengths.text()));
  }
  if (is_number_of_parts(lengths) && lengths[0] > most_parts)
    throw OverflowError(
        fmt::format("split: {} parts, at most {} are allowed", lengths.text(), most_parts));
}

void check_extent(const Ints& lengths, std::size_t axis, std::int64_t extent) {
  if (is_number_of_parts(lengths)) {
    if (extent % lengths[0] != 0)
      throw ShapeError(fmt::format("split: {} equal parts do not make the extent {} of axis {}",
                                   lengths.text(), extent, axis));
    return;
  }
  std::int64_t left = extent;
  for (std::size_t k = 0; k < lengths.size() && left >= 0; ++k) left -= lengths[k];
  if (left != 0)
    throw ShapeError(fmt::format("split: lengths {} do not sum to the extent {} of axis {}",
                                 lengths.text(), extent, axis));
}

std::size_t check_index(const Ints& lengths, const Ints& index) {
  if (index[0] < 0 || index[0] >= part_count(lengths))
    throw IndexError(fmt::format("split: index {} is out of range for {} parts", index.text(0),
                                 part_count(lengths)));
  return static_cast<std::size_t>(index[0]);
}

/// One part, found without the others.
Tensor part(const Tensor& x, const Ints& lengths, const Ints& axis, const Ints& index) {
  if (is_any_open(split_op, x, lengths, axis, index))
    return defer(split_op, {{x}, {lengths, axis, index}});
  check_parameters(lengths, axis);
  check_single("split", "index", index);
  const std::size_t cut = check_axis("split", axis, 0, x.shape());
  const std::int64_t extent = x.shape()[cut];
  check_lengths(lengths);
  const std::size_t k = check_index(lengths, index);
  check_extent(lengths, cut, extent);
  const std::int64_t length = part_length(lengths, k, extent);
  std::int64_t begin = 0;
  if (is_number_of_parts(lengths)) begin = index[0] * length;
  else
    for (std::size_t before = 0; before < k; ++before) begin += lengths[before];
  return slice(x, {begin}, {begin + length}, none, {cut});
}

/// What is known of the length of one part.
Dim part_extent(const Dim& extent, const Ints& lengths, std::size_t axis, const Ints& index) {
  check_lengths(lengths);
  const std::size_t k = check_index(lengths, index);
  if (extent.is_known()) check_extent(lengths, axis, extent.low());
  if (!is_number_of_parts(lengths)) return Dim(lengths[k]);
  if (lengths[0] == 1) return extent;
  const bool is_bounded = extent.high() != Dim::unbounded;
  return Dim(extent.low() / lengths[0], is_bounded ? extent.high() / lengths[0] : Dim::unbounded);
}

PartialShape infer(const Arguments& arguments) {
  PartialShape x = arguments.operands[0].partial_shape();
  const Ints &lengths = arguments.ints(0), &axis = arguments.ints(1), &index = arguments.ints(2);
  if (!x.has_rank()) return x;
  if (axis.is_open()) {  // any axis may be cut
    for (std::size_t k = 0; k < x.rank(); ++k) x[k] = Dim(0, x[k].high());
    return x;
  }
  check_single("split", "axis", axis);
  const std::size_t cut = check_axis("split", axis, 0, x.lowest());
  x[cut] = is_any_open(lengths, index) ? Dim(0, x[cut].high())
                                       : part_extent(x[cut], lengths, cut, index);
  return x;
}

/// How many parts an open tensor, or one by open lengths, is cut into.
std::int64_t known_part_count(const Ints& lengths) {
  if (!lengths.is_open()) {
    check_integer("split", "lengths", lengths);
    check_scalar_or_list("split", "lengths", lengths);
    check_lengths(lengths);
    return part_count(lengths);
  }
  const std::int64_t count = lengths.rank() == 1 ? known_length(lengths) : -1;
  if (count < 0) throw OpenError("split: how many parts lengths make depends on a placeholder");
  return count;
}

}  // namespace

const Op split_op{"split", {"x"}, {"lengths", "axis", "index"}, call<part>, infer};

Results split(const Tensor& x, const Ints& lengths, const Ints& axis) {
  std::vector<Tensor> parts;
  if (is_any_open(split_op, x, lengths, axis)) {
    const std::int64_t count = known_part_count(lengths);
    for (std::int64_t k = 0; k < count; ++k) parts.push_back(part(x, lengths, axis, k));
    return parts;
  }
  check_parameters(lengths, axis);
  const std::size_t cut = check_axis("split", axis, 0, x.shape());
  check_lengths(lengths);
  check_extent(lengths, cut, x.shape()[cut]);
  const std::size_t count = static_cast<std::size_t>(part_count(lengths));
  std::int64_t begin = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::int64_t end = begin + part_length(lengths, k, x.shape()[cut]);
    parts.push_back(slice(x, {begin}, {end}, none, {cut}));
    begin = end;
  }
  return parts;
}

Results Tensor::split(const Ints& lengths, const Ints& axis) const {
  return weft::split(*this, lengths, axis);
}

}  // namespace weft
