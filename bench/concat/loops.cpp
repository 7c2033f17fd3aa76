// SPDX-License-Identifier: Apache-2.0
// Transposed squares one below another by hand, in blocks of a cache line by a cache line.
#include "loops.h"
#include "tasks.h"

namespace weft::bench {
namespace {

constexpr std::int64_t n = 512, squares = 8, block = 16;

/// A rival by loops over all inputs: body(k, begin, end, in, out) writes rows of square k.
template <class Body>
Rival by_squares(const char* name, bool is_parallel, const Body& body) {
  return {"W15", name, [=](const Inputs& in, std::byte* out) {
            std::vector<const float*> from;
            for (const Tensor& x : in) from.push_back(x.data<float>());
            return [=, to = reinterpret_cast<float*>(out)] {
              const auto work = [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t b = begin; b < end; ++b) {
                  const std::int64_t square = b / (n / block), row = b % (n / block) * block;
                  body(row, from[static_cast<std::size_t>(square)], to + square * n * n);
                }
              };
              if (is_parallel) in_parallel(squares * n / block, work);
              else work(0, squares * n / block);
            };
          }};
}

}  // namespace

std::vector<Rival> concat_loops() {
  return {by_squares(plain, false,
                     [](std::int64_t row, const float* in, float* out) {
                       for (std::int64_t r = row; r < row + block; ++r)
                         for (std::int64_t c = 0; c < n; ++c) out[r * n + c] = in[c * n + r];
                     }),
          by_squares(tuned, true, [](std::int64_t row, const float* in, float* out) {
            for (std::int64_t c0 = 0; c0 < n; c0 += block)
              for (std::int64_t r = row; r < row + block; ++r)
                for (std::int64_t c = c0; c < c0 + block; ++c) out[r * n + c] = in[c * n + r];
          })};
}

}  // namespace weft::bench
