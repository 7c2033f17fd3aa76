// SPDX-License-Identifier: Apache-2.0
// Lowering: elements become bytes, and runs units.
#include <weft/engine/run/lower.h>

#include <cassert>

namespace weft {
namespace {

/// Whether the steps of a loop are one unit behind another on both sides.
bool goes_on(const Loop& loop, std::int64_t elements) {
  return loop.out_stride == elements && loop.src_stride == elements && loop.is_plain();
}

}  // namespace

Nest nest_of(const Copy& copy, std::int64_t element) {
  Nest nest;
  std::size_t count = copy.loops.size();
  std::int64_t elements = 1;
  while (count > 0 && goes_on(copy.loops[count - 1], elements))
    elements *= copy.loops[--count].extent;
  nest.element = element;
  nest.unit = elements * element;
  nest.of[0].dst = copy.out_offset * element;
  nest.of[0].src = copy.src_offset * element;
  for (std::size_t k = 0; k < count; ++k) {
    const Loop& loop = copy.loops[k];
    nest.loops.push_back({loop.extent,
                          loop.out_stride * element,
                          {loop.src_stride * element},
                          loop.out_table,
                          loop.src_table});
  }
  return nest;
}

Nest nest_of_stack(const Piece& stack, std::int64_t element) {
  Nest nest = nest_of(stack.copy, element);
  if (stack.stacked.empty()) return nest;
  nest.sources = 1 + stack.stacked.size();
  nest.of[0].src = 0;
  return nest;
}

std::optional<Nest> joint_nest_of(const Copy& copy, const Copy& beside, std::int64_t element) {
  const Copy* const copies[] = {&copy, &beside};
  std::int64_t elements = 1;
  std::size_t ends[] = {copy.loops.size(), beside.loops.size()};
  const auto last = [&](std::size_t s) -> const Loop& { return copies[s]->loops[ends[s] - 1]; };
  while (ends[0] > 0 && ends[1] > 0 && last(0).extent == last(1).extent &&
         goes_on(last(0), elements) && goes_on(last(1), elements)) {
    elements *= last(0).extent;
    --ends[0], --ends[1];
  }
  Nest nest;
  nest.element = element;
  nest.unit = elements * element;
  nest.sources = 2;
  for (std::size_t k = 0; k < ends[0] && k < ends[1]; ++k) {
    const Loop &a = copy.loops[k], &b = beside.loops[k];
    if (a.extent != b.extent || a.out_stride != b.out_stride || !a.is_plain() || !b.is_plain())
      break;
    nest.loops.push_back(
        {a.extent, a.out_stride * element, {a.src_stride * element, b.src_stride * element}});
  }
  for (std::size_t s = 0; s < 2; ++s) {
    Nest::Source& source = nest.of[s];
    source.memory = copies[s]->source;
    source.dst = copies[s]->out_offset * element;
    source.src = copies[s]->src_offset * element;
    for (std::size_t k = nest.loops.size(); k < ends[s]; ++k) {
      const Loop& loop = copies[s]->loops[k];
      if (loop.out_table && loop.src_table && k == nest.loops.size() && k + 1 == ends[s]) {
        source.listed = loop.extent;
        source.dst_table = loop.out_table;
        source.src_table = loop.src_table;
        continue;
      }
      if (!loop.is_plain()) return std::nullopt;
      source.own.push_back({loop.extent, loop.out_stride * element, loop.src_stride * element});
    }
  }
  const bool are_listed = nest.of[0].listed > 0;
  if (are_listed != (nest.of[1].listed > 0) || (nest.loops.empty() && !are_listed))
    return std::nullopt;
  return nest;
}

void lower(const Copy& copy, std::int64_t element, const Writing& writing, Bound& to) {
  Nest nest = nest_of(copy, element);
  bind_cheapest(nest, writing, to);
}

Bound lower(const Copy& copy, std::int64_t element, const Writing& writing) {
  Bound bound;
  lower(copy, element, writing, bound);
  return bound;
}

LoweredPiece lower(const Piece& piece, std::int64_t element, const Writing& writing) {
  assert(piece.stacked.empty());
  if (piece.beside)
    if (auto nest = joint_nest_of(piece.copy, *piece.beside, element))
      if (Bound both; bind_cheapest(*nest, writing, both)) return {both};
  LoweredPiece lowered{lower(piece.copy, element, writing)};
  if (piece.beside) lowered.beside = lower(*piece.beside, element, writing);
  return lowered;
}

void carry_out(const LoweredPiece& lowered, std::byte* out, const std::byte* src,
               const std::byte* beside) noexcept {
  const std::byte* const sources[] = {src, beside};
  carry_out(lowered.copy, out, sources);
  if (lowered.beside) carry_out(*lowered.beside, out, beside);
}

}  // namespace weft
