// SPDX-License-Identifier: Apache-2.0
// Lowering: copies become nests, and each nest is bound to a kernel.
#pragma once

#include <optional>

#include <weft/engine/kernels/kernel.h>
#include <weft/engine/run/pairs.h>
#include <weft/graph/plan/plan.h>

namespace weft {

/// How a piece is carried out, again and again: a kernel and the loops around it. It refers to the
/// tables of the plan, and to nothing else.
struct LoweredPiece {
  Bound copy;                     ///< its copy, or both as one
  std::optional<Bound> beside{};  ///< what lies beside it, where that goes alone
};

/// A copy of elements of so many bytes as a nest.
Nest nest_of(const Copy& copy, std::int64_t element);
/// A copy, or several that move alike.
Nest nest_of_stack(const Piece& stack, std::int64_t element);
/// Two copies as one, by the loops that they share; none where they share none, or step by tables
/// but for what each has of a row.
std::optional<Nest> joint_nest_of(const Copy& copy, const Copy& beside, std::int64_t element);

/// `element` is the element size in bytes.
void lower(const Copy& copy, std::int64_t element, const Writing& writing, Bound& to);
Bound lower(const Copy& copy, std::int64_t element, const Writing& writing = {});
/// Of a piece that is no stack.
LoweredPiece lower(const Piece& piece, std::int64_t element, const Writing& writing = {});

/// Carries a piece out: its copy reads `src`, what lies beside it `beside`. Nothing is allocated,
/// so that nothing can fail.
void carry_out(const LoweredPiece& lowered, std::byte* out, const std::byte* src,
               const std::byte* beside = nullptr) noexcept;
inline void carry_out(const Bound& lowered, std::byte* out, const std::byte* src) noexcept {
  carry_out(lowered, out, &src);
}

}  // namespace weft
