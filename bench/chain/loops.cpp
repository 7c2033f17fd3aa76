// SPDX-License-Identifier: Apache-2.0
// Chains by hand: an op after the other, and fused on paper.
#include <fmt/format.h>

#include "loops.h"
#include "tasks.h"

namespace weft::bench {
namespace {

constexpr std::int64_t n = 512, channels = 16;

/// The channels of the pixels of a square rolled by (a, b).
void roll_square(const float* in, float* out, std::int64_t a, std::int64_t b, std::int64_t begin,
                 std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i)
    roll_row(out + i * n * channels, in + ((i - a) % n + n) % n * n * channels, n * channels,
             b * channels);
}

void transpose_square(const float* in, float* out) {
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      copy_run(out + (i * n + j) * channels, in + (j * n + i) * channels, channels);
}

/// Every op into memory of its own: two buffers in turn.
Rival op_by_op(int ops) {
  return {fmt::format("W10.{}", ops), plain, [ops](const Inputs& in, std::byte* out) {
            const std::shared_ptr<std::byte> one = allocate(in[0].bytes());
            const std::shared_ptr<std::byte> other = allocate(in[0].bytes());
            return [ops, in, one, other, out] {
              const float* from = in[0].data<float>();
              for (int i = 0; i < ops; ++i) {
                float* const to = reinterpret_cast<float*>(i + 1 == ops ? out
                                                           : i % 2 == 0 ? one.get()
                                                                        : other.get());
                if (i % 2 == 0) roll_square(from, to, 3 + i, -5, 0, n);
                else transpose_square(from, to);
                from = to;
              }
            };
          }};
}

/// What the ops come to: a roll by (a, b), transposed or not.
Rival fused(int ops) {
  std::int64_t a = 0, b = 0;
  bool is_transposed = false;
  for (int i = 0; i < ops; ++i) {
    if (i % 2 == 1) {
      is_transposed = !is_transposed;
    } else {
      (is_transposed ? b : a) += 3 + i;
      (is_transposed ? a : b) -= 5;
    }
  }
  return by_hand<float>(
      fmt::format("W10.{}", ops).c_str(), tuned, [=](const float* in, float* out) {
        in_parallel(n, [=](std::int64_t begin, std::int64_t end) {
          if (!is_transposed) return roll_square(in, out, a, b, begin, end);
          // out[i][j] = in[j - a][i - b]
          for (std::int64_t i = begin; i < end; ++i)
            for (std::int64_t j = 0; j < n; ++j)
              copy_run(out + (i * n + j) * channels,
                       in + (((j - a) % n + n) % n * n + ((i - b) % n + n) % n) * channels,
                       channels);
        });
      });
}

/// Six ops: an even plane is an update, an odd one a plane of x whose rows are rolled.
void six_ops(const float* x, const float* updates, float* out, std::int64_t begin,
             std::int64_t end) {
  constexpr std::int64_t rows = 256, width = 1024;
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t plane = row / rows, y = row % rows;
    if (plane % 2 == 0)
      copy_run(out + row * width, updates + (plane / 2 * rows + y) * width, width);
    else roll_row(out + row * width, x + ((plane + 3) % 64 * rows + y) * width, width, 5);
  }
}

void six_ops_plainly(const float* x, const float* updates, float* out) {
  for (std::int64_t i = 0; i < 128; ++i)
    for (std::int64_t j = 0; j < 256; ++j)
      for (std::int64_t k = 0; k < 1024; ++k)
        out[(i * 256 + j) * 1024 + k] =
            i % 2 == 0 ? updates[(i / 2 * 256 + j) * 1024 + k]
                       : x[((i + 3) % 128 % 64 * 256 + j) * 1024 + (k - 5 + 1024) % 1024];
}

}  // namespace

std::vector<Rival> chain_loops() {
  std::vector<Rival> list{
      by_hand2<float>("W9", plain, six_ops_plainly),
      by_hand2<float>("W9", tuned, [](const float* x, const float* updates, float* out) {
        in_parallel(128 * 256, [=](std::int64_t begin, std::int64_t end) {
          six_ops(x, updates, out, begin, end);
        });
      })};
  for (const int ops : {1, 4, 8, 16, 32, 64, 2, 6, 66}) {
    list.push_back(op_by_op(ops));
    list.push_back(fused(ops));
  }
  return list;
}

}  // namespace weft::bench
