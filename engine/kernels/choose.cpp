// SPDX-License-Identifier: Apache-2.0
// Choosing a kernel for a nest and carrying it out.
#include <algorithm>

#include <weft/engine/kernels/counting.h>
#include <weft/engine/kernels/kernel.h>

namespace weft {
namespace {

bool bind_looked(const KernelDefinition& kernel, Nest& nest, const Writing& writing, Bound& bound) {
  const std::int64_t unit = nest.unit;
  if (!kernel.bind(nest, writing, bound.arguments)) return false;
  bound.kernel = &kernel;
  bound.element = nest.element;
  bound.unit = unit;
  bound.sources = nest.sources;
  bound.dst = nest.of[0].dst;
  for (std::size_t s = 0; s < most_sources; ++s) bound.src[s] = nest.of[s].src;
  if (nest.loops.empty()) return true;
  nest.put_repetitions_innermost();
  bound.around = Bound::Around(std::span<const NestLoop>(nest.loops));
  return true;
}

}  // namespace

bool bind(const KernelDefinition& kernel, Nest& nest, const Writing& writing, Bound& bound) {
  nest.look();
  return bind_looked(kernel, nest, writing, bound);
}

/// `kernel_table()` is made by the build of the definitions in `move/`.
bool bind_cheapest(Nest& nest, const Writing& writing, Bound& bound) {
  const Form form = nest.look();
  // Few kernels decline, so the others are asked again then; no two cost the same.
  for (Cost declined = -1;;) {
    const KernelDefinition* cheapest = nullptr;
    Cost least = no_match;
    for (const KernelDefinition* kernel : kernel_table()) {
      if (!(kernel->forms & form)) continue;
      const Cost cost = kernel->match(nest, writing);
      if (cost > declined && cost < least) least = cost, cheapest = kernel;
    }
    if (!cheapest) return false;
    if (bind_looked(*cheapest, nest, writing, bound)) {
      bound.cost = least;
      return true;
    }
    declined = least;
  }
}

std::optional<Cutting> cutting_of(Nest nest) {
  Nest whole = nest;
  Bound bound;
  if (!bind_cheapest(nest, {}, bound)) return std::nullopt;
  whole.look();
  return bound.kernel->cutting ? bound.kernel->cutting(whole) : Cutting{};
}

Traffic Bound::traffic() const {
  const Traffic one_run = kernel->traffic(arguments);
  return {runs() * one_run.read, runs() * one_run.written};
}

double Bound::picoseconds(bool is_large) const {
  constexpr double call = 8000;
  if (kernel->picoseconds)
    return static_cast<double>(runs()) * (call + kernel->picoseconds(arguments));
  const auto of_unit = [&](double all) { return all / static_cast<double>(unit); };
  // Units of parts of vectors begin and end within lines.
  constexpr double ragged = 25;
  const double beyond = unit > 16 && unit % 32 != 0 ? ragged : 0;
  const double alone = beyond + of_unit(!is_large                       ? 400
                                        : cost >= unit_by_unit_in_order ? 800
                                                                        : 2000);
  const double of_byte = cost >= unit_by_unit ? alone
                         : cost > chosen_last ? of_unit(280)
                                              : std::min<double>(cost, alone);
  return of_byte * static_cast<double>(traffic().written) + call * static_cast<double>(runs());
}

namespace {

template <std::size_t Sources>
using Pointers = std::array<const std::byte*, Sources>;

/// From loop k on.
template <std::size_t Sources>
void run_from(const Bound& bound, std::size_t k, std::byte* dst, Pointers<Sources> src) noexcept {
  if (k == bound.around.size()) {
    const CountedRun counted(bound.kernel->name);
    return bound.kernel->run(bound.arguments, dst, src.data());
  }
  const NestLoop& loop = bound.around[k];
  for (std::int64_t i = 0; i < loop.extent; ++i) {
    Pointers<Sources> from = src;
    if (loop.src_table) from[0] += loop.src_table[i] * bound.element;
    else
      for (std::size_t s = 0; s < Sources; ++s) from[s] += i * loop.src[s];
    run_from<Sources>(bound, k + 1,
                      dst + (loop.dst_table ? loop.dst_table[i] * bound.element : i * loop.dst),
                      from);
  }
}

/// Of sources that move alike, from loop k on: `moved` bytes are behind each.
void run_alike(const Bound& bound, std::size_t k, std::byte* dst, std::int64_t moved,
               const std::byte* const* src) noexcept {
  if (k == bound.around.size()) {
    Pointers<most_stacked> from;
    for (std::size_t s = 0; s < bound.sources; ++s) from[s] = src[s] + moved;
    const CountedRun counted(bound.kernel->name);
    return bound.kernel->run(bound.arguments, dst, from.data());
  }
  const NestLoop& loop = bound.around[k];
  for (std::int64_t i = 0; i < loop.extent; ++i)
    run_alike(bound, k + 1, dst + i * loop.dst, moved + i * loop.src[0], src);
}

}  // namespace

void carry_out(const Bound& bound, std::byte* dst, const std::byte* const* src) noexcept {
  dst += bound.dst;
  if (bound.sources > most_sources) return run_alike(bound, 0, dst, 0, src);
  if (bound.sources == 1) return run_from<1>(bound, 0, dst, {src[0] + bound.src[0]});
  static_assert(most_sources == 2);
  run_from<2>(bound, 0, dst, {src[0] + bound.src[0], src[1] + bound.src[1]});
}

}  // namespace weft
