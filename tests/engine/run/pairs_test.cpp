// SPDX-License-Identifier: Apache-2.0
// Pairs: whatever halves they are found among, the same is written, once.
#include <doctest/doctest.h>

#include <map>
#include <random>

#include <weft/engine/kernels/instruction_set.h>
#include <weft/engine/run/pieces.h>
#include <weft/weft.h>

using namespace weft;

namespace {

using From = std::pair<std::size_t, std::int64_t>;  // source and position
using Writes = std::map<std::int64_t, From>;

/// Later copies write over earlier ones where that is allowed.
void collect(const Copy& copy, std::size_t k, std::int64_t out, std::int64_t src, bool over,
             Writes& writes) {
  if (k == copy.loops.size()) {
    if (!over) CHECK(writes.count(out) == 0);
    writes[out] = {copy.source, src};
    return;
  }
  const Loop& loop = copy.loops[k];
  for (std::int64_t i = 0; i < loop.extent; ++i)
    collect(copy, k + 1, out + loop.out_at(i), src + loop.src_at(i), over, writes);
}

Writes writes_of(const std::vector<Copy>& copies, bool over = false) {
  Writes writes;
  for (const Copy& copy : copies) collect(copy, 0, copy.out_offset, copy.src_offset, over, writes);
  return writes;
}

Writes writes_of(const std::vector<Piece>& pieces) {
  std::vector<Copy> copies;
  for (const Piece& piece : pieces) {
    copies.push_back(piece.copy);
    if (piece.beside) copies.push_back(*piece.beside);
  }
  return writes_of(copies);
}

std::int64_t number(std::mt19937& random, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
}

/// Rows of `pairs` pairs of units; one phase of them, in boxes cut at random, of which dense ones
/// may be told by one loop.
struct Rows {
  std::int64_t rows, pairs, unit, row_stride;

  void add_phase(std::int64_t phase, std::size_t source, std::mt19937& random,
                 std::vector<Copy>& copies) const {
    const std::int64_t at_row = number(random, 0, rows), at_pair = number(random, 0, pairs);
    const std::int64_t src_stride = number(random, 1, 3) * unit;
    for (const auto& [low, high] : {std::pair{std::int64_t{0}, at_row}, std::pair{at_row, rows}})
      for (const auto& [first, last] :
           {std::pair{std::int64_t{0}, at_pair}, std::pair{at_pair, pairs}}) {
        if (low == high || first == last) continue;
        Copy copy{source,
                  0,
                  5 + low * row_stride + (2 * first + phase) * unit,
                  low * pairs * src_stride + first * src_stride,
                  {}};
        const bool is_dense = row_stride == 2 * pairs * unit && last - first == pairs;
        if (is_dense && high - low > 1) {
          copy.loops.push_back({(high - low) * pairs, 2 * unit, src_stride});
        } else {
          if (high - low > 1) copy.loops.push_back({high - low, row_stride, pairs * src_stride});
          if (last - first > 1) copy.loops.push_back({last - first, 2 * unit, src_stride});
        }
        if (unit > 1) copy.loops.push_back({unit, 1, 1});
        copies.push_back(copy);
      }
  }
};

std::int64_t paired(const std::vector<Piece>& pieces) {
  std::int64_t count = 0;
  for (const Piece& piece : pieces) count += piece.beside ? piece.count() : 0;
  return count;
}

}  // namespace

TEST_CASE("pairs write what their halves wrote, also cut and painted") {
  std::int64_t found = 0;
  for (unsigned seed = 1; seed <= 2000; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    Rows rows{number(random, 1, 5), number(random, 2, 9), number(random, 1, 3), 0};
    rows.row_stride = 2 * rows.pairs * rows.unit + number(random, 0, 2) * rows.unit;
    Pass pass{"", {f32, {}}, 0, {}};
    rows.add_phase(0, 0, random, pass.copies);
    rows.add_phase(1, 1, random, pass.copies);
    const Writes expected = writes_of(pass.copies);
    const Pieces all = pair_up(pass, 4);
    const std::vector<Piece>& pieces = all.pieces;
    found += paired(pieces);
    CHECK(writes_of(pieces) == expected);
    for (const Piece& piece : pieces) {
      if (!piece.beside) continue;
      CHECK(piece.beside->out_offset == piece.copy.out_offset + rows.unit);
      REQUIRE(piece.beside->loops.size() == piece.copy.loops.size());
      for (std::size_t k = 0; k < piece.copy.loops.size(); ++k) {
        CHECK(piece.beside->loops[k].extent == piece.copy.loops[k].extent);
        CHECK(piece.beside->loops[k].out_stride == piece.copy.loops[k].out_stride);
      }
    }
    CHECK(writes_of(cut(pieces, 4, 64, false)) == expected);
    CHECK(writes_of(paint_pairs(pieces), true) == expected);
  }
  CHECK(found > 20000);
}

TEST_CASE("pairs are found where one half is rolled or goes on over rows") {
  Pass pass{"", {f32, {}}, 0, {}};
  pass.copies = {{0, 0, 0, 0, {{8 * 16, 2, 1}}},  // updates, of eight rows at once
                 {1, 0, 1, 20, {{8, 32, 32}, {6, 2, 2}}},
                 {1, 0, 13, 0, {{8, 32, 32}, {10, 2, 2}}}};
  const Pieces all = pair_up(pass, 4);
  const std::vector<Piece>& pieces = all.pieces;
  CHECK(pieces.size() == 2);
  CHECK(paired(pieces) == 256);
  CHECK(is_woven_by_vectors(pieces[0], 4));
}

TEST_CASE("what is painted stays in its order") {
  Pass pass{"", {f32, {}}, 0, {}};
  pass.is_painted = true;
  pass.copies = {{0, 0, 0, 0, {{8, 2, 1}}}, {1, 0, 1, 1, {{8, 2, 2}}}, {2, 1, 1, 0, {{8, 2, 1}}}};
  CHECK(paired(pair_up(pass, 4).pieces) == 0);
}

TEST_CASE(
    "every second element of each row replaced: near and far sources, in cache and streamed") {
  for (const auto& [rows, columns] :
       {std::pair{30, 41}, std::pair{500, 601}, std::pair{2200, 1000}})
    for (const int start : {0, 1}) {
      const int count = (columns - start + 1) / 2;
      const Tensor data = iota<int>({rows, columns}), turned = iota<int>({columns, rows});
      const Tensor updates = iota<int>({rows, count}, -100000000);
      const Tensor far = iota<int>({count, rows}, -100000000);
      for (const Tensor& below : {data, turned.transpose(), data.roll({7, -9}, {0, 1})})
        for (const Tensor& above : {updates, far.transpose(), updates.flip(), updates.roll(5, 1)}) {
          CAPTURE(rows);
          CAPTURE(start);
          const Tensor result = below.slice_scatter(above, {start}, {columns}, {2}, {1}).eval();
          const Tensor under = below.eval(), over = above.eval();
          std::vector<int> expected(under.span<int>().begin(), under.span<int>().end());
          for (int i = 0; i < rows; ++i)
            for (int j = 0; j < count; ++j)
              expected[static_cast<std::size_t>(i * columns + start + 2 * j)] =
                  over.data<int>()[i * count + j];
          CHECK(std::equal(expected.begin(), expected.end(), result.span<int>().begin()));
        }
    }
}

TEST_CASE("halves of one source at a constant distance are one copy with a loop of two") {
  const auto half = [](std::int64_t out, std::int64_t src, std::int64_t distance) {
    return Copy{0, 0, out, src, {{2, 3000, distance}, {15, 200, 1}, {100, 2, 60}}};
  };
  Pass pass{"", {f32, {}}, 6000, {half(0, 15, -15), half(1, 6015, 15)}};
  const Pieces all = pair_up(pass, 4);
  const std::vector<Piece>& pieces = all.pieces;
  REQUIRE(pieces.size() == 2);
  for (const Piece& piece : pieces) {
    CHECK_FALSE(piece.beside);
    CHECK(piece.copy.loops.back().extent == 2);
    CHECK(piece.copy.loops.back().out_stride == 1);
  }
  CHECK(writes_of(pieces) == writes_of(pass.copies));
}

namespace {

/// Parts of rows, each of some columns and of some rows, all but a few of them the same; of one
/// source or two. Where painted, some lie over all of them.
Pass parts_of_rows(std::mt19937& random, std::int64_t length) {
  Pass pass{"", {u8, {}}, 0, {}};
  const std::int64_t rows = number(random, 2, random() % 16 == 0 ? 400 : 40),
                     start = number(random, 0, 2 * length);
  const auto add = [&](std::uint64_t layer, std::int64_t column, std::int64_t width) {
    const std::int64_t low = layer > 0 ? 0 : std::min(rows - 1, number(random, 0, 2));
    const std::int64_t high = layer > 0 ? rows : std::max(low + 1, rows - number(random, 0, 1));
    Copy copy{static_cast<std::size_t>(number(random, 0, 1)),
              layer,
              start + low * length + column,
              number(random, 0, 50),
              {}};
    copy.add_within({high - low, length, number(random, 0, 3) * length});
    copy.add_within({width, 1, number(random, 0, 2)});
    pass.copies.push_back(copy);
  };
  for (std::int64_t column = 0; column < length;) {
    const std::int64_t width = number(random, 1, length - column);
    add(0, column, width);
    column += width;
  }
  pass.is_painted = random() % 3 == 0;
  if (pass.is_painted) add(1, number(random, 0, length - 1), 1);
  return pass;
}

}  // namespace

TEST_CASE("rows that several copies make, some of them a few more than others") {
  std::size_t found = 0;
  for (unsigned seed = 1; seed <= 4000; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const Pass pass = parts_of_rows(random, number(random, 2, 90));
    const Pieces made = pair_up(pass, 1);
    if (!made.is_painted) {
      CHECK(writes_of(made.pieces) == writes_of(pass.copies, true));
      found += std::any_of(made.pieces.begin(), made.pieces.end(),
                           [](const Piece& piece) { return piece.is_group; });
    }
  }
  if (permutes_lines()) CHECK(found > 200);
}
