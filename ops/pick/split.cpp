// SPDX-License-Identifier: Apache-2.0
// split: what it refuses, and the slices it is.
#include <weft/ops/pick/split.h>

#include <fmt/format.h>

#include <weft/graph/define.h>
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
  check_one("split", "axis", axis);
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
struct Part {
  static constexpr std::string_view name = "split";
  static constexpr const Op& op = split_op;
  static constexpr std::tuple fields{
      operand("x", "what is cut"),
      parameter("lengths", "those of the parts, or how many equal ones there are"),
      parameter("axis", "the axis that is cut", 0), parameter("index", "which of the parts")};

  static KnownType infer(const KnownType& x, const Ints& lengths, const Ints& axis,
                         const Ints& index) {
    check_parameters(lengths, axis);
    check_one(name, "index", index);
    if (!x.shape.has_rank()) return x;
    KnownType part = x;
    if (axis.is_open()) {  // any axis may be cut
      for (std::size_t k = 0; k < x.shape.rank(); ++k)
        part.shape.set(k, Extent(0, x.shape[k].high));
      return part;
    }
    const std::size_t cut = check_axis(name, axis, 0, x.shape);
    if (!lengths.is_open()) check_lengths(lengths);
    part.shape.set(cut, is_any_open(lengths, index) ? Extent(0, x.shape[cut].high)
                                                    : extent_of(x.shape[cut], lengths, cut, index));
    return part;
  }

  /// What is known of its length.
  static Extent extent_of(const Extent& extent, const Ints& lengths, std::size_t axis,
                          const Ints& index) {
    const std::size_t k = check_index(lengths, index);
    if (extent.is_known()) check_extent(lengths, axis, extent.low);
    if (!is_number_of_parts(lengths)) return lengths[k];
    if (lengths[0] == 1) return extent;
    return extent / lengths[0];
  }

  static Tensor make(const TensorType& type, const Tensor& x, const Ints& lengths, const Ints& axis,
                     const Ints& index) {
    const std::size_t cut = check_axis(name, axis, 0, x.shape());
    const std::int64_t length = type.shape[cut];
    std::int64_t begin = 0;
    if (is_number_of_parts(lengths)) begin = index[0] * length;
    else
      for (std::int64_t before = 0; before < index[0]; ++before)
        begin += lengths[static_cast<std::size_t>(before)];
    return slice(x, {begin}, {begin + length}, none, {cut});
  }
};

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

constinit const Op split_op = op_of<Part>();

Results split(const Tensor& x, const Ints& lengths, const Ints& axis) {
  std::vector<Tensor> parts;
  if (is_any_open(split_op, x, lengths, axis)) {
    const std::int64_t count = known_part_count(lengths);
    for (std::int64_t k = 0; k < count; ++k)
      parts.push_back(build<Part>(x, lengths, axis, Ints(k)));
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
