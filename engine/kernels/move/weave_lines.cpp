// SPDX-License-Identifier: Apache-2.0
// The weave_lines kernel: groups of a few bytes of two sources, of which each moves on in its own
// way, by one permutation of a line of each and one store; where the machine permutes lines.
#include <algorithm>
#include <cstdlib>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/instruction_set.h>
#include <weft/engine/kernels/kernel.h>
#include <weft/engine/kernels/move/lanes.h>
#include <weft/engine/kernels/move/weave_lines.h>
#if WEFT_PERMUTES_LINES
#include <weft/engine/kernels/move/by_bytes-inl.h>
#include <weft/engine/kernels/move/weave_lines-inl.h>
// The same, the other way.
#include <weft/engine/kernels/move/by_words-inl.h>
#include <weft/engine/kernels/move/weave_lines-inl.h>
#endif

namespace weft {
namespace {

using namespace weave_lines;

// A store takes as long as so many moves of a piece.
// Those of units that no word has take longer.
constexpr std::int64_t fewest_pieces = 5, fewest_odd_pieces = 3;
// Wider units that lie near are woven as quickly by vectors of both sources.
constexpr std::int64_t narrow_unit = 3;
// Shorter rows share too many lines, each of which is then written twice.
constexpr std::int64_t streamed_row_bytes = 512;
constexpr std::int64_t most_streamed_steps = 4;

void move_bytes(const WeaveLines& weave, std::byte* dst, const std::byte* const* src) {
  const auto& [near, far] = weave.outer;
  for (std::int64_t j = 0; j < far.extent; ++j)
    for (std::int64_t i = 0; i < near.extent; ++i)
      for (std::int64_t g = 0; g < weave.inner.extent; ++g)
        for (std::int64_t b = 0; b < weave.bytes; ++b) {
          const bool s = weave.from.is_still(b);
          dst[j * far.dst + i * near.dst + g * weave.bytes + b] =
              src[s][j * far.src[s] + i * near.src[s] + g * weave.inner.src[s] + weave.from.of(b)];
        }
}

Cost match(const Nest& nest, const Writing&) {
  if (!permutes_lines() || nest.sources != 2 || bytes_of_groups(nest, Loads::several) == 0)
    return no_match;
  // Vectors weave narrow ones sooner where permuting bytes takes several instructions (AVX-512
  // without VBMI, 60 random chains: 0.69 of the time by lines).
  const bool are_better = nest.unit <= narrow_unit && (permutes_bytes() || !nest.has_vector_unit());
  return are_better ? 16 : 45;
}

bool bind(Nest& nest, const Writing& writing, BoundArguments& arguments) {
  const auto weaving = find_weaving(nest);
  if (!weaving) return false;
  const auto rows = take_rows(nest, weaving->at, weaving->bytes);
  if (!rows) return false;
  const auto side = [](const NestLoop& loop) {
    return SharedLoop{loop.extent, loop.dst, loop.src};
  };
  WeaveLines weave{weaving->bytes,
                   {side(rows->outer[0]), side(rows->outer[1])},
                   side(rows->inner),
                   weaving->from,
                   false};
  if (weave.groups_a_store() == 0) return false;
  const std::int64_t stores = weave.stores();
  const std::int64_t fewest = nest.has_vector_unit() ? fewest_pieces : fewest_odd_pieces;
  if (weaving->pieces * weave.inner.extent < fewest * stores) return false;
  const auto is_near = [&](std::int64_t step) {
    return std::abs(step) <= most_streamed_steps * weave.bytes;
  };
  weave.streams = writing.streams_early && is_near(weave.inner.src[0]) &&
                  is_near(weave.inner.src[1]) &&
                  weave.inner.extent * weave.bytes >= streamed_row_bytes;
  nest = rows->left;
  nest.of[0].dst = weaving->dst;
  arguments.keep(weave);
  return true;
}

void run(const BoundArguments& arguments, std::byte* dst, const std::byte* const* src) noexcept {
  const auto& weave = arguments.as<WeaveLines>();
#if WEFT_PERMUTES_LINES
  if (permutes_bytes()) {
    by_bytes::Weaver(weave).run(dst, src[0], src[1]);
  } else if (permutes_lines()) {
    by_words::Weaver(weave).run(dst, src[0], src[1]);
  } else
#endif
    move_bytes(weave, dst, src);
  count_moved(weave.all_bytes(), weave.all_bytes());
}

Traffic traffic(const BoundArguments& arguments) {
  const auto& weave = arguments.as<WeaveLines>();
  return {weave.all_bytes(), weave.all_bytes()};
}

/// Groups stay whole.
Cutting cutting(const Nest& nest) {
  const auto weaving = find_weaving(nest);
  return {weaving->at + 1, weaving->bytes};
}

bool streams(const BoundArguments& arguments) { return arguments.as<WeaveLines>().streams; }

double picoseconds(const BoundArguments& arguments) {
  constexpr double a_store = 2500, a_row = 2500;
  const auto& weave = arguments.as<WeaveLines>();
  return static_cast<double>(weave.rows()) *
         (a_row + a_store * static_cast<double>(weave.stores()));
}

}  // namespace

extern const KernelDefinition weave_lines_kernel;
const KernelDefinition weave_lines_kernel{"weave_lines", joint,   match,   bind,       run,
                                          traffic,       cutting, streams, picoseconds};

}  // namespace weft
