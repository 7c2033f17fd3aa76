// SPDX-License-Identifier: Apache-2.0
// Functions of one's own are called for elements that lie beside one another in their operands, and
// for no others: what is left of a group is none of their business.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include <weft/elementwise_op.h>
#include <weft/weft.h>

#include "support/nests.h"

namespace {

using namespace weft;
using weft::testing::on_every_target;

extern const Op met_op;

std::atomic<std::int64_t> strange;
std::int64_t rows = 1, columns = 1;
enum class Beside { all, last_axis, first_axis } beside = Beside::all;

/// Of the places of its elements: x has every one, y that of its own.
struct Met : EntryOf<2, kinds::reals> {
  static constexpr std::string_view name = "met";
  static constexpr const Op& op = met_op;
  static constexpr bool takes_small = true;

  template <class T>
  static T value(T x, T y) {
    const auto place = static_cast<std::int64_t>(x) - 1, own = static_cast<std::int64_t>(y) - 1;
    const std::int64_t expected = beside == Beside::all         ? place
                                  : beside == Beside::last_axis ? place % columns
                                                                : place / columns;
    if (place < 0 || place >= rows * columns || own != expected) ++strange;
    return x;
  }
};
constinit const Op met_op = op_of<OwnElementwise<Met>>();
Tensor met(const Tensor& x, const Tensor& y) { return build<OwnElementwise<Met>>(x, y); }

Tensor places(DType type, const Shape& shape) {
  return (iota<std::int32_t>(shape) + 1).astype(type).eval();
}

/// Fills what lies below the stack with what no operand has.
[[gnu::noinline]] void dirty_stack() {
  char memory[200 * 1024];
  std::memset(memory, 0x5e, sizeof(memory));
  asm volatile("" : : "r"(memory) : "memory");  // somebody might look at it
}

void check(DType type, bool is_fused) {
  CAPTURE(type.name());
  CAPTURE(rows);
  CAPTURE(columns);
  CAPTURE(is_fused);
  const Shape shape{rows, columns};
  const Tensor x = places(type, shape);
  const Tensor y = beside == Beside::all         ? places(type, shape)
                   : beside == Beside::last_axis ? places(type, {columns})
                                                 : places(type, {rows, 1});
  // Cut out of more, its rows lie apart.
  const Tensor wide = concat({x, x.flip(1)}, 1).eval();
  const auto make = [&] {
    return is_fused ? met(wide.slice({0, 0}, {rows, columns}), y) : met(x, y);
  };
  std::vector<std::byte> out(static_cast<std::size_t>(x.bytes()));
  for (const bool may_measure : {true, false}) {
    dirty_stack();
    eval_into(make(), out.data(), x.bytes(), {.may_measure = may_measure});
    CHECK(std::memcmp(out.data(), x.node().value().get(), out.size()) == 0);
  }
  dirty_stack();
  make().eval();
  CHECK(strange == 0);
}

}  // namespace

TEST_CASE("an op of one's own is called for elements that meet, and for no others") {
  on_every_target([] {
    for (const Beside each : {Beside::all, Beside::last_axis, Beside::first_axis})
      for (const auto& [r, c] :
           {std::pair{1, 3}, {2, 4}, {5, 3}, {3, 17}, {2, 33}, {1, 100}, {9, 8}, {11, 11}, {3, 41}})
        for (const DType type : {u8, i16, i32, i64, f32, f64, bf16}) {
          beside = each;
          rows = r, columns = c;
          check(type, false);
          check(type, true);
        }
    for (const auto& [r, c] : {std::pair{3, 1000}, {70, 65}, {1000, 3}, {130, 129}})
      for (const DType type : {i32, f64}) {
        beside = Beside::last_axis;
        rows = r, columns = c;
        check(type, false);
        check(type, true);
      }
  });
}
