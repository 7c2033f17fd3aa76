// SPDX-License-Identifier: Apache-2.0
// The assemble kernel: rows of runs, values again and again, and single elements.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <vector>

#include <weft/engine/kernels/move/row_runs.h>

#include "support/nests.h"
#include "support/random.h"

using namespace weft;
using weft::testing::bind_named;
using weft::testing::check_carried_out;
using weft::testing::chosen;
using weft::testing::Moved;
using weft::testing::on_every_target;
using weft::testing::Random;

namespace {

/// What a source has of a row, for tables of a nest to point to.
struct Listed {
  std::vector<std::int64_t> dst, src;

  void add(std::int64_t to, std::int64_t from) {
    dst.push_back(to);
    src.push_back(from);
  }
};
using Row = std::array<Listed, 2>;

/// A run of most of the row, and a few parts of all kinds, of one source or two.
std::int64_t write_row(Random& random, std::int64_t element, bool are_two, Row& row) {
  row = {};
  std::int64_t length = 0;
  const auto add = [&](std::int64_t count, std::int64_t step) {
    Listed& of = row[are_two && random.one_in(2) ? 1 : 0];
    const std::int64_t from = random.in(-90, 90);
    for (std::int64_t k = 0; k < count; ++k) of.add(length++, from + k * step);
  };
  const auto add_short = [&] {
    const std::int64_t step = random.in(-1, 1);
    add(random.in(1, step == 0 ? 90 / element + 2 : 7), step);
  };
  for (std::int64_t k = random.in(0, 2); k > 0; --k) add_short();
  add(std::max<std::int64_t>(random.in(260, 1500) / element, 20), 1);
  for (std::int64_t k = random.in(are_two ? 1 : 0, 2); k > 0; --k) add_short();
  return length;
}

Nest nest_of(Random& random, std::int64_t element, std::int64_t length, const Row& row) {
  const std::int64_t bytes = length * element, gap = random.one_in(2) ? 0 : random.in(1, 70);
  const bool are_two = !row[1].dst.empty();
  Nest nest;
  nest.unit = nest.element = element;
  nest.sources = are_two ? 2 : 1;
  nest.of[1].memory = 1;
  const std::int64_t rows = random.in(1, 70), apart = random.in(-2, 2) * bytes;
  const std::int64_t other = random.one_in(2) ? 0 : random.in(-9, 9) * element;
  if (random.one_in(2)) nest.loops.push_back({2, 2 * rows * (bytes + gap), {3 * apart, 7 * other}});
  nest.loops.push_back({rows, bytes + gap, {apart, other}});
  if (!are_two) {
    nest.loops.push_back({length, element, {0}, nullptr, row[0].src.data()});
    return nest;
  }
  for (std::size_t s = 0; s < 2; ++s) {
    nest.of[s].listed = std::ssize(row[s].dst);
    nest.of[s].dst_table = row[s].dst.data();
    nest.of[s].src_table = row[s].src.data();
  }
  return nest;
}

}  // namespace

TEST_CASE("rows of a run and some more, of one source and of two") {
  constexpr std::uint64_t seed = 20261127;
  Random random(seed);
  int made = 0, of_two = 0;
  for (int round = 0; round < 1500; ++round) {
    CAPTURE(seed);
    CAPTURE(round);
    const std::int64_t element = std::array{1, 2, 3, 4, 8, 12, 16}[random.below(7)];
    Row row;
    const std::int64_t length = write_row(random, element, random.one_in(2), row);
    if (row[0].dst.empty()) continue;
    const Moved moved(nest_of(random, element, length, row), random.in(0, 63));
    if (!find_row_runs(moved.nest())) continue;
    on_every_target([&] { check_carried_out("assemble", moved); });
    ++made;
    of_two += moved.nest().sources == 2;
  }
  CHECK(made >= 800);
  CHECK(of_two >= 300);
}

TEST_CASE("parts of a row: a run, a value, elements") {
  std::vector<std::int64_t> from{3, 2, 1};
  for (std::int64_t k = 0; k < 100; ++k) from.push_back(k);
  for (int k = 0; k < 5; ++k) from.push_back(99);
  Nest nest = weft::testing::nest_of_loops(4, {{8, 432, 400}, {108, 4, 0}});
  nest.element = 4;
  nest.loops.back().src_table = from.data();
  const auto row = find_row_runs(nest);
  REQUIRE(row.has_value());
  REQUIRE(row->count == 3);
  CHECK(row->parts[0].kind == RowRuns::run);  // the longest goes first
  CHECK(row->parts[0].bytes == 400);
  CHECK(row->parts[1].kind == RowRuns::elements);
  CHECK(row->parts[1].bytes == 12);
  CHECK(row->parts[2].kind == RowRuns::value);
  CHECK(row->parts[2].from == 396);
  CHECK(chosen(nest) == "assemble");
  // Whole lines of a row are moved as quickly one by one, and so are many single elements.
  for (std::size_t k = 0; k < from.size(); ++k)
    from[k] = k < 16 ? 200 + static_cast<std::int64_t>(k) : static_cast<std::int64_t>(k);
  nest.loops.back().extent = 96;
  CHECK_FALSE(find_row_runs(nest).has_value());
  for (std::size_t k = 0; k < from.size(); ++k) from[k] = 7 * static_cast<std::int64_t>(k);
  CHECK_FALSE(find_row_runs(nest).has_value());
}
