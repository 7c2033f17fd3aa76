// SPDX-License-Identifier: Apache-2.0
// The texts of single elements, as NumPy writes them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <weft/graph/value/dtype.h>

namespace weft {

/// Elements as they stand side by side in an array: of one width and, for floats, with their points
/// below each other; or each in a format of fmt's, where one is given. Throws FormatError.
std::vector<std::string> array_words(DType dtype, std::span<const std::byte> elements,
                                     std::string_view format);

/// An element that stands alone.
std::string scalar_word(DType dtype, const std::byte* element, std::string_view format);

}  // namespace weft
