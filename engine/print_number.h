// SPDX-License-Identifier: Apache-2.0
// The texts of single elements, as NumPy writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <weft/graph/dtype.h>

namespace weft {

/// The elements at the positions `chosen`, as they stand side by side in an array: of one width
/// and, for floats, with their points below each other.
std::vector<std::string> array_words(DType dtype, const std::byte* elements,
                                     const std::vector<std::int64_t>& chosen);

/// An element that stands alone.
std::string scalar_word(DType dtype, const std::byte* element);

}  // namespace weft
