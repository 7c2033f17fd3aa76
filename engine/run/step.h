// SPDX-License-Identifier: Apache-2.0
// A step: a kernel that is bound, ready to run; only pointers are missing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <weft/engine/run/lower.h>
#include <weft/engine/run/pairs.h>

namespace weft {

struct Step {
  static constexpr std::size_t own_output = static_cast<std::size_t>(-1);
  /// A source of several that move alike, and where the first unit of it comes from, in bytes.
  struct Stacked {
    std::size_t source;
    std::int64_t start;
  };

  Bound bound;
  /// Of the plan, in the kernel's order; or what steps before wrote.
  std::array<std::size_t, most_sources> sources;
  std::uint32_t box;               ///< which of the pass's boxes it makes a part of
  bool is_beside = false;          ///< of that, what lies beside its copy
  std::vector<Stacked> stacked{};  ///< instead of `sources`, of more than those

  /// Calls visit(source, start) for each.
  template <class Visit>
  void for_each_source(const Visit& visit) const {
    for (const Stacked& each : stacked) visit(each.source, each.start);
    for (std::size_t s = 0; s < bound.sources && stacked.empty(); ++s)
      visit(sources[s], bound.src[s]);
  }
};

/// The step of several copies that move alike; none where no kernel takes it.
std::optional<Step> step_of_stack(const Piece& piece, std::uint32_t box, std::int64_t element,
                                  const Writing& writing);

/// Calls visit(step) for the steps of a piece: one, or one for each copy where none takes all.
template <class Visit>
void for_each_step_of_piece(const Piece& piece, std::uint32_t box, std::int64_t element,
                            const Writing& writing, const Visit& visit) {
  if (!piece.stacked.empty()) {
    if (auto step = step_of_stack(piece, box, element, writing)) return visit(std::move(*step));
    return for_each_of_stack(piece, [&](const Copy& copy) {
      visit(Step{lower(copy, element, writing), {copy.source, copy.source}, box});
    });
  }
  LoweredPiece lowered = lower(piece, element, writing);
  const std::size_t first = piece.copy.source;
  const std::size_t second = piece.beside ? piece.beside->source : first;
  visit(Step{std::move(lowered.copy), {first, second}, box});
  if (lowered.beside) visit(Step{std::move(*lowered.beside), {second, second}, box, true});
}

/// Runs it on an output and the sources of its plan: the one place where a kernel is started.
/// Nothing is allocated, so that nothing can fail.
inline void run(const Step& step, std::byte* out,
                std::span<const std::byte* const> sources) noexcept {
  static_assert(most_sources == 2);
  const auto source = [&](std::size_t s) { return s == Step::own_output ? out : sources[s]; };
  if (!step.stacked.empty()) {
    std::array<const std::byte*, most_stacked> starts;
    for (std::size_t s = 0; s < step.stacked.size(); ++s)
      starts[s] = source(step.stacked[s].source) + step.stacked[s].start;
    return carry_out(step.bound, out, starts.data());
  }
  const std::byte* const from[] = {source(step.sources[0]), source(step.sources[1])};
  carry_out(step.bound, out, from);
}

}  // namespace weft
