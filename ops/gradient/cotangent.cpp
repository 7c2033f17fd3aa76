// SPDX-License-Identifier: Apache-2.0
// The sum of cotangents, and which of them are slices that do not meet.
#include <weft/ops/gradient/cotangent.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include <weft/graph/kinds.h>
#include <weft/ops/grow/broadcast_to.h>

namespace weft {
namespace {

/// Memory of the zeros that in_zeros() makes, which are known by it: zeros of others may be a
/// variable, or what a program is given that is zero once.
const Storage& zero_memory() {
  struct alignas(16) Zeros {
    std::array<std::byte, 16> bytes{};
  };
  static const Storage memory = [] {
    const auto zeros = std::make_shared<Zeros>();
    return Storage(zeros, zeros->bytes.data());
  }();
  return memory;
}

bool is_zeros(const NodePtr& node) {
  if (node->is_stored()) return node->value() == zero_memory();
  const std::optional<NodeInputs> inputs = node->inputs();
  return inputs && inputs->size() == 1 && node->operation().as<Movement>() &&
         (*inputs)[0]->is_stored() && is_zeros((*inputs)[0]);
}

struct Slice {
  AxisRanges ranges;
  Tensor elements;
};

/// What zeros that a slice was written to are.
std::optional<Slice> slice_in_zeros(const Tensor& tensor) {
  const auto* const movement = tensor.node().operation().as<Movement>();
  Index start, step;
  if (!movement || !movement->replaces(start, step)) return {};
  const std::optional<NodeInputs> inputs = tensor.node().inputs();
  if (!inputs || !is_zeros((*inputs)[0])) return {};
  Slice slice{{}, Tensor((*inputs)[1])};
  for (std::size_t axis = 0; axis < start.size(); ++axis)
    slice.ranges.push_back({start[axis], step[axis], slice.elements.shape()[axis]});
  return slice;
}

/// The lowest position, and the highest.
std::pair<std::int64_t, std::int64_t> ends(const AxisRange& range) {
  return std::minmax(range.start, range.start + (range.count - 1) * range.step);
}

bool are_apart(const AxisRange& a, const AxisRange& b) {
  const auto [low, high] = ends(a);
  const auto [other_low, other_high] = ends(b);
  return high < other_low || other_high < low ||
         (a.step == b.step && (other_low - low) % a.step != 0);
}

bool are_apart(const AxisRanges& a, const AxisRanges& b) {
  for (std::size_t axis = 0; axis < a.size(); ++axis)
    if (are_apart(a[axis], b[axis])) return true;
  return false;
}

Tensor sum_of(const Tensor& x, const Tensor& y) { return x.has_value() ? x.add(y) : y; }

}  // namespace

Tensor in_zeros(const Tensor& x, const Tensor& cotangent, const AxisRanges& ranges) {
  const Tensor zero = make_tensor<Stored>(x.dtype(), Shape{}, zero_memory());
  return write_ranges(zero.broadcast_to(x.shape()), cotangent, ranges);
}

void Cotangent::add(const Tensor& part) {
  std::optional<Slice> slice = slice_in_zeros(part);
  if (!slice) return void(sum_ = sum_of(sum_, part));
  const bool meets = !std::all_of(ranges_.begin(), ranges_.end(), [&](const AxisRanges& ranges) {
    return are_apart(ranges, slice->ranges);
  });
  if (meets) {
    sum_ = sum_of(sum_, std::exchange(slices_, {}));
    ranges_.clear();
  }
  slices_ = slices_.has_value() ? write_ranges(slices_, slice->elements, slice->ranges) : part;
  ranges_.push_back(std::move(slice->ranges));
}

Tensor Cotangent::total() const { return slices_.has_value() ? sum_of(sum_, slices_) : sum_; }

}  // namespace weft
