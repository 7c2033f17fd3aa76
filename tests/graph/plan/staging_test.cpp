// SPDX-License-Identifier: Apache-2.0
// Staging: repeated transposes are put in order once.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include <weft/weft.h>

#include <weft/graph/plan/staging.h>

#include "support/computed_graph.h"
#include "support/random.h"
#include "support/recipe.h"

namespace weft::testing {
namespace {

std::size_t passes_of(const Tensor& tensor) { return make_plan(tensor.node_ptr()).passes.size(); }

TEST_CASE("a transpose that is repeated is staged, where it is large and repeated often") {
  const Tensor x = iota<float>({150, 170});
  CHECK(passes_of(x.transpose().tile({4, 1})) == 2);
  CHECK(passes_of(x.transpose().tile({3, 1})) == 1);
  CHECK(passes_of(x.tile({4, 1})) == 1);
  CHECK(passes_of(x.flip(1).tile({4, 1})) == 1);
  CHECK(passes_of(iota<float>({15, 17}).transpose().tile({4, 1})) == 1);
  const std::string text = explain(x.transpose().tile({4, 1}));
  CHECK(text.find("pass 1: staged [25500]") != std::string::npos);
}

TEST_CASE("rows of which some elements are turned have those put side by side first") {
  const Tensor x = iota<float>({100, 120}), bytes = iota<float>({100, 480}).astype(u8).eval();
  CHECK(passes_of(x.slice({0, 0}, {100, 120}, {1, 2}).transpose()) == 2);
  CHECK(passes_of(x.slice({0, 0}, {100, 120}, {1, 4}).transpose().flip(0)) == 2);
  CHECK(passes_of(x.slice({0, 0}, {100, 120}, {1, 5}).transpose()) == 1);  // 20 bytes apart
  CHECK(passes_of(x.slice({0, 0}, {100, 120}, {2, 1}).transpose()) == 1);
  CHECK(passes_of(x.slice({0, 0}, {100, 120}, {1, 2})) == 1);
  CHECK(passes_of(x.slice({0, 0}, {20, 20}, {1, 2}).transpose()) == 1);
  CHECK(passes_of(bytes.slice({0, 0}, {100, 480}, {1, 4}).transpose()) == 2);
  // Of many steps few rows are enough; of few steps they are not.
  const auto of_rows = [](std::int64_t rows, std::int64_t steps) {
    const Tensor all = iota<float>({rows, 2 * steps}).astype(u8).eval();
    return all.slice({0, 0}, {rows, 2 * steps}, {1, 2}).transpose();
  };
  CHECK(passes_of(of_rows(2, 2500)) == 2);
  CHECK(passes_of(of_rows(16, 128)) == 2);
  CHECK(passes_of(of_rows(2, 500)) == 1);
  CHECK(passes_of(of_rows(400, 5)) == 1);
  // But of what is more than the first cache holds, bytes of any steps, wider elements of a few.
  const auto wide = [](DType dtype, std::int64_t steps) {
    const Tensor all = leaf(dtype, {20, 1000, 2 * steps}).eval();
    return passes_of(all.slice({0}, {2 * steps}, {2}, {2}).transpose());
  };
  CHECK(wide(u8, 5) == 2);
  CHECK(wide(u16, 4) == 2);
  CHECK(wide(u16, 5) == 1);
  CHECK(wide(f32, 2) == 2);
  CHECK(wide(f32, 3) == 1);
  CHECK(wide(f64, 2) == 1);
}

TEST_CASE("what is turned and repeated element by element is turned first") {
  const auto passes = [](const Shape& shape, const Shape& order, std::int64_t axis) {
    return passes_of(iota<float>(shape).transpose(order).repeat(2, axis));
  };
  CHECK(passes({20, 30, 40}, {2, 1, 0}, 2) == 2);
  CHECK(passes({20, 30, 40}, {1, 2, 0}, 2) == 2);
  CHECK(passes({20, 30, 40}, {2, 1, 0}, 1) == 1);  // rows are repeated
  CHECK(passes({5, 30, 40}, {1, 2, 0}, 2) == 1);   // few are put together
  CHECK(passes({20, 300, 3}, {2, 0, 1}, 2) == 1);  // channels are parted
  CHECK(passes({2, 10, 10}, {0, 2, 1}, 2) == 1);
  for (const DType dtype : {u8, u16, opaque(3), f32, f64})
    for (const std::int64_t times : {2, 3, 5}) {
      const Tensor x = leaf(dtype, {12, 13, 14});
      CHECK(disagreement(x.transpose().repeat(times, 2)) == "");
      CHECK(disagreement(x.transpose({1, 2, 0}).repeat(times, 2).flip(1)) == "");
      CHECK(disagreement(x.transpose().repeat(times, 2).roll({3, 5}, {1, 2})) == "");
      CHECK(disagreement(x.transpose().repeat(times, 2).repeat(2, 0)) == "");
    }
}

TEST_CASE("some elements that are turned and then repeated go in order, and are turned, first") {
  const Tensor x = leaf(u16, {29, 8000}).eval();
  CHECK(passes_of(x.slice({0}, {8000}, {4}, {1}).transpose().repeat(2, 1)) == 3);
  CHECK(passes_of(x.slice({0}, {8000}, {4}, {1}).repeat(2, 1)) == 1);
}

TEST_CASE("narrow elements that are turned into gaps of others go in order first") {
  const Tensor x = leaf(u8, {32, 3000, 2}).eval();
  CHECK(passes_of(x.pad({0, 0, 1}, {0, 0, 0}).transpose({1, 0, 2})) == 2);
  CHECK(passes_of(x.pad({0, 0, 1}, {0, 0, 0})) == 1);
  CHECK(passes_of(x.transpose({1, 0, 2})) == 1);
  const Tensor wide = leaf(f32, {32, 3000, 2}).eval();
  CHECK(passes_of(wide.pad({0, 0, 1}, {0, 0, 0}).transpose({1, 0, 2})) == 1);
}

TEST_CASE("rows of some elements, turned in any way, have their values") {
  const std::vector<DType> dtypes{u8, u16, opaque(3), f32, f64};
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const DType dtype = dtypes[random.below(dtypes.size())];
    Shape shape{random.in(1, 40), random.in(1, 40), random.in(16, 90)}, step(3, 1), order{0, 1, 2};
    step[2] = random.in(2, 8);
    random.shuffle(order);
    Tensor turned = leaf(dtype, shape).slice({0, 0, 0}, shape, step).transpose(order);
    if (random.one_in(3)) turned = turned.flip(random.in(0, 2));
    if (random.one_in(3)) turned = turned.tile({1, random.in(2, 4), 1});
    if (random.one_in(3)) turned = turned.roll({random.in(1, 9)}, {random.in(0, 2)});
    CHECK(disagreement(turned) == "");
  }
}

TEST_CASE("a few elements of each of several copies go in order first, where they lie in runs so") {
  const Tensor x = iota<float>({3, 700}), tall = iota<float>({40, 700}),
               small = iota<float>({3, 300});
  const auto halves = [](const Tensor& of) {
    return of.slice_scatter(of.slice({0}, {20}), {0}, {40}, {2}, {0});
  };
  CHECK(passes_of(x.roll(1, 0).transpose()) == 2);
  CHECK(passes_of(x.roll(1, 0).flip(1).transpose()) == 2);
  CHECK(passes_of(halves(tall).transpose()) == 1);                                 // one turns both
  CHECK(passes_of(halves(tall.reshape({40, 70, 10})).transpose({2, 1, 0})) == 2);  // few rows
  const Tensor other = iota<float>({20, 700}), some = tall.slice({0}, {20});
  CHECK(passes_of(tall.slice_scatter(other, {0}, {40}, {2}, {0}).transpose()) == 2);
  CHECK(passes_of(tall.flip(1).slice_scatter(some, {0}, {40}, {2}, {0}).transpose()) == 2);
  CHECK(passes_of(x.roll(1, 0)) == 1);
  CHECK(passes_of(tall.roll(1, 0).transpose()) == 1);   // 80 bytes together
  CHECK(passes_of(small.roll(1, 0).transpose()) == 1);  // 3,600 bytes
  CHECK(passes_of(x.transpose()) == 1);
  const Tensor rows = iota<std::uint8_t>({80, 7, 28}).eval();
  for (const char* const mode : {"constant", "edge"})
    CHECK(passes_of(pad(rows, {0, 1, 0}, {0, 1, 0}, mode).transpose({0, 2, 1})) == 2);
  const Tensor wide = rows.astype(f32).eval();
  CHECK(passes_of(pad(wide, {0, 1, 0}, {0, 1, 0}, "edge").transpose({0, 2, 1})) == 1);
  const Tensor apart = iota<float>({700, 3}).roll(1, 1);
  CHECK(passes_of(apart) == 1);  // there is no other order in which it has runs
  const Plan limited = make_plan(x.roll(1, 0).transpose().node_ptr(), {.stored_bytes = x.bytes()});
  CHECK(limited.passes.size() == 1);
}

TEST_CASE("halves of rows that are turned have their values, however they are put together") {
  const std::vector<DType> dtypes{u8, u16, opaque(3), f32, f32, f64, c128};
  std::size_t together = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const DType dtype = dtypes[random.below(dtypes.size())];
    const Tensor x = leaf(
        dtype, {random.in(5, 300), random.in(3, 12), random.in(random.one_in(3) ? 2 : 40, 120)});
    const std::int64_t half = x.extent(0) / 2;
    const Tensor some = x.slice({0}, {half}, {1}, {0});
    Tensor both = (random.one_in(3) ? x : x.flip(2)).slice_scatter(some, {0}, {2 * half}, {2}, {0});
    if (random.one_in(3)) both = both.roll(random.in(1, 9), random.in(0, 2));
    if (random.one_in(3)) both = both.flip(random.in(0, 2));
    both = random.one_in(4) ? both.transpose({1, 2, 0}) : both.transpose({2, 1, 0});
    if (random.one_in(4)) both = both.repeat(2, 1);
    const std::string text = explain(both);
    together += text.find("1 pass") != std::string::npos &&
                text.find(": table)") != std::string::npos &&
                (text.find("  transpose ") != std::string::npos ||
                 text.find("  few_columns ") != std::string::npos);
    CHECK(disagreement(both) == "");
  }
  CHECK(together >= 5);
}

TEST_CASE("what is put in order first has its values") {
  const std::vector<DType> dtypes{u8, u16, opaque(3), f32, f64};
  std::size_t staged = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const DType dtype = dtypes[random.below(dtypes.size())];
    Shape shape{random.in(2, 7), random.in(1, 9), random.in(50, 400)}, order{0, 1, 2};
    if (random.one_in(2)) std::swap(shape[0], shape[1]);
    random.shuffle(order);
    Tensor x = leaf(dtype, shape), y = leaf(dtype, shape, 7);
    if (random.one_in(3)) y = x;
    if (random.one_in(3)) y = y.flip(random.in(0, 2));
    Tensor both = random.one_in(2) ? concat({x, y}, random.in(0, 1)) : x.roll(1, random.in(0, 1));
    if (random.one_in(3)) both = both.flip(random.in(0, 2));
    if (random.one_in(3)) {
      const std::int64_t axis = random.in(0, 1), half = both.extent(axis) / 2;
      const Tensor some = both.flip(axis).slice({0}, {half}, {1}, {axis});
      both = both.slice_scatter(some, {0}, {2 * half}, {2}, {axis});
    }
    Shape before{0, 0, 0}, after = before;
    before[random.below(2)] = random.in(0, 2);
    after[random.below(2)] = random.in(0, 1);
    both = pad(both, before, after, random.one_in(2) ? "constant" : "edge");
    both = both.transpose(order);
    staged += make_plan(both.node_ptr()).passes.size() > 1;
    CHECK(disagreement(both) == "");
  }
  CHECK(staged > 30);
}

TEST_CASE("staged copies have the values of those that are not") {
  const Tensor x = leaf(f32, {150, 170}), y = leaf(f32, {40, 30, 20}, 1);
  CHECK(disagreement(x.transpose().tile({4, 1})) == "");
  CHECK(disagreement(x.transpose().tile({2, 3})) == "");
  CHECK(disagreement(x.transpose().tile({5, 2}).roll({3, 5}, {0, 1})) == "");
  CHECK(disagreement(y.transpose({2, 1, 0}).tile({1, 4, 1}).flip(0)) == "");
  CHECK(disagreement(y.transpose({2, 1, 0}).expand_dims(0).broadcast_to({6, 20, 30, 40})) == "");
  const Tensor two = x.transpose().tile({4, 1});
  eval(two, x.transpose().tile({1, 4}), two.flip());
  CHECK(disagreement(two) == "");
  CHECK(disagreement(x.slice_scatter(
            x.slice({0}, {4}).transpose().slice({0}, {1}).tile({150, 43}).slice({0, 0}, {150, 170}),
            {0}, {150})) == "");
}

TEST_CASE("an operand that is read often and out of order is put in order once") {
  const Tensor x = iota<float>({12, 100, 3, 70}), few = iota<float>({70, 12}),
               row = iota<float>({70});
  const auto reads_in_order = [](const Tensor& sum) {
    return explain(sum).find("its elements are read often, and not in their order") !=
           std::string::npos;
  };
  const Tensor turned = few.transpose().reshape({12, 1, 1, 70});
  CHECK(reads_in_order(x + turned));
  CHECK(explain(x + turned).find("1 temporary of 3360 B") != std::string::npos);
  CHECK_FALSE(reads_in_order(x + turned.eval()));
  CHECK_FALSE(reads_in_order(x + row.flip(0)));  // each task does it once
  CHECK_FALSE(reads_in_order(x + x.transpose({0, 2, 1, 3}).reshape({12, 100, 3, 70})));
  CHECK_FALSE(reads_in_order(x.slice({0, 0, 0, 0}, {12, 3, 1, 70}) +
                             turned));  // each element is read three times
  CHECK(disagreement(x + turned) == "");
}

/// Stored elements of some axes of a shape in any order, as what is broadcast to it.
Tensor some_axes(const Shape& shape, Random& random) {
  std::vector<std::int64_t> axes;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (!random.one_in(3)) axes.push_back(static_cast<std::int64_t>(axis));
  random.shuffle(axes);
  Shape stored, order(axes.size(), 0);
  for (const std::int64_t axis : axes) stored.push_back(shape[static_cast<std::size_t>(axis)]);
  std::vector<std::int64_t> sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t k = 0; k < axes.size(); ++k)
    order[k] = std::find(axes.begin(), axes.end(), sorted[k]) - axes.begin();
  Shape broadcast(shape.size(), 1);
  for (const std::int64_t axis : axes)
    broadcast[static_cast<std::size_t>(axis)] = shape[static_cast<std::size_t>(axis)];
  return iota<float>(stored).transpose(order).reshape(broadcast);
}

TEST_CASE("operands that are stored once, of periods that fit together or not, give their values") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Shape shape;
    for (std::size_t axis = 0; axis < 4; ++axis) shape.push_back(random.in(1, 16));
    shape[random.below(4)] *= 8;
    Tensor fused = iota<float>(shape), apart = fused;
    for (std::size_t k = 0; k < 3; ++k) {
      Tensor other = some_axes(shape, random).broadcast_to(shape);
      if (random.one_in(3)) {  // as if of another shape
        Shape turned = shape;
        random.shuffle(turned);
        other = some_axes(turned, random).broadcast_to(turned).reshape(shape);
      }
      fused = fused + other;
      apart = apart + other.eval();
    }
    CHECK_FALSE(difference(fused.eval(), apart.eval()));
  }
}

}  // namespace
}  // namespace weft::testing
