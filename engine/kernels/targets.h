// SPDX-License-Identifier: Apache-2.0
// Instruction sets that kernels and links are compiled for: those in between are not worth their
// code.
#pragma once

#include <hwy/detect_targets.h>

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
