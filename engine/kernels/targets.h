// SPDX-License-Identifier: Apache-2.0
// Instruction sets that kernels and links are compiled for: those in between are not worth their
// code.
#pragma once

#include <hwy/detect_targets.h>

#include <weft/engine/kernels/instruction_set.h>

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)

// function_by_set: what <hwy/foreach_target.h> has compiled of that name for each InstructionSet,
// or null; for on_this_machine().
#if HWY_ARCH_X86
#define WEFT_BY_SET(function)                                                \
  constexpr decltype(&HWY_STATIC_DISPATCH(function)) function##_by_set[] = { \
      nullptr, HWY_CHOOSE_AVX3(function), HWY_CHOOSE_AVX2(function),         \
      &HWY_STATIC_DISPATCH(function)}
#else
#define WEFT_BY_SET(function)                                                \
  constexpr decltype(&HWY_STATIC_DISPATCH(function)) function##_by_set[] = { \
      nullptr, nullptr, nullptr, &HWY_STATIC_DISPATCH(function)}
#endif
