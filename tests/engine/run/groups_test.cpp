// SPDX-License-Identifier: Apache-2.0
// Groups: bytes of pixels and the like that change their places, by vectors, alone or two copies
// together.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <weft/engine/run/lower.h>
#include <weft/engine/run/pieces.h>
#include <weft/testing/check.h>
#include <weft/weft.h>

#include "support/nests.h"
#include "support/random.h"

using namespace weft;
using weft::testing::Random;
using weft::testing::without_lines;

namespace {

/// A pass of `pixels` in each of `rows`, of `channels` elements rolled by `shift`.
Pass rolled(std::int64_t rows, std::int64_t pixels, std::int64_t channels, std::int64_t shift) {
  const std::int64_t row = pixels * channels;
  const auto part = [&](std::int64_t out, std::int64_t src, std::int64_t extent) {
    Copy copy{0, 0, out, src, {{rows, row + 7, row}, {pixels, channels, channels}}};
    if (extent > 1) copy.loops.push_back({extent, 1, 1});
    return copy;
  };
  Pass pass{"", {u8, {}}, 0, {}};
  pass.count = rows * (row + 7);
  pass.copies = {part(shift, 0, channels - shift), part(0, channels - shift, shift)};
  return pass;
}

std::vector<std::byte> numbered(std::int64_t bytes) {
  std::vector<std::byte> values(static_cast<std::size_t>(bytes));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::byte>(i * 131 + (i >> 8) * 17);
  return values;
}

std::vector<std::byte> carried_out(const std::vector<Piece>& pieces, std::int64_t element,
                                   std::int64_t bytes, const std::vector<std::byte>& source) {
  std::vector<std::byte> out(static_cast<std::size_t>(bytes), std::byte{0xEE});
  for (const Piece& piece : pieces)
    carry_out(lower(piece, element), out.data(), source.data(), source.data());
  return out;
}

/// Element by element, without any kernel.
void move(const Copy& copy, std::size_t k, std::int64_t out, std::int64_t src, std::int64_t element,
          const std::vector<std::byte>& from, std::vector<std::byte>& to) {
  if (k == copy.loops.size()) {
    std::copy_n(from.begin() + src * element, element, to.begin() + out * element);
    return;
  }
  for (std::int64_t i = 0; i < copy.loops[k].extent; ++i)
    move(copy, k + 1, out + copy.loops[k].out_at(i), src + copy.loops[k].src_at(i), element, from,
         to);
}

std::string kernel_of(const Tensor& tensor) {
  const std::string text = explain(tensor);
  const std::size_t start =
      text.find("boxes\n") != std::string::npos ? text.find("boxes\n") + 8 : text.find("box\n") + 6;
  return text.substr(start, text.find(' ', start) - start);
}

}  // namespace

TEST_CASE("two copies that make groups together are one piece, whole, cut and in any size") {
  for (const std::int64_t element : {1, 2, 4, 8})
    for (std::int64_t channels = 2; channels * element <= 16; ++channels)
      for (std::int64_t shift = 1; shift < channels; ++shift)
        for (const std::int64_t pixels : {5, 16, 40, 67}) {
          CAPTURE(element);
          CAPTURE(channels);
          CAPTURE(shift);
          CAPTURE(pixels);
          const Pass pass = rolled(3, pixels, channels, shift);
          const auto source = numbered(3 * pixels * channels * element);
          std::vector<std::byte> expected(static_cast<std::size_t>(pass.count * element),
                                          std::byte{0xEE});
          for (const Copy& copy : pass.copies)
            move(copy, 0, copy.out_offset, copy.src_offset, element, source, expected);
          const Pieces paired = pair_up(pass, element);
          const std::vector<Piece>& pieces = paired.pieces;
          CHECK(carried_out(pieces, element, pass.count * element, source) == expected);
          for (const std::int64_t piece_bytes : {16, 100, 1000})
            CHECK(carried_out(cut(pieces, element, piece_bytes, false), element,
                              pass.count * element, source) == expected);
          std::vector<Piece> painted;
          for (Copy& copy : paint_pairs(pieces)) painted.push_back({std::move(copy)});
          CHECK(carried_out(painted, element, pass.count * element, source) == expected);
          // Without the instructions that permute lines less than 256 bytes make no groups.
          const std::int64_t row = pixels * channels * element;
          if (row >= 64 && (permutes_lines() || 3 * row >= 256)) CHECK(pieces.size() == 1);
        }
}

TEST_CASE("copies of other sources, steps or rows are no group where no lines are permuted") {
  without_lines([] {
    const Pass pass = rolled(3, 40, 3, 1);
    const auto is_one = [](Pass changed) { return pair_up(changed, 1).pieces.size() == 1; };
    CHECK(is_one(pass));
    Pass other = pass;
    other.copies[1].source = 1;
    CHECK_FALSE(is_one(other));
    other = pass;
    other.copies[1].loops[1].src_stride = -3;
    other.copies[1].src_offset = 119;
    CHECK_FALSE(is_one(other));
    other = pass;
    other.copies[1].loops[1].extent = 39;
    CHECK_FALSE(is_one(other));
    other = pass;
    other.copies[1].src_offset += 100;  // further than a vector reaches
    CHECK_FALSE(is_one(other));
    other = pass;
    other.is_painted = true;  // others may lie below
    other.copies.push_back({1, 0, 0, 0, {{5, 1, 1}}});
    CHECK_FALSE(is_one(other));
  });
}

TEST_CASE("any number of copies that make rows between them, painted or not, are one piece") {
  Random random(20261126);
  std::int64_t joined = 0;
  for (int k = 0; k < 400; ++k) {
    CAPTURE(k);
    const std::int64_t element = std::int64_t{1} << random.below(4);
    const std::int64_t row = random.in(2, (random.one_in(2) ? 256 : most_group_bytes) / element);
    const std::int64_t rows = random.in(1, 3), pixels = random.in(8, random.one_in(4) ? 400 : 60);
    Pass pass{"", {u8, {}}, rows * pixels * row, {}};
    pass.is_painted = random.one_in(2);
    const std::int64_t apart = row + random.in(0, 3);  // in the source
    const auto add = [&](std::int64_t at, std::int64_t extent, std::int64_t step) {
      Copy copy{0, pass.copies.size(), at, random.in(0, apart - 1), {}};
      copy.add_within({rows, pixels * row, pixels * apart});
      copy.add_within({pixels, row, apart});
      if (extent > 1) copy.loops.push_back({extent, step, random.one_in(2) ? 1 : 2});
      pass.copies.push_back(copy);
    };
    for (std::int64_t at = 0; at < row;) {
      const std::int64_t extent = random.in(1, row - at);
      add(at, extent, 1);
      at += extent;
    }
    if (pass.is_painted) add(0, (row + 1) / 2, 2);
    if (pass.copies.size() < 2) continue;
    const auto source = numbered((rows * pixels + 3) * apart * 2 * element);
    std::vector<std::byte> expected(static_cast<std::size_t>(pass.count * element));
    for (const Copy& copy : pass.copies)
      move(copy, 0, copy.out_offset, copy.src_offset, element, source, expected);
    const Pieces paired = pair_up(pass, element);
    joined += paired.pieces.size() == 1;
    CHECK(carried_out(paired.pieces, element, pass.count * element, source) == expected);
    if (paired.is_painted) continue;
    for (const std::int64_t piece_bytes : {16, 100, 1000})
      CHECK(carried_out(cut(paired.pieces, element, piece_bytes, true), element,
                        pass.count * element, source) == expected);
  }
  CHECK(joined > 50);
}

TEST_CASE("rows of two sources, or of two ways to move on, are one piece wherever they start") {
  Random random(20261129);
  std::int64_t joined = 0, lines = 0;
  for (int k = 0; k < 400; ++k) {
    CAPTURE(k);
    const std::int64_t element = std::int64_t{1} << random.below(3);
    const std::int64_t row = random.in(4, 256 / element), pixels = 30 * 1024 / (row * element) + 1;
    const std::int64_t start = random.one_in(3) ? random.in(1, row - 1) : 0, rows = 2;
    Pass pass{"", {u8, {}}, rows * pixels * row + start, {}};
    const std::int64_t other = random.one_in(2) ? 0 : 2;  // stands still, or goes twice as far
    const auto add = [&](std::int64_t at, std::int64_t extent, std::int64_t step, bool is_other,
                         std::uint64_t layer) {
      const std::int64_t apart = is_other ? other * row : row;
      Copy copy{0, layer, start + at, random.in(0, row), {}};
      copy.add_within({rows, pixels * row, pixels * apart});
      copy.add_within({pixels, row, apart});
      if (extent > 1) copy.loops.push_back({extent, step, random.in(0, 2)});
      pass.copies.push_back(copy);
    };
    for (std::int64_t at = 0; at < row;) {
      const std::int64_t extent = std::min(row - at, random.in(1, 9));
      add(at, extent, 1, random.one_in(2), 0);
      at += extent;
    }
    if (random.one_in(3)) add(0, (row + 1) / 2, 2, random.one_in(2), 1);
    pass.is_painted = pass.copies.back().layer > 0;
    const auto source = numbered((rows * pixels * 2 + 3) * row * element);
    std::vector<std::byte> expected(static_cast<std::size_t>(pass.count * element),
                                    std::byte{0xEE});
    for (const Copy& copy : pass.copies)
      move(copy, 0, copy.out_offset, copy.src_offset, element, source, expected);
    const Pieces paired = pair_up(pass, element);
    lines += permutes_lines() && pass.copies.size() <= 32;
    joined += permutes_lines() && paired.pieces.size() == 1;
    CHECK(carried_out(paired.pieces, element, pass.count * element, source) == expected);
    if (paired.is_painted) continue;
    for (const std::int64_t piece_bytes : {100, 1000, 10000})
      CHECK(carried_out(cut(paired.pieces, element, piece_bytes, false), element,
                        pass.count * element, source) == expected);
  }
  CHECK(joined * 4 >= lines);
}

TEST_CASE("rows of two streams of one source lie beside halves that are paired") {
  // Rows of eight by two streams, and two halves of another stretch.
  Pass pass{"", {f32, {}}, 0, {}};
  const std::int64_t rows = 1000, start = rows * 16;
  const auto add = [&](std::int64_t out, std::int64_t src, std::int64_t apart) {
    pass.copies.push_back({0, 0, out, src, {{rows, 16, apart}, {4, 4, 3}}});
  };
  add(0, 0, 16);
  add(1, 7, 32);
  add(2, 9, 16);
  add(3, 2, 32);
  for (const std::int64_t half : {0, 1})
    pass.copies.push_back({0, 0, start + half, 11 * half, {{500, 2, 3 - half}}});
  pass.count = start + 1000;
  const auto source = numbered(rows * 40 * 4);
  std::vector<std::byte> expected(static_cast<std::size_t>(pass.count * 4), std::byte{0xEE});
  for (const Copy& copy : pass.copies)
    move(copy, 0, copy.out_offset, copy.src_offset, 4, source, expected);
  const Pieces paired = pair_up(pass, 4);
  const bool has_row_of_two =
      std::any_of(paired.pieces.begin(), paired.pieces.end(), [](const Piece& piece) {
        return piece.beside && piece.is_group && !piece.beside->loops.back().is_plain();
      });
  CHECK(has_row_of_two == permutes_lines());
  CHECK(carried_out(paired.pieces, 4, pass.count * 4, source) == expected);
  const Tensor x = weft::testing::leaf(f32, {64, 3, 5, 12});
  const Tensor replaced = slice_scatter(x, slice(x, {0, 1, 3, 6}, {64, 3, 5, 12}), {0, 0, 0, 0},
                                        {64, 3, 5, 12}, {1, 2, 4, 2});
  const Tensor rolled = replaced.tile({1, 1, 1, 2}).roll({2}, {-1});
  const Tensor apart = replaced.eval().tile({1, 1, 1, 2}).eval().roll({2}, {-1});
  CHECK(rolled.eval().equal(apart.eval()).all().item<bool>());
}

TEST_CASE(
    "pixels: channels that are reversed, rolled, picked or repeated go by the shuffle kernel") {
  const auto image = [](DType dtype, std::int64_t channels) {
    return weft::testing::leaf(dtype, {20, 80, channels});
  };
  for (const DType dtype : {u8, u16, f32}) {
    CHECK(kernel_of(image(dtype, 3).flip(2)) == "shuffle");
    CHECK(kernel_of(image(dtype, 3).roll(1, 2)) == "shuffle");
    CHECK(kernel_of(image(dtype, 4).slice({2}, {-5}, {-1}, {2})) == "shuffle");
  }
  CHECK(kernel_of(image(u8, 3).flip(1)) == "shuffle");
  CHECK(kernel_of(image(u8, 5).select(2, 3)) == "shuffle");
  CHECK(kernel_of(image(u8, 3).repeat(2, 2)) == "shuffle");
  CHECK(kernel_of(image(f32, 4).repeat(4, 2)) == "shuffle");
  CHECK(kernel_of(image(f64, 1).flip(1)) == "reverse");
  CHECK(kernel_of(image(u8, 1).flip(1)) == "reverse");
  CHECK(kernel_of(image(u8, 2).select(2, 0)) == "take");
  CHECK(kernel_of(image(f32, 4).reshape({20, 320}).unfold(1, 16, 4)) == "strided");
}

TEST_CASE("shuffled pixels of small, parallel and streamed images have the elements they must") {
  for (const auto& [rows, columns] : {std::pair{3, 70}, std::pair{300, 451}, std::pair{1300, 2160}})
    for (const DType dtype : {u8, u16}) {
      const std::int64_t channels = dtype == u8 ? 3 : 4;
      const Tensor x = weft::testing::leaf(dtype, {rows, columns, channels});
      CAPTURE(rows);
      CHECK(weft::testing::disagreement(x.flip(2)) == "");
      CHECK(weft::testing::disagreement(x.flip(1)) == "");
      CHECK(weft::testing::disagreement(x.roll(1, 2).flip({0, 1})) == "");
      CHECK(weft::testing::disagreement(x.slice({1}, {3}, {1}, {2})) == "");
      CHECK(weft::testing::disagreement(x.slice({0}, {columns / 3}, {1}, {1}).repeat(3, 1)) == "");
      CHECK(weft::testing::disagreement(x.slice({0}, {columns / 6}, {1}, {1}).repeat(6, 2)) == "");
    }
}
