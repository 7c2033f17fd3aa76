// SPDX-License-Identifier: Apache-2.0
// Boxes cut together: the parts write what the boxes write, each task within its own lines.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include <weft/engine/run/clip.h>
#include <weft/engine/run/together.h>
#include <weft/weft.h>

using namespace weft;

namespace {

using Writes = std::map<std::int64_t, std::int64_t>;

void collect(const Copy& copy, std::size_t k, std::int64_t out, std::int64_t src, Writes& writes) {
  if (k == copy.loops.size()) {
    CHECK(writes.emplace(out, src).second);
    return;
  }
  for (std::int64_t i = 0; i < copy.loops[k].extent; ++i)
    collect(copy, k + 1, out + copy.loops[k].out_at(i), src + copy.loops[k].src_at(i), writes);
}

Writes writes_of(const std::vector<Piece>& pieces) {
  Writes writes;
  for (const Piece& piece : pieces)
    collect(piece.copy, 0, piece.copy.out_offset, piece.copy.src_offset, writes);
  return writes;
}

/// A transpose of [columns, rows] whose rows of the output, of `columns` each, are made by two
/// boxes, as a roll makes them.
std::vector<Piece> turned(std::int64_t planes, std::int64_t rows, std::int64_t columns,
                          std::int64_t shift) {
  const auto part = [&](std::int64_t first, std::int64_t src, std::int64_t extent) {
    return Piece{
        {0,
         0,
         first,
         src * rows * planes,
         {{planes, rows * columns, 1}, {rows, columns, planes}, {extent, 1, rows * planes}}}};
  };
  return {part(0, columns - shift, shift), part(shift, 0, columns - shift)};
}

}  // namespace

TEST_CASE("parts of boxes cut together write the same, all of a row in one task") {
  for (const std::int64_t planes : {1, 3, 8})
    for (const std::int64_t rows : {40, 129})
      for (const std::int64_t shift : {1, 6, 19}) {
        const std::vector<Piece> boxes = turned(planes, rows, 20, shift);
        const auto made = cut_together(boxes, planes * rows * 20, 4, 4096);
        if (made.ends.empty()) continue;
        CHECK(made.ends.back() == made.parts.size());
        CHECK(writes_of(made.parts) == writes_of(boxes));
        std::map<std::int64_t, std::set<std::size_t>> tasks_of_row;
        std::size_t task = 0;
        for (std::size_t k = 0; k < made.parts.size(); ++k) {
          if (k == made.ends[task]) ++task;
          for (const auto& [out, src] : writes_of({made.parts[k]}))
            tasks_of_row[out / 20].insert(task);
        }
        for (const auto& [row, tasks] : tasks_of_row) CHECK(tasks.size() == 1);
      }
}

TEST_CASE("boxes are cut together where stretches of the output would tear lines of the source") {
  const std::vector<Piece> boxes = turned(8, 3000, 20, 6);
  CHECK(tears_lines(boxes, 4, 128 * 1024, 2));
  CHECK_FALSE(cut_together(boxes, 8 * 3000 * 20, 4, 128 * 1024).ends.empty());
  const Piece rows{{0, 0, 0, 0, {{3000, 40, 20}, {20, 1, 1}}}};
  CHECK_FALSE(tears_lines({rows}, 4, 128 * 1024, 2));
  // Of two rows that lie far apart a line is fetched twice.
  const Piece halves{{0, 0, 0, 0, {{2, 1'000'000, 1}, {50'000, 20, 60}, {20, 1, 3}}}};
  CHECK(tears_lines({halves}, 4, 128 * 1024, 2));
  CHECK_FALSE(tears_lines({halves}, 4, 128 * 1024, 3));
}

TEST_CASE("boxes that share no loop are not cut together") {
  std::vector<Piece> boxes = turned(8, 300, 20, 6);
  boxes.push_back({{0, 0, 7, 0, {{100, 30, 1}}}});
  CHECK(cut_together(boxes, 8 * 300 * 20, 4, 4096).ends.empty());
}

TEST_CASE(
    "boxes that are written one over the other keep their order where they are cut together") {
  const Tensor x = iota<int>({64, 50, 24}).eval();
  const Tensor y = x.transpose({2, 1, 0}).roll({7}, {2});
  const Tensor z = y.slice_scatter(y.slice({0}, {32}, {1}, {2}), {0}, {64}, {2}, {2}).eval();
  const int* got = z.data<int>();
  for (int i = 0; i < 24; ++i)
    for (int j = 0; j < 50; ++j)
      for (int k = 0; k < 64; ++k) {
        const int rolled = k % 2 == 0 ? k / 2 : k;
        REQUIRE(*got++ == ((rolled + 57) % 64 * 50 + j) * 24 + i);
      }
}
