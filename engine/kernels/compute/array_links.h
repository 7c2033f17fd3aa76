// SPDX-License-Identifier: Apache-2.0
// Links that call plain functions of arrays: steps of programs that are compiled like any other
// code, once for all instruction sets.
#pragma once

#include <cstddef>

#include <weft/engine/kernels/compute/link.h>

namespace weft {

/// Arrays are of multiples of so many elements.
inline constexpr std::size_t array_unit = 8;

/// Computes `count` elements of each operand, as lanes of one kind, side by side in memory. What
/// makes bools makes lanes of 0 or 1, unsigned ones as wide as the operands', 32 bits at most.
using ArrayFunction = void (*)(const void* const* operands, void* out, std::size_t count) noexcept;

/// A function as the `run` of a link that is none, but where the one before it finds the function,
/// and, as its first place, how many operands that has.
inline Link::Run as_run(ArrayFunction function) { return reinterpret_cast<Link::Run>(function); }
inline constexpr std::size_t most_arrays = 3;

/// Links that call what the next one holds, for all kinds of lanes.
const LinkTable& array_links(bool makes_bool);

}  // namespace weft
