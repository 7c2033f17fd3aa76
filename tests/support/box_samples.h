// SPDX-License-Identifier: Apache-2.0
// Random boxes, and boxes as the pairs of positions they stand for.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <weft/graph/map/box.h>

#include "support/random.h"

namespace weft::testing {

/// An output position and where it is read from: what boxes stand for.
using Pair = std::pair<std::int64_t, std::vector<std::int64_t>>;
using Pairs = std::vector<Pair>;

inline void enumerate(const Box& box, Pairs& pairs) {
  std::vector<std::int64_t> step(box.digits.size(), 0);
  for (;;) {
    Pair pair{box.out_offset, {box.origin.begin(), box.origin.end()}};
    for (std::size_t k = 0; k < step.size(); ++k) {
      const Digit& digit = box.digits[k];
      pair.first += digit.out_at(step[k]);
      if (digit.axis != replicated)
        pair.second[static_cast<std::size_t>(digit.axis)] += digit.in_at(step[k]);
    }
    pairs.push_back(std::move(pair));
    std::size_t k = step.size();
    while (k > 0 && ++step[k - 1] == box.digits[k - 1].extent) step[--k] = 0;
    if (k == 0) return;
  }
}

inline Pairs pairs_of(const Boxes& boxes) {
  Pairs pairs;
  for (const Box& box : boxes) enumerate(box, pairs);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}
inline Pairs pairs_of(const Box& box) { return pairs_of(Boxes{box}); }

/// The pairs of `box` after `change` was done to each coordinate tuple.
template <class Change>
Pairs changed(const Box& box, Change&& change) {
  Pairs pairs = pairs_of(box);
  for (Pair& pair : pairs) change(pair.second);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

inline std::string text(const Boxes& boxes) {
  std::string lines;
  for (const Box& box : boxes) lines += "\n  " + to_string(box);
  return lines;
}

/// Canonical boxes that hold all invariants in `shape`, and the same pairs as before.
inline void check_form(Boxes boxes, const Shape& shape) {
  const Pairs before = pairs_of(boxes);
  for (Box& box : boxes) {
    canonicalise(box);
    REQUIRE_NOTHROW(check_box(box, shape));
  }
  REQUIRE(pairs_of(boxes) == before);
}

/// What a random box may have besides plain digits.
struct Kind {
  bool tables = false;
  bool replicas = true;
};

/// A random canonical box together with a shape it fits in.
struct Sample {
  Tables tables;
  Shape shape;
  Box box;
};

/// Levels of steps, each a plain digit or a table, mostly nested; windows that overlap are not.
inline void add_axis(Sample& sample, Random& random, const Kind& kind) {
  const std::int32_t axis = static_cast<std::int32_t>(sample.shape.size());
  std::int64_t low = 0, high = 0, span = 0;
  for (std::int64_t levels = random.in(0, 3); levels > 0; --levels) {
    if (element_count(sample.box) > 30) break;
    const std::int64_t unit = random.one_in(6)   ? random.in(1, span + 1)
                              : random.one_in(2) ? span + 1
                                                 : span + random.in(1, 6);
    const bool backwards = random.one_in(3);
    if (kind.tables && random.one_in(3)) {
      Table table;
      const std::int64_t extent = random.in(2, 7);
      for (std::int64_t i = 0; i < extent; ++i) table.in.push_back(unit * random.in(-6, 6));
      const auto [least, most] = std::minmax_element(table.in.begin(), table.in.end());
      low += *least;
      high += *most;
      span += *most - *least;
      if (random.one_in(2)) {
        table.out.push_back(0);
        for (std::int64_t i = 1; i < extent; ++i)
          table.out.push_back(table.out.back() + random.in(1, 3));
      }
      sample.box.digits.push_back({extent, 0, 0, axis, &sample.tables.emplace_back(table)});
    } else {
      const std::int64_t extent = random.in(2, 5);
      span += unit * (extent - 1);
      (backwards ? low : high) += (backwards ? -unit : unit) * (extent - 1);
      sample.box.digits.push_back({extent, 0, backwards ? -unit : unit, axis});
    }
  }
  sample.box.origin.push_back(random.in(0, 3) - low);
  sample.shape.push_back(sample.box.origin.back() + high + random.in(1, 3));
}

/// Boxes point into their tables, so a sample is filled where it stays.
inline void fill(Sample& sample, Random& random, const Kind& kind) {
  Box& box = sample.box;
  box.tables = &sample.tables;
  for (std::int64_t rank = random.in(1, 3); rank > 0; --rank) add_axis(sample, random, kind);
  if (kind.replicas && random.one_in(3)) box.digits.push_back({random.in(2, 4), 0, 0, replicated});
  random.shuffle(box.digits);
  std::int64_t span = 0;
  for (std::size_t k = box.digits.size(); k-- > 0;) {
    Digit& digit = box.digits[k];
    const std::int64_t stride = span + (random.one_in(2) ? 1 : random.in(1, 4));
    if (digit.table && !digit.table->out.empty()) {
      Table& table = sample.tables.emplace_back(*digit.table);
      for (std::int64_t& offset : table.out) offset *= stride;
      std::int64_t smallest = table.out[1];
      for (std::size_t i = 2; i < table.out.size(); ++i)
        smallest = std::min(smallest, table.out[i] - table.out[i - 1]);
      digit.table = &table;
      digit.out_stride = smallest;
    } else {
      digit.out_stride = stride;
    }
    span += digit.out_span();
  }
  box.out_offset = random.in(0, 50);
  // Reversing a plain digit changes nothing but the look; canonicalise must undo it.
  for (Digit& digit : box.digits) {
    if (digit.table || !random.one_in(4)) continue;
    box.out_offset += digit.out_stride * (digit.extent - 1);
    digit.out_stride = -digit.out_stride;
    if (digit.axis == replicated) continue;
    box.origin[static_cast<std::size_t>(digit.axis)] += digit.in_stride * (digit.extent - 1);
    digit.in_stride = -digit.in_stride;
  }
}

/// Calls `law(sample, random)` for many random boxes, canonical ones, with and without tables.
template <class Law>
void for_random_boxes(std::uint64_t seed, Law&& law) {
  Random random(seed);
  for (int i = 0; i < 2000; ++i) {
    Sample sample;
    fill(sample, random, {.tables = i % 2 == 1});
    canonicalise(sample.box);
    REQUIRE_NOTHROW(check_box(sample.box, sample.shape));
    INFO("box ", to_string(sample.box), " in ", to_string(sample.shape));
    law(sample, random);
  }
}

/// A random axis of the sample, which has at least one.
inline std::int32_t some_axis(const Sample& sample, Random& random) {
  return static_cast<std::int32_t>(random.below(sample.shape.size()));
}

}  // namespace weft::testing
