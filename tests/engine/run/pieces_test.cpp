// SPDX-License-Identifier: Apache-2.0
// Cutting pieces: how short the rows of the output become.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include <weft/engine/run/pieces.h>

using namespace weft;

namespace {

constexpr std::int64_t element = 4, piece_bytes = 512 * 1024;

/// A transpose of n x n whose rows are written twice, from element `offset` of the output on.
Piece turned_twice(std::int64_t n, std::int64_t offset) {
  return {Copy{0, 0, offset, 0, {{n, 2 * n, 1}, {2, n, 0}, {n, 1, n}}}};
}

std::vector<Piece> parts_of(std::int64_t n, std::int64_t offset, std::int64_t row_bytes) {
  return cut({turned_twice(n, offset)}, element, piece_bytes, false, row_bytes);
}

/// But for the end of a row, which is what is left.
std::int64_t shortest_row(const std::vector<Piece>& parts, std::int64_t n) {
  std::int64_t shortest = n * element;
  for (const Piece& part : parts) {
    const std::int64_t columns = part.copy.loops.back().extent;
    if (part.copy.src_offset / n + columns < n) shortest = std::min(shortest, columns * element);
  }
  return shortest;
}

std::int64_t count_of(const std::vector<Piece>& parts) {
  std::int64_t count = 0;
  for (const Piece& part : parts) count += part.count();
  return count;
}

}  // namespace

TEST_CASE("parts of rows are as long as was asked, but for what leads to a pair of lines") {
  constexpr std::int64_t asked = 1024, two_lines = 128;
  for (const std::int64_t n : {2700, 4096})
    for (const std::int64_t offset : {0, 1, 31, 224, 255}) {
      CAPTURE(n);
      CAPTURE(offset);
      const std::vector<Piece> fine = parts_of(n, offset, 0), coarse = parts_of(n, offset, asked);
      CHECK(shortest_row(fine, n) < asked - two_lines);
      CHECK(shortest_row(coarse, n) > asked - two_lines);
      for (const std::vector<Piece>& parts : {fine, coarse}) CHECK(count_of(parts) == 2 * n * n);
    }
}
