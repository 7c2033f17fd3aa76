// SPDX-License-Identifier: Apache-2.0
// Rows of weft_compute as expressions of Eigen, for the machine that compiles them: by one thread,
// or, `in_two`, a half by each of two tasks of TBB.
#pragma once

#include <cstdint>

namespace weft::bench {

/// out = a * b + c of squares of n rows; of b as it is, transposed, or rolled by 5 along its rows.
void multiply_add_by_eigen(const float* a, const float* b, const float* c, float* out,
                           std::int64_t n, bool in_two);
void multiply_add_turned_by_eigen(const float* a, const float* b, const float* c, float* out,
                                  std::int64_t n, bool in_two);
void multiply_add_rolled_by_eigen(const float* a, const float* b, const float* c, float* out,
                                  std::int64_t n, bool in_two);
/// gelu, by tanh.
void gelu_by_eigen(const float* x, float* out, std::int64_t count, bool in_two);
/// The sum of two arrays of bf16.
void add_bf16_by_eigen(const std::uint16_t* a, const std::uint16_t* b, std::uint16_t* out,
                       std::int64_t count, bool in_two);
/// Sixteen ops; what the row says.
void chain_by_eigen(const float* x, float* out, std::int64_t count, bool in_two);

}  // namespace weft::bench
