// SPDX-License-Identifier: Apache-2.0
// The table of kernels: whatever it chooses, and whoever else says that it matches, moves a nest
// right and counts it; whatever the order of the files, the choice is the same.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <thread>

#include "support/nests.h"
#include "support/random.h"

using namespace weft;
using weft::testing::Moved;
using weft::testing::Random;

namespace {

constexpr std::int64_t most_elements = 3000;

/// Loops that write each place of the output once, in elements, innermost first; the source steps
/// as transposes, reversals, repetitions and strides make it.
Nest random_nest(Random& random, const std::vector<std::int64_t>& table) {
  const std::int64_t element = std::int64_t{1} << random.in(0, 4);
  Nest nest;
  nest.element = element;
  nest.unit = element * (random.one_in(3) ? random.in(1, 40) : 1);
  std::int64_t out = nest.unit * (random.one_in(4) ? 2 : 1), steps = 1;
  const std::int64_t rank = random.in(0, 4);
  SmallVector<NestLoop, 6> inner_first;
  for (std::int64_t k = 0; k < rank; ++k) {
    const std::int64_t extent = random.one_in(3) ? random.in(2, 4) : random.in(2, 70);
    if (steps * extent > most_elements) break;
    inner_first.push_back({extent, out, {0}});
    out *= extent;
    if (random.one_in(4)) out += nest.unit * random.in(1, 9);
    steps *= extent;
  }
  // The axes of the source in some order of the loops.
  std::vector<std::size_t> order(inner_first.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  if (random.one_in(2)) random.shuffle(order);
  std::int64_t src = nest.unit * (random.one_in(4) ? random.in(1, 3) : 1);
  for (const std::size_t k : order) {
    NestLoop& loop = inner_first[k];
    if (random.one_in(8)) continue;  // the same again
    loop.src[0] = random.one_in(4) ? -src : src;
    src *= loop.extent;
    if (random.one_in(6)) src += nest.unit * random.in(1, 5);
  }
  for (std::size_t k = inner_first.size(); k-- > 0;) nest.loops.push_back(inner_first[k]);
  if (!nest.loops.empty() && random.one_in(8)) {
    const std::size_t k = random.below(nest.loops.size());
    nest.loops[k].src_table = table.data();
  }
  return nest;
}

/// The same loops over two sources: units in turn, or groups of channels that are rolled, or read
/// by a table.
Nest random_joint_nest(Random& random, const std::vector<std::int64_t>& table) {
  const std::int64_t unit = std::int64_t{1} << random.in(0, 3), count = random.in(2, 90);
  Nest nest;
  nest.unit = unit;
  nest.sources = 2;
  const bool is_group = random.one_in(2);
  const std::int64_t channels = is_group ? random.in(2, 5) : 2;
  const std::int64_t a = is_group ? channels : random.in(1, 3);
  const std::int64_t b = is_group ? channels : random.in(1, 3);
  for (std::int64_t rows = random.in(0, 2); rows > 0; --rows)
    nest.loops.push_back({3, 0, {a * count * unit, (is_group ? a : b) * count * unit}});
  nest.loops.push_back({count, channels * unit, {a * unit, b * unit}});
  std::int64_t out = channels * unit * count;
  for (std::size_t k = nest.loops.size() - 1; k-- > 0; out *= 3) nest.loops[k].dst = out;
  nest.of[1].memory = is_group ? 0 : 1;
  nest.of[1].dst = unit;
  if (is_group) {
    const std::int64_t shift = random.in(1, channels - 1);
    if (random.one_in(4)) {
      static constexpr std::int64_t places[] = {0, 1, 2, 3, 4};
      nest.element = unit;
      nest.of[1].dst = 0;
      for (const std::size_t s : {0, 1}) {
        nest.of[s].listed = s == 0 ? channels - shift : shift;
        nest.of[s].dst_table = s == 0 ? places + shift : places;
        nest.of[s].src_table = table.data() + random.in(0, 9);
      }
      return nest;
    }
    nest.of[0].dst = shift * unit;
    nest.of[1].dst = 0;
    nest.of[1].src = (channels - shift) * unit;
    if (channels - shift > 1) nest.of[0].own.push_back({channels - shift, unit, unit});
    if (shift > 1) nest.of[1].own.push_back({shift, unit, unit});
  }
  return nest;
}

/// Rows of two runs and what is between them by a table.
Nest random_listed_rows(Random& random, std::vector<std::int64_t>& row) {
  Nest nest;
  nest.unit = nest.element = std::int64_t{1} << random.in(0, 3);
  row.clear();
  const auto add = [&](std::int64_t count, std::int64_t from, std::int64_t step) {
    for (std::int64_t k = 0; k < count; ++k) row.push_back(from + k * step);
  };
  add(random.in(130, 300), random.in(0, 9), 1);
  add(random.in(1, 9), random.in(20, 30), random.in(-1, 0));
  add(random.in(130, 300), random.in(0, 9), 1);
  const std::int64_t bytes = std::ssize(row) * nest.element;
  nest.loops.push_back({random.in(1, 5), bytes, {random.in(-1, 1) * bytes}});
  nest.loops.push_back({std::ssize(row), nest.unit, {0}, nullptr, row.data()});
  return nest;
}

/// Several sources that move alike.
Nest random_stack(Random& random) {
  Nest nest;
  nest.unit = std::int64_t{1} << random.in(0, 4);
  nest.sources = static_cast<std::size_t>(random.in(3, static_cast<std::int64_t>(most_stacked)));
  const std::int64_t count = random.in(2, 90);
  const std::int64_t row = static_cast<std::int64_t>(nest.sources) * nest.unit;
  nest.loops.push_back({3, count * row, {count * nest.unit}});
  nest.loops.push_back({count, row, {random.in(1, 2) * nest.unit}});
  return nest;
}

/// Every kernel that says it matches carries the nest out; two never at the same cost.
void check_all(const Nest& nest, const Writing& writing, std::int64_t shift,
               std::map<std::string, int>& runs) {
  const Moved moved(nest, shift);
  std::set<Cost> costs;
  for (const KernelDefinition* kernel : kernel_table()) {
    Nest looked = moved.nest();
    if (!(kernel->forms & looked.look())) continue;
    const Cost cost = kernel->match(looked, writing);
    if (cost == no_match) continue;
    CAPTURE(kernel->name);
    CHECK(costs.insert(cost).second);
    Bound bound;
    Nest left = moved.nest();
    if (!bind(*kernel, left, writing, bound)) {
      CHECK(left.loops.size() == nest.loops.size());
      continue;
    }
    ++runs[std::string(kernel->name)];
    CHECK(moved.is_made_by(bound));
    weft::testing::check_counts(moved, bound);
  }
  Bound bound;
  Nest left = moved.nest();
  const bool is_bound = bind_cheapest(left, writing, bound);
  CHECK((is_bound || nest.sources > 1));
  if (!is_bound) return;
  CHECK(moved.is_made_by(bound));
  const Bound copy = bound;  // owns all that it needs
  bound = {};
  CHECK(moved.is_made_by(copy));
}

}  // namespace

TEST_CASE(
    "random nests are moved by whatever the table chooses, and by every kernel that matches") {
  constexpr std::uint64_t seed = 20261122;
  Random random(seed);
  std::vector<std::int64_t> table(70);
  for (std::int64_t& place : table) place = random.in(0, 50);
  std::map<std::string, int> runs;
  for (int round = 0; round < 20000; ++round) {
    CAPTURE(seed);
    CAPTURE(round);
    std::vector<std::int64_t> row;
    const Nest nest = random.one_in(6)    ? random_joint_nest(random, table)
                      : random.one_in(20) ? random_stack(random)
                      : random.one_in(20) ? random_listed_rows(random, row)
                                          : random_nest(random, table);
    const bool streams = random.one_in(3);
    check_all(nest,
              {.streams = streams,
               .streams_turned = streams,
               .streams_early = streams || random.one_in(4),
               .is_vast = streams && random.one_in(2),
               .in_turns = streams && round % 2 == 0,
               .owns_gaps = !streams},
              random.in(0, 63), runs);
  }
  const std::set<std::string_view> by_lines{"long_shuffle", "long_weave", "weave_lines"};
  for (const KernelDefinition* kernel : kernel_table()) {
    CAPTURE(kernel->name);
    const int times = runs[std::string(kernel->name)];
    if (permutes_lines() || by_lines.count(kernel->name) == 0) CHECK(times >= 10);
    else CHECK(times == 0);
  }
}

TEST_CASE("every file of kernels is in the table, once, under a name of its own") {
  std::set<std::string_view> names;
  for (const KernelDefinition* kernel : kernel_table()) CHECK(names.insert(kernel->name).second);
  for (const char* name : {"run", "fill", "reverse", "take", "put", "strided", "table", "transpose",
                           "interleave", "deinterleave", "shuffle", "weave"})
    CHECK(names.count(name) == 1);
  CHECK(names.size() <= most_kernels);
}

TEST_CASE("kernels that several threads run are counted together") {
  if (!counts_kernels()) return;
  const Moved moved(weft::testing::nest_of_loops(4, {{100, 8, 12}}));
  Nest nest = moved.nest();
  Bound bound;
  REQUIRE(bind_cheapest(nest, {}, bound));
  reset_kernel_counts();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        std::vector<std::byte> out(2000);
        carry_out(bound, out.data(), moved.sources());
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(kernel_counts() == std::vector<KernelCount>{{"strided", 200, {200 * 400, 200 * 400}}});
  reset_kernel_counts();
  CHECK(kernel_counts().empty());
}
