// SPDX-License-Identifier: Apache-2.0
// Values that are computed in one part of a pass, and read or computed otherwise in another.
#include <doctest/doctest.h>

#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <vector>

#include <weft/graph/plan/plan.h>
#include <weft/weft.h>

#include "support/values.h"

using namespace weft;

namespace {

Tensor counted(const Shape& shape, float first = 0) { return (iota<float>(shape) + first).eval(); }

/// What is done to each value on the way.
using Passing = std::function<Tensor(const Tensor&)>;
using Graph = std::function<Tensor(const Passing&)>;

/// "2 passes, 1 box, 3 pieces, 2 programs" of all, where the value is what it is op by op, on one
/// thread and on two, kept and not.
std::string planned(const Graph& graph) {
  const auto as_it_is = [](const Tensor& x) { return x; };
  const Tensor expected = graph([](const Tensor& x) { return x.eval(); }).eval();
  const Tensor lazy = graph(as_it_is);
  const Plan plan = make_plan(lazy.node_ptr());
  CHECK(flaw_of_cover(plan).empty());
  std::vector<std::byte> out(static_cast<std::size_t>(expected.bytes()), std::byte{0xA5});
  const auto is_right = [&](const std::byte* value) {
    return std::memcmp(value, expected.node().value().get(), out.size()) == 0;
  };
  for (const int threads : {1, 2, 2}) {
    eval_into(lazy, out.data(), expected.bytes(), {.threads = threads});
    CHECK(is_right(out.data()));
    std::fill(out.begin(), out.end(), std::byte{0xA5});
  }
  CHECK(is_right(lazy.eval().node().value().get()));
  std::size_t boxes = 0, pieces = 0, programs = 0;
  for (const Pass& pass : plan.passes) {
    boxes += pass.copies.size();
    pieces += pass.pieces.size();
    programs += pass.programs.size();
  }
  return fmt::format("{} passes, {} boxes, {} pieces, {} programs", plan.passes.size(), boxes,
                     pieces, programs);
}

}  // namespace

TEST_CASE("parts: a computed value that is padded is computed where it goes") {
  for (const Shape& shape : {Shape{4, 5}, Shape{40, 1050}, Shape{700, 1001}}) {
    const Tensor a = counted(shape), b = counted(shape, 3);
    CHECK(planned([&](const Passing& pass) {
            return pass(a * b).pad({2, 1}, {3, 1});
          }) == "1 passes, 3 boxes, 1 pieces, 1 programs");
  }
  // Short rows of it are moved once.
  const Tensor a = counted({40, 50}), b = counted({40, 50}, 3);
  CHECK(planned([&](const Passing& pass) {
          return pass(a * b).pad({2, 1}, {3, 1});
        }) == "2 passes, 4 boxes, 1 pieces, 1 programs");
}

TEST_CASE("parts: computed and stored values side by side") {
  const Tensor a = counted({40, 50}), b = counted({40, 50}, 3), c = counted({30, 50}, 7);
  const Tensor long_a = counted({40, 1100}), long_b = counted({40, 1100}, 3);
  CHECK(planned([&](const Passing& pass) {
          return concat({pass(a + b), c}, 0);
        }) == "1 passes, 1 boxes, 1 pieces, 1 programs");
  CHECK(planned([&](const Passing& pass) {
          return concat({c, pass(a + b), pass(c * 2)}, 0);
        }) == "1 passes, 1 boxes, 2 pieces, 2 programs");
  CHECK(planned([&](const Passing& pass) {
          return concat({long_a, pass(long_a + long_b)}, 1);
        }) == "1 passes, 1 boxes, 1 pieces, 1 programs");
  CHECK(planned([&](const Passing& pass) {
          return stack({pass(a + b), pass(a - b)}, 1).transpose({1, 0, 2});
        }) == "1 passes, 0 boxes, 2 pieces, 2 programs");
  // What is turned is turned once.
  CHECK(planned([&](const Passing& pass) {
          return concat({pass(a + b).transpose(), c.transpose()}, 1);
        }) == "2 passes, 2 boxes, 1 pieces, 1 programs");
  CHECK(planned([&](const Passing& pass) {
          return concat({pass(a + b).roll(3, 0), c}, 0);
        }) == "1 passes, 1 boxes, 2 pieces, 1 programs");
}

TEST_CASE("parts: what comes behind goes on with each of them") {
  const Tensor a = counted({40, 50}), b = counted({40, 50}, 3), c = counted({30, 50}, 7);
  const Tensor d = counted({70, 50}, 1), row = counted({50}), f = counted({20, 50}, 4);
  const Tensor wide = counted({40, 1100});
  CHECK(planned([&](const Passing& pass) {
          return pass(concat({pass(a + b), c}, 0)) * d;
        }) == "1 passes, 0 boxes, 2 pieces, 2 programs");
  CHECK(planned([&](const Passing& pass) {
          const Tensor both = pass(concat({pass(a + b), pass(c * 2)}, 0));
          return pass(pass(both * both) + row) / 3;
        }) == "1 passes, 0 boxes, 2 pieces, 2 programs");
  // Two that are cut at different places: of four programs three have positions.
  CHECK(planned([&](const Passing& pass) {
          const Tensor x = pass(concat({pass(a + b), c}, 0));
          const Tensor y = pass(concat({pass(f * 2), counted({50, 50})}, 0));
          return x - y;
        }) == "1 passes, 0 boxes, 3 pieces, 3 programs");
  CHECK(planned([&](const Passing& pass) {
          return pass(pass(pass(wide * wide).pad({2, 1}, {3, 1}) + 1).exp());
        }).starts_with("1 passes, 0 boxes"));
  // A part of a part.
  CHECK(planned([&](const Passing& pass) {
          const Tensor inner = pass(pass(concat({pass(a + b), c}, 0)) * d);
          return concat({pass(inner + 1), f}, 0);
        }) == "1 passes, 1 boxes, 2 pieces, 2 programs");
}

TEST_CASE("parts: a part of one element, and of constants") {
  const Tensor one = counted({1}, 4), two = counted({1}, 9), c = counted({30}, 7);
  CHECK(planned([&](const Passing& pass) {
          return concat({pass(one * two), c}, 0);
        }) == "1 passes, 1 boxes, 1 pieces, 1 programs");
  CHECK(planned([&](const Passing& pass) {
          return pass(concat({pass(one * 2), c}, 0)) * 3;
        }) == "1 passes, 0 boxes, 2 pieces, 2 programs");
  CHECK(planned([&](const Passing& pass) {
          return pass(concat({pass(pass(one * 2) + 1), pass(two * 5), c}, 0)) * one;
        }) == "1 passes, 0 boxes, 3 pieces, 3 programs");
}

TEST_CASE("parts: what is read in one part is not all of another value that asks for as much") {
  const Tensor x = counted({30}, 4), y = counted({30}, 9);
  CHECK(planned([&](const Passing& pass) {
          const Tensor z = pass(x.expand_dims(0)), squared = pass(z * z);
          const Tensor a = pass(concat({squared, z}, 0));
          const Tensor b = pass(concat({pass(y.expand_dims(0) * 3), squared}, 0));
          return pass(a + b) / b;
        }) == "1 passes, 0 boxes, 2 pieces, 2 programs");
}

TEST_CASE("parts: of types that differ") {
  const Tensor a = counted({40, 50}), m = (a > 30).eval();
  const Tensor c = counted({30, 50}).astype(bf16).eval();
  CHECK(planned([&](const Passing& pass) {
          return concat({pass(a.astype(bf16)), c}, 0);
        }) == "1 passes, 1 boxes, 1 pieces, 1 programs");
  CHECK(planned([&](const Passing& pass) {
          return concat({pass(where(m, a, 0)), a}, 0);
        }) == "1 passes, 1 boxes, 1 pieces, 1 programs");
  // Seen as another type, they are not in one pass.
  planned([&](const Passing& pass) {
    return concat({pass(a + 1).view_as(i32), pass(a.astype(i32) + 1)}, 0);
  });
  planned([&](const Passing& pass) {
    return concat({pass(a + 1), counted({40, 50}).view_as(u8).view_as(f32)}, 0);
  });
  planned([&](const Passing& pass) {
    const Tensor bytes = iota<std::uint8_t>({7, 200}).eval();
    return concat({pass(a + 1).view_as(u8), bytes}, 0);
  });
}

TEST_CASE("parts: what does not fit is stored") {
  const Tensor a = counted({4000, 3}), b = counted({4000, 3}, 3), c = counted({4000, 2}, 7);
  // Rows of 12 bytes.
  CHECK(planned([&](const Passing& pass) {
          return concat({pass(a + b), c}, 1);
        }) == "2 passes, 2 boxes, 1 pieces, 1 programs");
  // More definitions than are counted.
  std::vector<Tensor> rows;
  const Tensor x = counted({100});
  CHECK(planned([&](const Passing& pass) {
          rows.clear();
          for (int k = 0; k < 40; ++k) rows.push_back(pass(x * k));
          return stack(rows, 0);
        }).starts_with("33 passes"));
  // Data that is updated.
  CHECK(planned([&](const Passing& pass) {
          return counted({70, 50}).slice_scatter(pass(counted({1, 50}) * 2), {3}, {4});
        }) == "2 passes, 3 boxes, 1 pieces, 1 programs");
}

TEST_CASE("parts: data that was given up is updated in place by what is computed") {
  Tensor x = counted({70, 50});
  const void* const memory = x.node().value().get();
  const Tensor row = counted({1, 50});
  x = std::move(x).slice_scatter(row * 2, {3}, {4}).eval();
  CHECK(x.node().value().get() == memory);
  CHECK(x.data<float>()[3 * 50 + 7] == 14);
}

TEST_CASE("parts: data that was given up is moved within its memory, beside what is computed") {
  Tensor x = counted({70, 50});
  const void* const memory = x.node().value().get();
  const Tensor row = counted({1, 50});
  const Tensor y = concat({x.slice({1}, {70}), row * 2}, 0);
  x = Tensor();
  CHECK(y.eval({.in_place = true}).node().value().get() == memory);
  CHECK(y.data<float>()[0] == 50);
  CHECK(y.data<float>()[69 * 50 + 7] == 14);
}

TEST_CASE("parts: large ones, painted beside, repeated, and read by further passes") {
  const Tensor a = counted({1200, 1000}), b = counted({1200, 1000}, 3), c = counted({900, 1000});
  CHECK(planned([&](const Passing& pass) {
          return concat({c, pass(a + b), c.flip(1)}, 0);
        }).starts_with("1 passes"));
  planned([&](const Passing& pass) {
    const Tensor painted = c.slice_scatter(c.slice({0}, {900}, {2}).flip(1), {0}, {900}, {2});
    return concat({painted, pass(a + b)}, 0);
  });
  planned([&](const Passing& pass) { return pass(concat({pass(a + b), c}, 0)).repeat(2, 0); });
  planned([&](const Passing& pass) {
    const Tensor x = pass(concat({pass(a + b), c}, 0));
    return concat({x.flip(0), x * 2}, 1);
  });
  planned([&](const Passing& pass) {
    return pass(concat({pass(a + b).stored(), pass(c * 2)}, 0)).stored() * 2;
  });
}

TEST_CASE("parts: explain tells boxes, pieces and programs") {
  const Tensor a = counted({4, 5}), b = counted({4, 5}, 3), c = counted({3, 5}, 7);
  const std::string text = explain(concat({a + b, c, a * b}, 0));
  CAPTURE(text);
  CHECK(text.find("f32 [11, 5]: 1 pass, 3 boxes, ") == 0);
  CHECK(text.find("pass 1: result [11, 5], 1 box, 2 pieces of 2 programs\n") != std::string::npos);
}

TEST_CASE("operands of periods that do not fit together are stored as often as they are read") {
  const Tensor mask = iota<int>({12, 5, 7}).astype(bool_).eval();
  const Tensor chosen = where(mask, iota<int>({1, 5, 7}), iota<int>({1}).reshape({}).eval());
  const Tensor x = pixel_shuffle(chosen.reshape({35, 12, 1, 1}), 2);
  const Tensor y = iota<int>({3, 2, 2});
  PlanLimits limits;
  limits.boxes = 8;
  const Plan plan = make_plan((y >> x).node_ptr(), limits);
  CHECK(flaw_of_cover(plan).empty());
  CHECK(plan.passes.back().pieces.size() == 1);
}
