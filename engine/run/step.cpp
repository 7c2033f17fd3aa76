// SPDX-License-Identifier: Apache-2.0
// Steps: a piece with its kernel.
#include <weft/engine/run/step.h>

#include <utility>

namespace weft {

Step make_step(Piece piece, std::uint32_t box, std::int64_t element, const Writing& writing) {
  LoweredPiece lowered = lower(piece, element, writing);
  return {std::move(piece), std::move(lowered), box};
}

}  // namespace weft
