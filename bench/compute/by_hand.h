// SPDX-License-Identifier: Apache-2.0
// Loops by hand for the rows of weft_compute, for the machine that compiles them: what a program is
// measured beside. Two threads of TBB; past the caches where `streams`.
#pragma once

#include <cstdint>

namespace weft::bench {

/// out = a * b + c, rounded twice.
void multiply_add_by_hand(const float* a, const float* b, const float* c, float* out,
                          std::int64_t count, bool streams);
/// Sixteen ops; what the row says.
void chain_by_hand(const float* x, float* out, std::int64_t count, bool streams);
/// The sum of two arrays of bf16, rounded to nearest even.
void add_bf16_by_hand(const std::uint16_t* a, const std::uint16_t* b, std::uint16_t* out,
                      std::int64_t count, bool streams);
/// (a + b) / 2, rounded down, between 16 and 235.
void average_by_hand(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out,
                     std::int64_t count, bool streams);

}  // namespace weft::bench
