// SPDX-License-Identifier: Apache-2.0
// What adjoints add up many elements in.
#pragma once

#include <weft/graph/tensor.h>

namespace weft {

/// f32 for f16 and bf16, which stop counting at 2,048 and at 256.
inline DType wide(DType type) { return type == f16 || type == bf16 ? f32 : type; }

}  // namespace weft
