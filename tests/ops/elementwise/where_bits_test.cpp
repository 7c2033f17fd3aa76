// SPDX-License-Identifier: Apache-2.0
// where of bool, f16 and bf16 among what computes: bytes of bool that are neither 0 nor 1, and NaNs
// that signal, are kept by it, and by nothing else.
#include <cstring>
#include <functional>

#include <weft/graph/plan/plan.h>

#include "ops/elementwise/values.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Each of their bytes or bit patterns, from one of them on.
Tensor patterns(DType type, std::int64_t count, std::int64_t first) {
  std::vector<std::uint16_t> wide;
  std::vector<std::uint8_t> narrow;
  for (std::int64_t i = 0; i < count; ++i) {
    wide.push_back(static_cast<std::uint16_t>(first + i * 7));
    narrow.push_back(static_cast<std::uint8_t>((first + i) % 3 == 0 ? 0 : first + i));
  }
  return type == bool_ ? copy_from(narrow.data(), bool_, {count})
                       : copy_from(wide.data(), type, {count});
}

std::vector<std::byte> bytes_of(const Tensor& tensor) {
  const Tensor value = tensor.eval();
  const std::byte* const bytes = value.node().value().get();
  return {bytes, bytes + value.bytes()};
}

/// An expression made as one pass has the bytes that it has op by op, on each instruction set.
using Passing = std::function<Tensor(const Tensor&)>;
void check(const std::function<Tensor(const Passing&)>& make) {
  const std::vector<std::byte> by_one = bytes_of(make([](const Tensor& x) { return x.eval(); }));
  on_every_target([&] {
    const Tensor fused = make([](const Tensor& x) { return x; });
    CHECK(make_plan(fused.node_ptr()).passes.size() == 1);
    CHECK(bytes_of(fused) == by_one);
  });
}

constexpr std::int64_t n = 9400;  // times 7 is all bit patterns, and some twice
const DType made_anew[] = {bool_, f16, bf16};

/// An op that makes its elements anew.
Tensor changed(const Tensor& x) { return x.dtype() == bool_ ? logical_not(x) : x * 1.5; }

}  // namespace

TEST_CASE("where: keeps every bit of what is read, whatever its condition is computed of") {
  for (const DType type : made_anew) {
    INFO(type.name());
    const Tensor x = patterns(type, n, 0), y = patterns(type, n, 31), holds = iota<int>(n) % 3 < 1;
    const std::vector<std::byte> first = bytes_of(x), second = bytes_of(y);
    const auto size = static_cast<std::size_t>(type.size());
    std::vector<std::byte> expected;
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      const std::byte* const from = (i % 3 < 1 ? first : second).data() + i * size;
      expected.insert(expected.end(), from, from + size);
    }
    on_every_target([&] { CHECK(bytes_of(where(holds, x, y)) == expected); });
    check([&](const Passing& pass) { return pass(where(pass(iota<int>(n).eval() > 99), x, y)); });
    check([&](const Passing& pass) {
      return pass(where(pass(iota<double>(n).eval() > 99), x.roll(3, 0), y.flip()));
    });
  }
}

TEST_CASE("where: of where, and of what is one element") {
  for (const DType type : made_anew)
    for (const std::int64_t count : {1L, 5L, 129L, long{n}}) {
      INFO(type.name(), " ", count);
      const Tensor x = patterns(type, count, 0), y = patterns(type, count, 31),
                   one = patterns(type, 1, 0x7c01), c = patterns(bool_, count, 5),
                   d = patterns(bool_, count, 7);
      check([&](const Passing& pass) { return pass(where(c, pass(where(d, x, y)), one)); });
      check([&](const Passing& pass) {
        const Tensor inner = pass(where(d, one, y));
        return pass(where(pass(logical_not(c)), inner, pass(where(c, x, inner))));
      });
    }
}

TEST_CASE(
    "where: what is computed is rounded before it, and what computes after it reads numbers") {
  for (const DType type : made_anew) {
    INFO(type.name());
    const Tensor x = patterns(type, n, 0), y = patterns(type, n, 31), c = patterns(bool_, n, 5);
    check([&](const Passing& pass) { return pass(where(c, pass(changed(x)), y)); });
    check([&](const Passing& pass) { return pass(where(c, x, pass(changed(y)))); });
    check([&](const Passing& pass) { return pass(changed(pass(where(c, x, y)))); });
    check([&](const Passing& pass) {
      return pass(changed(pass(where(pass(logical_not(c)), pass(changed(pass(changed(x)))), y))));
    });
    // One value is both taken as it is and computed with, before and behind.
    check([&](const Passing& pass) {
      const Tensor made = pass(changed(x)), chosen = pass(where(c, made, x));
      const Tensor more = pass(where(pass(logical_not(c)), pass(changed(chosen)), chosen));
      return pass(where(c, pass(changed(made)), more));
    });
    check([&](const Passing& pass) { return pass(pass(where(c, x, y)).astype(f64)); });
    check([&](const Passing& pass) {
      return pass(where(c, pass(iota<int>(n).eval().astype(type)), y));
    });
    check([&](const Passing& pass) {
      const Tensor wide = pass(pass(where(c, x, pass(changed(y)))).astype(f64));
      return pass(where(pass(wide > 3), x, y));
    });
  }
}

TEST_CASE("where: bools that it chooses are conditions, and any byte but 0 holds") {
  const Tensor c = patterns(bool_, n, 5), x = patterns(bool_, n, 0), y = patterns(bool_, n, 77);
  check([&](const Passing& pass) { return pass(where(pass(where(c, x, y)), x, c)); });
  check([&](const Passing& pass) { return pass(where(x, x, pass(logical_and(x, y)))); });
  check([&](const Passing& pass) {
    const Tensor chosen = pass(where(c, x, y));
    return pass(where(chosen, pass(iota<float>(n).eval() * 2), scalar(0.5f)));
  });
  check([&](const Passing& pass) { return pass(pass(where(c, x, y)).astype(i64)); });
  check([&](const Passing& pass) { return pass(equal(pass(where(c, x, y)), true)); });
}

TEST_CASE("where: over operands that nobody holds any more") {
  for (const DType type : made_anew) {
    INFO(type.name());
    Tensor x = patterns(type, n, 0);
    const Tensor y = patterns(type, n, 31), c = patterns(bool_, n, 5);
    const std::vector<std::byte> expected = bytes_of(where(c, x, y));
    const std::byte* const memory = x.node().value().get();
    Tensor chosen = where(c, x, y);
    x = {};
    const Tensor made = chosen.eval();
    CHECK(made.node().value().get() == memory);
    CHECK(bytes_of(made) == expected);
  }
}
