// SPDX-License-Identifier: Apache-2.0
// Lowering: which kernel carries a copy out, and which loops are left around it.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include <weft/engine/kernels/move/kernels.h>
#include <weft/engine/run/pairs.h>
#include <weft/graph/plan/plan.h>

namespace weft {

struct Lowered {
  std::string_view name;  ///< of the kernel, for people
  Kernel kernel;
  Tile tile;
  SmallVector<Loop, 6> around;  ///< loops the kernel does not cover, outermost first
  /// Where the kernel starts beside the copy's first element, in bytes: a loop may run backwards.
  std::int64_t dst_start = 0, src_start = 0;
  std::shared_ptr<const ShuffledBytes> from{};  ///< of the tile
};

/// How a copy is to be written.
struct Writing {
  bool streams = false;        ///< past the caches where the kernel can
  bool streams_early = false;  ///< where it can and reads and writes in order
  bool is_vast = false;        ///< the whole output is larger than the last cache keeps
  bool owns_gaps = false;      ///< nobody else writes between the first and the last element
};

/// How a piece is carried out.
struct LoweredPiece {
  Lowered copy;  ///< its copy, or both that make groups; around a weave the loops
  std::optional<Lowered> beside{};  ///< what lies beside it, where that goes alone
  std::optional<Weave> weave{};     ///< both as one
};

/// `element` is the element size in bytes.
Lowered lower(const Copy& copy, std::int64_t element, const Writing& writing = {});
LoweredPiece lower(const Piece& piece, std::int64_t element, const Writing& writing);

/// Carries a lowered copy out. Nothing is allocated, so that nothing can fail.
void carry_out(const Copy& copy, const Lowered& lowered, std::int64_t element, std::byte* out,
               const std::byte* src) noexcept;

/// The same for a piece: its copy reads `src`, what lies beside it `beside`.
void carry_out(const Piece& piece, const LoweredPiece& lowered, std::int64_t element,
               std::byte* out, const std::byte* src, const std::byte* beside) noexcept;

}  // namespace weft
