// SPDX-License-Identifier: Apache-2.0
// How long threads wait for lines that they share.
#include <doctest/doctest.h>

#include <weft/engine/run/shared_lines.h>

using namespace weft;

namespace {

Copy copy_of(std::initializer_list<Loop> loops) {
  Copy copy{0, 0, 0, 0, {}};
  for (const Loop& loop : loops) copy.loops.push_back(loop);
  return copy;
}

double wait_at(const Copy& copy, std::size_t loop, std::int64_t steps, bool reads_made = false) {
  return wait_of({copy, loop, steps, 4, reads_made});
}

}  // namespace

TEST_CASE("shared lines: one a row where rows are cut, none where parts end with lines") {
  const Copy ragged = copy_of({{40, 50, 1}, {50, 1, 40}});
  CHECK(wait_at(ragged, 1, 10) > 10 * wait_at(copy_of({{2, 50, 1}, {50, 1, 2}}), 1, 10));
  CHECK(wait_at(ragged, 0, 10) < wait_at(ragged, 1, 10));
  const Copy whole = copy_of({{40, 64, 1000}, {64, 1, 100}});
  CHECK(wait_at(whole, 1, 16) == 0);
  CHECK(wait_at(whole, 1, 10) > 0);
  CHECK(wait_at(whole, 0, 1) == 0);
  Copy late = whole;
  late.out_offset = 3;
  CHECK(wait_at(late, 0, 1) > 0);
}

TEST_CASE("shared lines: where a table leads is not looked at") {
  const std::int64_t places[] = {0, 7, 3, 9};
  CHECK(wait_at(copy_of({{4, 50, 0, places}, {50, 1, 40}}), 1, 10) == 0);
}

TEST_CASE("shared lines: what both read is waited for where steps are shorter than a line") {
  const Copy near = copy_of({{64, 16, 4}, {16, 1, 256}});
  const Copy far = copy_of({{64, 16, 16}, {16, 1, 1024}});
  CHECK(wait_at(near, 0, 8) > 0);
  CHECK(wait_at(far, 0, 8) == 0);
}

TEST_CASE("shared lines: what passes have made is cut as it was made") {
  const Copy along = copy_of({{64, 160, 1600}, {10, 16, 160}, {16, 1, 1}});
  const Copy across = copy_of({{64, 160, 16}, {10, 16, 1024}, {16, 1, 1}});
  CHECK(wait_at(along, 0, 1, true) == wait_at(along, 0, 1));
  CHECK(wait_at(across, 0, 1, true) > wait_at(across, 0, 1));
  CHECK(wait_at(across, 1, 1, true) == wait_at(across, 1, 1));
}
