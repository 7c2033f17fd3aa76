// SPDX-License-Identifier: Apache-2.0
// A framed, rolled and transposed picture by hand: each axis falls into runs of the picture and of
// the frame, and each pair of runs is filled, or transposed a cache line at a time.
#include <vector>

#include "loops.h"
#include "tasks.h"

namespace weft::bench {
namespace {

constexpr std::int64_t n = 3968, frame = 64, wide = n + 2 * frame, block = 16;

std::int64_t wrapped(std::int64_t i) { return (i % wide + wide) % wide; }

/// Positions `begin` to `end` of an output axis; the first is `from` of the picture, or in the
/// frame.
struct Run {
  std::int64_t begin, end, from;
  bool is_frame;
};

/// An axis that was rolled by `shift`.
std::vector<Run> runs_of(std::int64_t shift) {
  std::vector<Run> runs;
  for (std::int64_t i = 0; i < wide;) {
    const std::int64_t padded = wrapped(i - shift);
    const bool is_frame = padded < frame || padded >= frame + n;
    const std::int64_t stop = padded < frame ? frame : is_frame ? wide : frame + n;
    const std::int64_t end = std::min(wide, i + stop - padded);
    runs.push_back({i, end, padded - frame, is_frame});
    i = end;
  }
  return runs;
}

/// Output rows (columns of the picture) of one run, at most a line of them.
void write_rows(const Run& row, const std::vector<Run>& columns, std::int64_t begin,
                std::int64_t end, const float* in, float* out) {
  const std::int64_t first = row.from + begin - row.begin;
  for (const Run& column : columns) {
    if (row.is_frame || column.is_frame) {
      for (std::int64_t r = begin; r < end; ++r)
        std::fill(out + r * wide + column.begin, out + r * wide + column.end, 1.5f);
      continue;
    }
    for (std::int64_t c0 = column.begin; c0 < column.end; c0 += block) {
      const std::int64_t c1 = std::min(column.end, c0 + block);
      for (std::int64_t r = begin; r < end; ++r)
        for (std::int64_t c = c0; c < c1; ++c)
          out[r * wide + c] = in[(column.from + c - column.begin) * n + first + r - begin];
    }
  }
}

}  // namespace

std::vector<Rival> pad_loops() {
  return {
      by_hand<float>("W14", plain,
                     [](const float* in, float* out) {
                       for (std::int64_t r = 0; r < wide; ++r)
                         for (std::int64_t c = 0; c < wide; ++c) {
                           const std::int64_t i = wrapped(c - 1000) - frame;
                           const std::int64_t j = wrapped(r + 700) - frame;
                           const bool is_inside = i >= 0 && i < n && j >= 0 && j < n;
                           out[r * wide + c] = is_inside ? in[i * n + j] : 1.5f;
                         }
                     }),
      by_hand<float>("W14", tuned,
                     [rows = runs_of(-700), columns = runs_of(1000)](const float* in, float* out) {
                       for (const Run& row : rows) {
                         const std::int64_t blocks = (row.end - row.begin + block - 1) / block;
                         in_parallel(blocks, [&](std::int64_t begin, std::int64_t end) {
                           for (std::int64_t b = begin; b < end; ++b) {
                             const std::int64_t r = row.begin + b * block;
                             write_rows(row, columns, r, std::min(row.end, r + block), in, out);
                           }
                         });
                       }
                     }),
  };
}

}  // namespace weft::bench
