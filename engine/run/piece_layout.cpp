// SPDX-License-Identifier: Apache-2.0
// Choosing the order in which a piece is computed.
#include <weft/engine/run/piece_layout.h>

#include <algorithm>
#include <cstdlib>

namespace weft {
namespace {

// Where so many elements lie alike, moving them is cheap however they go on.
constexpr std::int64_t alike_elements = 16;
// Moving an element costs about as much as so many bytes more; another order is worth it where a
// fifth is saved.
constexpr std::int64_t element_bytes = 4;
// What is read so often is small enough to lie anyhow.
constexpr std::int64_t few_readings = 8;
// Choosing takes longer than it saves of so few elements.
constexpr std::int64_t few_elements = 512;

}  // namespace

PieceLayout::PieceLayout(const JointBox& box) : box_(&box) {
  for (std::size_t loop = 0; loop < box.loops.size(); ++loop)
    loops_.push_back({loop, 1, box.loops[loop].stride});
}

PieceLayout::PieceLayout(const JointBox& box, std::span<const std::int64_t> bytes,
                         std::int64_t element)
    : PieceLayout(box) {
  if (count() < few_elements) return;
  std::int64_t least = moved(bytes, element);
  for (std::size_t operand = 0; operand < bytes.size() && least > 0; ++operand) {
    PieceLayout other = *this;
    if (!other.lie_as(operand)) continue;
    const std::int64_t others = other.moved(bytes, element);
    if (5 * others > 4 * least) continue;
    least = others;
    *this = other;
  }
}

bool PieceLayout::is_of_result() const {
  for (std::size_t i = 0; i < size(); ++i)
    if (stride(i) != out(i)) return false;
  return true;
}

std::int64_t PieceLayout::first_out() const {
  std::int64_t first = box_->offset;
  for (const Laid& laid : loops_)
    if (laid.sign < 0) first += (box_->loops[laid.loop].extent - 1) * box_->loops[laid.loop].stride;
  return first;
}

std::int64_t PieceLayout::first(std::size_t operand) const {
  std::int64_t first = box_->first[operand];
  for (const Laid& laid : loops_) {
    const JointLoop& loop = box_->loops[laid.loop];
    if (laid.sign < 0) first += (loop.extent - 1) * loop.steps[operand].step;
  }
  return first;
}

std::int64_t PieceLayout::distinct(std::size_t operand) const {
  std::int64_t distinct = 1;
  for (std::size_t i = 0; i < size(); ++i)
    if (step(i, operand) != 0) distinct *= extent(i);
  return distinct;
}

bool PieceLayout::is_small(std::size_t operand) const {
  return distinct(operand) * few_readings < count();
}

bool PieceLayout::lie_as(std::size_t operand) {
  for (Laid& laid : loops_) {
    const std::int64_t step = box_->loops[laid.loop].steps[operand].step;
    if (step == 0) return false;
    laid.sign = step < 0 ? -1 : 1;
    laid.stride = std::abs(step);
  }
  std::sort(loops_.begin(), loops_.end(),
            [](const Laid& a, const Laid& b) { return a.stride > b.stride; });
  return loops_.size() > 0 && loops_.back().stride == 1;
}

template <class Step>
bool PieceLayout::matches(const Step& step) const {
  std::int64_t alike = 1;
  for (std::size_t i = size(); i-- > 0 && alike < alike_elements; alike *= extent(i))
    if (step(i) != stride(i)) return false;
  return true;
}

/// What would have to be moved, an element.
std::int64_t PieceLayout::moved(std::span<const std::int64_t> bytes, std::int64_t element) const {
  std::int64_t moved = matches([&](std::size_t i) { return out(i); }) ? 0 : element + element_bytes;
  for (std::size_t k = 0; k < bytes.size(); ++k)
    if (!is_small(k) && !matches([&](std::size_t i) { return step(i, k); }))
      moved += bytes[k] + element_bytes;
  return moved;
}

}  // namespace weft
