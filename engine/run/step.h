// SPDX-License-Identifier: Apache-2.0
// A step: one kernel with the loops left around it, ready to run; only pointers are missing.
#pragma once

#include <cstdint>
#include <span>

#include <weft/engine/run/lower.h>
#include <weft/engine/run/pairs.h>

namespace weft {

struct Step {
  Piece piece;
  LoweredPiece lowered;
  std::uint32_t box;  ///< which of the pass's boxes it makes a part of
};

Step make_step(Piece piece, std::uint32_t box, std::int64_t element, const Writing& writing);

/// Runs it on an output and the sources of its plan. Nothing is allocated, so that nothing can
/// fail.
inline void run(const Step& step, std::int64_t element, std::byte* out,
                std::span<const std::byte* const> sources) noexcept {
  const Piece& piece = step.piece;
  carry_out(piece, step.lowered, element, out, sources[piece.copy.source],
            piece.beside ? sources[piece.beside->source] : nullptr);
}

}  // namespace weft
