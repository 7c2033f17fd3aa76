// SPDX-License-Identifier: Apache-2.0
// Boxes of rows: together they are what the pass writes, whatever the rows.
#include <doctest/doctest.h>
#include <functional>
#include <map>
#include <vector>

#include <weft/engine/run/row_boxes.h>
#include <weft/weft.h>

#include "support/random.h"

using namespace weft;
using weft::testing::Random;

namespace {

/// Where each position of a result comes from: part and place in its first operand.
using Origins = std::map<std::int64_t, std::pair<std::size_t, std::int64_t>>;

void add(const JointBox& box, std::int64_t position, std::int64_t place, std::size_t part,
         Origins& to) {
  const std::function<void(std::size_t, std::int64_t, std::int64_t)> go =
      [&](std::size_t k, std::int64_t at, std::int64_t from) {
        if (k == box.loops.size()) {
          CHECK(to.emplace(at, std::pair(part, from)).second);
          return;
        }
        const JointLoop& loop = box.loops[k];
        for (std::int64_t i = 0; i < loop.extent; ++i)
          go(k + 1, at + i * loop.stride, from + loop.steps[0].at(i));
      };
  go(0, position, place);
}

Origins origins_of(const Pass& pass) {
  Origins all;
  for (std::size_t k = 0; k < pass.copies.size(); ++k) {
    const Copy& copy = pass.copies[k];
    JointBox box{copy.out_offset, {copy.src_offset}, {}};
    for (const Loop& loop : copy.loops) {
      box.loops.push_back({loop.extent, loop.out_stride, {}});
      box.loops.back().steps.push_back({loop.src_stride, loop.src_table});
    }
    add(box, copy.out_offset, copy.src_offset, k, all);
  }
  for (std::size_t k = 0; k < pass.pieces.size(); ++k) {
    const JointBox& box = pass.pieces[k].box;
    add(box, box.offset, box.first[0], pass.copies.size() + k, all);
  }
  return all;
}

void add(const RowBox& row, std::int64_t width, std::int64_t column, Origins& to) {
  for (std::int64_t r = row.begin; r < row.end; ++r) {
    const std::int64_t step = row.steps.empty() ? 0 : row.steps[0];
    add(row.box, r * width + column + row.box.offset, row.box.first[0] + (r - row.begin) * step,
        row.part, to);
  }
}

Tensor moved(Random& random) {
  Tensor x = iota<float>({random.in(1, 7), random.in(1, 9), random.in(1, 12)});
  for (std::int64_t k = random.in(1, 4); k > 0; --k) {
    const std::int64_t axis = random.in(0, 2);
    switch (random.below(6)) {
      case 0:
        x = x.roll(random.in(-4, 4), axis);
        break;
      case 1:
        x = x.flip(axis);
        break;
      case 2:
        x = x.transpose({axis, (axis + 1) % 3, (axis + 2) % 3});
        break;
      case 3:
        x = concat({x, x.roll(1, axis)}, axis);
        break;
      case 4:
        x = x * x.flip(axis);
        break;
      default:
        x = x.slice({0}, {x.extent(axis)}, {2}, {axis});
    }
  }
  return x;
}

TEST_CASE("boxes of rows write what a pass writes, and so do the columns that they are cut to") {
  std::size_t compared = 0, several = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Plan plan = make_plan(moved(random).node_ptr());
    const Pass& pass = plan.passes.back();
    if (plan.is_alias()) continue;
    const std::int64_t width = random.in(1, 30);
    const auto boxes = row_boxes(pass, width, 4096);
    if (!boxes) continue;
    const Origins expected = origins_of(pass);
    Origins found, by_columns;
    const std::int64_t cut = random.in(1, 11);
    for (const RowBox& row : *boxes) {
      several += row.end - row.begin > 1;
      add(row, width, 0, found);
      for (std::int64_t begin = 0; begin < width; begin += cut) {
        RowBoxes clipped;
        clip_columns(row, begin, std::min(width, begin + cut), clipped);
        for (const RowBox& each : clipped) add(each, width, begin, by_columns);
      }
    }
    CHECK(found == expected);
    CHECK(by_columns == expected);
    ++compared;
  }
  CHECK(compared > 300);
  CHECK(several > 100);
}

TEST_CASE("boxes that rows do not have in common are as many as is allowed, or none") {
  const Tensor x = iota<float>({64, 48}).transpose() + 1.0f;
  const Plan plan = make_plan(x.node_ptr());
  const auto rows = row_boxes(plan.passes[0], 64, 8);
  REQUIRE(rows.has_value());
  CHECK(rows->size() == 1);
  CHECK_FALSE(row_boxes(plan.passes[0], 7, 8).has_value());
}

}  // namespace
