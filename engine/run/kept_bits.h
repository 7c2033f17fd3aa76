// SPDX-License-Identifier: Apache-2.0
// Programs with steps that take elements as they are, though loading would make them anew: those of
// bool, f16 and bf16.
#pragma once

#include <weft/graph/plan/plan.h>

namespace weft {

/// From such an element to an integer of the same bits, and back.
extern const Instruction to_bits, from_bits;

/// Whether a program has such steps.
bool keeps_bits(const PassProgram& program);

/// The same program with those steps of integers, u8 or u16. What they read is read as those, and
/// what else meets such a value is of to_bits and from_bits.
PassProgram with_bits(const PassProgram& program);

}  // namespace weft
