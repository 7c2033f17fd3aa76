// SPDX-License-Identifier: Apache-2.0
// Blocks of what is computed: where they begin, and what their operands take aside.
#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <weft/engine/run/blocks.h>
#include <weft/weft.h>

#include "support/random.h"

using namespace weft;
using weft::testing::Random;

namespace {

constexpr std::byte untouched{0xA5};

/// Whether what puts operands aside, for blocks of each kind, writes where its own place is.
bool keeps_to_its_place(const Plan& plan, const BlockSteps& steps, const BlockPiece& piece) {
  std::vector<std::int64_t> places{steps.aside_bytes};
  for (const BlockOperand& operand : piece.operands) {
    if (operand.finding == Finding::gathered) places.push_back(operand.aside);
    if (operand.staged >= 0) places.push_back(operand.staged);
  }
  std::sort(places.begin(), places.end());
  constexpr std::int64_t behind = 256;
  std::vector<std::byte> memory(static_cast<std::size_t>(steps.aside_bytes + behind));
  const auto run = [&](std::uint32_t gather, std::int64_t place, const std::byte* from) {
    std::fill(memory.begin(), memory.end(), untouched);
    carry_out(steps.moves[gather], memory.data() + place, from);
    const std::int64_t end = *std::upper_bound(places.begin(), places.end(), place);
    const auto is_untouched = [](std::byte each) { return each == untouched; };
    return std::all_of(memory.begin(), memory.begin() + place, is_untouched) &&
           std::all_of(memory.begin() + end, memory.end(), is_untouched);
  };
  bool is_right = true;
  piece.for_each_kind([&](std::size_t kind, std::int64_t rows, std::int64_t columns, std::int64_t) {
    for (const BlockOperand& operand : piece.operands) {
      if (operand.finding != Finding::gathered) continue;
      const std::byte* from = plan.sources[operand.source].value.get() + operand.first;
      const std::uint32_t gather = operand.gather[kind];
      std::vector<std::byte> runs;
      if (operand.staged >= 0) {
        is_right = is_right && run(gather - 1, operand.staged, from);
        runs.assign(memory.begin() + operand.staged, memory.end());
        from = runs.data();
      }
      is_right = is_right && run(gather, operand.aside, from);
      const std::int64_t pitch = operand.aside_pitch[kind % BlockLoop::kinds];
      is_right = is_right && pitch >= columns * operand.bytes &&
                 operand.aside + rows * pitch <=
                     *std::upper_bound(places.begin(), places.end(), operand.aside);
    }
  });
  return is_right;
}

/// What the steps of a plan of one pass make, on two threads; checks first where they put operands.
std::vector<float> made_by(const Plan& plan, const BlockSteps& steps, std::int64_t count) {
  for (const BlockPiece& piece : steps.pieces) CHECK(keeps_to_its_place(plan, steps, piece));
  std::vector<float> made(static_cast<std::size_t>(count));
  std::vector<const std::byte*> sources;
  for (const PlanSource& source : plan.sources) sources.push_back(source.value.get());
  run(steps, plan.passes[0], reinterpret_cast<std::byte*>(made.data()), sources, 2);
  return made;
}

/// Those of a plan of one pass, in blocks of any size.
BlockSteps random_steps(const Plan& plan, Random& random) {
  BlockLimits limits;
  limits.shrink = static_cast<int>(random.in(0, 6));
  return make_block_steps(plan.passes[0], limits);
}

}  // namespace

TEST_CASE("blocks: a loop whose first block is shorter is covered once, by blocks of known kinds") {
  for (std::int64_t extent = 1; extent < 40; ++extent)
    for (std::int64_t most = 1; most <= extent; ++most)
      for (std::int64_t lead = 0; lead < std::min(most, extent); ++lead) {
        const BlockLoop loop{extent, 1, most, lead};
        std::int64_t at = 0;
        std::array<std::int64_t, BlockLoop::kinds> steps{}, blocks{};
        for (std::int64_t b = 0; b < loop.blocks(); ++b) {
          REQUIRE(loop.begin(b) == at);
          REQUIRE(loop.steps(b) >= 1);
          REQUIRE(loop.steps(b) <= most);
          at += loop.steps(b);
          ++blocks[loop.kind(b, loop.blocks())];
          steps[loop.kind(b, loop.blocks())] = loop.steps(b);
        }
        REQUIRE(at == extent);
        loop.for_each_kind([&](std::size_t kind, std::int64_t its_steps, std::int64_t its_blocks) {
          REQUIRE(its_steps == steps[kind]);
          REQUIRE(its_blocks == blocks[kind]);
          blocks[kind] = 0;
        });
        REQUIRE(blocks == std::array<std::int64_t, BlockLoop::kinds>{});
      }
}

TEST_CASE("blocks: operands are put aside each in its own place, whatever block is the last") {
  Random random(1);
  INFO("seed 1");
  for (int draw = 0; draw < 300; ++draw) {
    const DType dtype =
        opaque(static_cast<std::uint32_t>(std::array{1, 2, 3, 4, 6, 8, 12, 16}[random.below(8)]));
    const std::int64_t rows = random.in(1, 700), columns = random.in(1, 1200);
    const std::int64_t width = random.one_in(3) ? random.in(1, 40) : 1;
    const auto bytes = static_cast<std::int64_t>(dtype.size());
    const Tensor all = full({rows * columns * width * bytes}, false).eval();
    const Tensor x = all.view_as(dtype).reshape({width, columns, rows}).eval();
    const Tensor y = all.view_as(dtype).reshape({rows, columns, width}).eval();
    const Tensor mask = full({rows, columns, width}, true).eval();
    const Tensor chosen = where(mask.roll(1, random.one_in(2) ? 0 : 1), x.transpose(),
                                random.one_in(2) ? y : x.transpose().flip(0));
    const Plan plan = make_plan(chosen.node_ptr());
    for (const Pass& pass : plan.passes) {
      if (!pass.has_program()) continue;
      const BlockSteps steps = make_block_steps(pass);
      for (const BlockPiece& piece : steps.pieces) {
        CAPTURE(to_string(chosen.shape()));
        CAPTURE(dtype.size());
        bool reads_stored = true;
        for (const BlockOperand& operand : piece.operands)
          reads_stored = reads_stored && plan.sources[operand.source].value;
        if (reads_stored) CHECK(keeps_to_its_place(plan, steps, piece));
      }
    }
  }
}

TEST_CASE("blocks: what a row repeats, and a group holds whole, is not put aside") {
  for (const std::int64_t period : {2, 4, 8, 64, 3, 24})
    for (const std::int64_t rows : {1, 3, 5, 33, 129, 1000})
      for (const bool are_apart : {false, true}) {
        CAPTURE(period);
        CAPTURE(rows);
        const Tensor x = iota<float>({7, rows, period}).eval();
        const Tensor each = iota<float>({are_apart ? 7 : 1, 1, period}, 100).eval();
        const Tensor sum = (x + each) * 0.5f - each;
        const Plan plan = make_plan(sum.node_ptr());
        REQUIRE(plan.passes.size() == 1);
        const BlockSteps steps = make_block_steps(plan.passes[0]);
        const bool is_whole = steps.program.core->group % period == 0;
        const auto is_put_aside = [](const BlockOperand& operand) {
          return operand.finding == Finding::gathered;
        };
        for (const BlockPiece& piece : steps.pieces)
          if (is_whole && !are_apart)  // those may be one row
            CHECK(std::none_of(piece.operands.begin(), piece.operands.end(), is_put_aside));
        const std::vector<float> made = sum.to_vector<float>();
        const float *const a = x.data<float>(), *const b = each.data<float>();
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < made.size(); ++i) {
          const auto column = i % static_cast<std::size_t>(period),
                     outer = i / static_cast<std::size_t>(rows * period);
          const float y = b[(are_apart ? outer * static_cast<std::size_t>(period) : 0) + column];
          wrong += made[i] != (a[i] + y) * 0.5f - y;
        }
        CHECK(wrong == 0);
      }
}

TEST_CASE("blocks: what is turned in short runs is read or written in those that follow, too") {
  Random random(2);
  INFO("seed 2");
  for (int draw = 0; draw < 120; ++draw) {
    const std::int64_t a = random.in(2, 9), b = random.in(2, 9),
                       n = random.one_in(3) ? random.in(2000, 9000) : random.in(64, 400);
    CAPTURE(to_string(Shape{a, b, n}));
    const Tensor x = iota<float>({n, a, b}).eval(), y = iota<float>({a, b, n}, 7).eval();
    // The flip keeps loops from being one.
    const bool turns_result = random.one_in(2);
    const Tensor sum = turns_result ? ((y * 2.f + y.flip(0)) * y).permute_dims({2, 0, 1})
                                    : (x.permute_dims({1, 2, 0}) + y.flip(0)) * 2.f;
    const Plan plan = make_plan(sum.node_ptr(), {.stored_bytes = 0});
    REQUIRE(plan.passes.size() == 1);
    const std::vector<float> made = made_by(plan, random_steps(plan, random), a * b * n);
    const float *const of_x = x.data<float>(), *const of_y = y.data<float>();
    std::size_t wrong = 0;
    for (std::int64_t i = 0; i < a; ++i)
      for (std::int64_t j = 0; j < b; ++j)
        for (std::int64_t k = 0; k < n; ++k) {
          const float own = of_y[(i * b + j) * n + k],
                      flipped = of_y[((a - 1 - i) * b + j) * n + k];
          const std::int64_t turned = (k * a + i) * b + j;
          wrong += turns_result
                       ? made[static_cast<std::size_t>(turned)] != (own * 2.f + flipped) * own
                       : made[static_cast<std::size_t>((i * b + j) * n + k)] !=
                             (of_x[turned] + flipped) * 2.f;
        }
    CHECK(wrong == 0);
  }
}

TEST_CASE("blocks: elements that are repeated before the next ones are put side by side once") {
  Random random(3);
  INFO("seed 3");
  std::size_t staged = 0;
  for (int draw = 0; draw < 200; ++draw) {
    const std::int64_t a = random.in(2, 40), times = random.in(2, 60), p = random.in(1, 4),
                       q = random.in(2, 4), own = p * q;
    CAPTURE(to_string(Shape{a, times, p, q}));
    const Tensor x = iota<float>({a, times, own}).eval(), few = iota<float>({a, q, p}, 7).eval();
    const Tensor y = few.permute_dims({0, 2, 1}).reshape({a, 1, own});
    const Tensor made = (x * 2.f + y) * x;
    const Plan plan = make_plan(made.node_ptr());
    if (plan.passes.size() > 1) continue;
    const BlockSteps steps = random_steps(plan, random);
    for (const BlockPiece& piece : steps.pieces)
      for (const BlockOperand& operand : piece.operands) staged += operand.staged >= 0;
    const std::vector<float> values = made_by(plan, steps, a * times * own);
    const float *const of_x = x.data<float>(), *const of_few = few.data<float>();
    std::size_t wrong = 0;
    for (std::int64_t i = 0; i < a; ++i)
      for (std::int64_t k = 0; k < times * own; ++k) {
        const std::int64_t at = i * times * own + k, column = k % own;
        const float other = of_few[(i * q + column % q) * p + column / q];
        wrong += values[static_cast<std::size_t>(at)] != (of_x[at] * 2.f + other) * of_x[at];
      }
    CHECK(wrong == 0);
  }
  CHECK(staged > 50);
}

TEST_CASE("blocks: where of operands that lie alike, turned, is computed as they lie") {
  const auto check = [](const Tensor& x, const Shape& order) {
    CAPTURE(x.dtype().name());
    CAPTURE(to_string(x.shape()));
    std::vector<std::uint8_t> bits;
    std::uint64_t state = 1;
    for (std::int64_t k = 0; k < element_count(x.shape()); ++k) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      bits.push_back(static_cast<std::uint8_t>(state >> 63));
    }
    const Tensor mask = copy_from(bits.data(), bool_, x.shape()), other = x.flip(0).eval(),
                 chosen = where(mask, x, other), turned = chosen.transpose(order);
    const bool is_link = x.dtype() != opaque(3);
    PlanLimits limits;
    limits.stored_bytes = 0;
    const Plan plan = make_plan(turned.node_ptr(), limits);
    REQUIRE(plan.passes.size() == 1);
    CHECK((make_block_steps(plan.passes[0]).kernel == nullptr) == is_link);
    CHECK(explain(chosen).find("select") != std::string::npos);
    const Tensor apart = where(mask, x, other).eval().transpose(order).eval();
    // Where it may store little it turns operands or the result.
    for (const std::int64_t limit : {std::int64_t{0}, 3 * turned.bytes() + (1 << 18)}) {
      const Tensor made = turned.eval({.threads = 2, .memory_limit = limit});
      CHECK(std::memcmp(made.node().value().get(), apart.node().value().get(),
                        static_cast<std::size_t>(made.bytes())) == 0);
    }
  };
  for (const DType dtype : {u8, i16, f32, f64}) {
    check(iota<std::int64_t>({41, 67}).astype(dtype).eval(), {1, 0});
    check(iota<std::int64_t>({20, 50, 33}).astype(dtype).eval(), {2, 1, 0});
    // Past the caches, in whole lines and not.
    check(iota<std::int64_t>({2048, 4224}).astype(dtype).eval(), {1, 0});
    check(iota<std::int64_t>({2047, 4201}).astype(dtype).eval(), {1, 0});
  }
  check(iota<std::uint8_t>({60, 40, 3}).view_as(opaque(3)).reshape({60, 40}).eval(), {1, 0});
}

TEST_CASE("blocks: rows go on in further loops until what is turned is read in runs") {
  const Tensor x = full({11423, 2, 192}, std::uint16_t{1}).eval();
  const Tensor y = full({2, 192, 11423}, std::uint16_t{2}).eval();
  const Plan plan = make_plan((x.permute_dims({1, 2, 0}).flip(0) + y * y.flip(1)).node_ptr());
  REQUIRE(plan.passes.size() == 1);
  for (const BlockPiece& piece : make_block_steps(plan.passes[0]).pieces)
    CHECK(piece.rows.most * piece.height >= 64);
}

TEST_CASE("blocks: whole rows are packed only where what is turned keeps its runs") {
  const Tensor x = full({2048, 2048}, std::uint8_t{1}).eval();
  const Plan plan = make_plan((x.transpose() * 3).node_ptr());
  REQUIRE(plan.passes.size() == 1);
  for (const BlockPiece& piece : make_block_steps(plan.passes[0]).pieces)
    CHECK(piece.rows.most * piece.height >= 64);
}

TEST_CASE("blocks: short rows go on until the loop that an operand is turned along") {
  Random random(7);
  const Tensor x = iota<std::int32_t>({30, 3, 50, 8}).astype(f32).eval();
  const Plan plan = make_plan((x.transpose({1, 3, 0, 2}) * 2).node_ptr());
  REQUIRE(plan.passes.size() == 1);
  const BlockPiece piece = make_block_steps(plan.passes[0]).pieces[0];
  CHECK(piece.rows.extent == 8);
  CHECK(piece.columns.extent * piece.width == 30 * 50);
  std::vector<float> expected;
  for (int b = 0; b < 3; ++b)
    for (int d = 0; d < 8; ++d)
      for (int a = 0; a < 30; ++a)
        for (int c = 0; c < 50; ++c)
          expected.push_back(static_cast<float>(2 * (((a * 3 + b) * 50 + c) * 8 + d)));
  for (int k = 0; k < 10; ++k)
    CHECK(made_by(plan, random_steps(plan, random), x.node().count()) == expected);
}

TEST_CASE("blocks: a kernel takes many rows at once, and few loops around them within those") {
  Random random(5);
  const std::int64_t rows = 1500, columns = 80;
  const Tensor x = iota<float>({rows, columns}).eval(),
               y = full({3, rows, 2, columns}, -1.0f).eval();
  const Tensor mask = (iota<std::int32_t>({3, rows, 2, columns}) % 7 < 3).eval();
  const Plan plan = make_plan(where(mask, x.reshape({rows, 1, columns}), y).node_ptr());
  std::vector<float> expected;
  for (std::int64_t k = 0; k < y.node().count(); ++k) {
    const std::int64_t at = k / (2 * columns) % rows * columns + k % columns;
    expected.push_back(k % 7 < 3 ? static_cast<float>(at) : -1.0f);
  }
  for (int k = 0; k < 20; ++k) {
    const BlockSteps steps = random_steps(plan, random);
    REQUIRE(steps.kernel);
    CHECK(steps.pieces[0].is_within);
    CHECK(steps.pieces[0].rows.extent == rows);
    CHECK(made_by(plan, steps, y.node().count()) == expected);
  }
}

TEST_CASE("blocks: around a block there may be any number of loops") {
  Random random(6);
  constexpr std::int64_t columns = 64;
  for (const std::size_t loops : {2u, 7u, 10u}) {
    Shape whole(loops, 3), few(loops, 2);
    whole.push_back(columns);
    few.push_back(columns);
    Tensor x = iota<std::int32_t>(whole).astype(f32).eval();
    for (std::size_t axis = 0; axis < loops; ++axis)
      x = x.slice({0}, {3}, {2}, {static_cast<std::int64_t>(axis)});
    const Tensor y = full(few, -1.0f).eval(), mask = (iota<std::int32_t>(few) % 7 < 3).eval();
    const Plan plan = make_plan(where(mask, x, y).node_ptr());
    std::vector<float> expected;
    for (std::int64_t k = 0; k < y.node().count(); ++k) {
      std::int64_t at = k % columns, stride = 2 * columns;
      for (std::size_t bit = 0; bit < loops; ++bit, stride *= 3)
        at += (k / columns >> bit & 1) * stride;
      expected.push_back(k % 7 < 3 ? static_cast<float>(at) : -1.0f);
    }
    for (int k = 0; k < 5; ++k) {
      const BlockSteps steps = random_steps(plan, random);
      REQUIRE(steps.kernel);
      CHECK(steps.pieces[0].around.size() + 1 == loops);
      CHECK(made_by(plan, steps, y.node().count()) == expected);
    }
  }
}

TEST_CASE("blocks: those behind the first begin where lines of the turned operand do") {
  const Tensor x = full({1024, 2048}, std::uint8_t{1}).eval();
  const Tensor y = full({2048, 1024}, std::uint8_t{2}).eval();
  const Tensor mask = full({2048, 1024}, true).eval();
  const Plan plan = make_plan(where(mask.roll(1, 0), x.transpose(), y).node_ptr());
  REQUIRE(plan.passes.size() == 1);
  const BlockSteps steps = make_block_steps(plan.passes[0]);
  const BlockPiece& piece = steps.pieces.back();
  REQUIRE(piece.operands[1].first == 1);
  REQUIRE(piece.rows.blocks() > 2);
  CHECK((piece.operands[1].first + piece.rows.begin(1)) % 64 == 0);
  CHECK((piece.operands[1].first + piece.rows.begin(2)) % 64 == 0);
}

TEST_CASE("blocks of several loops lie as the result does, and small passes have one") {
  const auto piece_of = [](const Tensor& y, std::size_t pieces = 1) {
    const Plan plan = make_plan(y.node_ptr());
    REQUIRE(plan.passes.size() == 1);
    const BlockSteps steps = make_block_steps(plan.passes[0]);
    REQUIRE(steps.pieces.size() == pieces);
    return steps.pieces[0];
  };
  // What is turned goes on in another loop: the outermost one is cut.
  const Tensor x = arange(14 * 10 * 2 * 72).reshape({14, 10, 2, 72}).eval();
  const Tensor turned = x.slice({0}, {14}, {2}, {0}).transpose({3, 2, 0, 1});
  CHECK_FALSE(piece_of(turned + 1).result.is_aside());
  CHECK_FALSE(piece_of(turned.astype(i64).slice({0}, {9}, {1}, {0}) + 1).result.is_aside());
  // One operand is put aside, which ends in rows of 73; the others lie in place but from row 40.
  const Tensor tiles = full({4, 55, 73}, 1.f).eval().tile({2, 1, 1}).roll(40, 1);
  const BlockPiece rolled =
      piece_of(minimum(tiles.slice({0, 0, 0}, {8, 55, 70}), full({8, 55, 70}, 2.f).eval()), 2);
  CHECK_FALSE(rolled.result.is_aside());
  CHECK(std::count_if(rolled.operands.begin(), rolled.operands.end(), [](const BlockOperand& each) {
          return each.finding == Finding::gathered;
        }) == 1);
  CHECK(piece_of(-full({13, 2, 1007}, 1).astype(i8).eval().repeat(2, 2)).blocks == 1);
}

TEST_CASE("what takes long is divided, however few bytes it makes") {
  const auto tasks_of = [](const Tensor& y) {
    const Plan plan = make_plan(y.node_ptr());
    REQUIRE(plan.passes.size() == 1);
    return make_block_steps(plan.passes[0]).tasks();
  };
  const Tensor x = full({60'000}, 1.f).eval(), row = full({1'000}, 1.f).eval();
  CHECK(tasks_of(x + 1) == 1);
  CHECK(tasks_of(x.sin()) % 2 == 0);
  CHECK(tasks_of(row.sin()) == 1);
  // Bytes that are read count, in lines; what is read again does not.
  const Tensor wide = full({480'000}, 1.f).eval();
  CHECK(tasks_of(wide.slice({0}, {480'000}, {8}, {0}) < 1) % 2 == 0);
  CHECK(tasks_of(full({60, 1'000}, 1.f).eval() < row) == 1);
}
