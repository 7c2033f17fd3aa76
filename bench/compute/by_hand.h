// SPDX-License-Identifier: Apache-2.0
// Loops by hand for the rows of weft_compute, for the machine that compiles them: what a program is
// measured beside. Two threads of TBB; past the caches where `streams`.
#pragma once

#include <cstdint>

namespace weft::bench {

/// Images of bytes, [16, 1080, 1920, 3], of which rows 28 to 1052 and columns 64 to 1856, mirrored,
/// become planes of floats: x * scale + shift, rounded twice.
void planes_by_hand(const std::uint8_t* images, const float* scale, const float* shift, float* out,
                    bool streams);
/// The tanh form of gelu, by Highway's exp.
void gelu_by_hand(const float* x, float* out, std::int64_t count, bool streams);
/// (((x + y) * z + y) * x + z) * y of [64, 64], z of each row; on one thread.
void six_by_hand(const float* x, const float* y, const float* z, float* out);
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
