// SPDX-License-Identifier: Apache-2.0
// Kernels that move units within the memory they are in.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

/// The first `left` bytes behind the `right` bytes that follow them.
void rotate_in_place(std::byte* data, std::int64_t left, std::int64_t right);

/// `n` units of `unit` bytes in reverse order.
void reverse_in_place(std::byte* data, std::int64_t n, std::int64_t unit);

}  // namespace weft
