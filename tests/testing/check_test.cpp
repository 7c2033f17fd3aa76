// SPDX-License-Identifier: Apache-2.0
// check_op: agrees with what is right, and finds what is wrong.
#include <doctest/doctest.h>

#include <fmt/format.h>
#include <weft/op.h>
#include <weft/testing/check.h>
#include <weft/weft.h>

namespace weft::testing {
namespace {

/// A flip of the last axis whose boxes are pulled back in a way that is told.
struct Flawed {
  enum class Flaw { none, meaning, cover, twice };
  Flaw flaw;
  std::int64_t keep;

  static constexpr std::string_view name = "flawed";
  static constexpr std::tuple fields{operand("x", "what is turned"), kept(&Flawed::keep),
                                     derived(&Flawed::flaw)};

  std::size_t trace(const Shape& shape, Index& index) const {
    if (index.back() >= keep) index.back() = shape.back() - 1 - (index.back() - keep);
    return 0;
  }
  void pull_back(const Shape& shape, const Box& box, PullBack& to) const {
    const std::int32_t last = static_cast<std::int32_t>(shape.size()) - 1;
    Boxes kept = to.list(), turned = to.list();
    split(box, last, keep, kept, turned);
    for (Box& part : turned) {
      const bool is_off = flaw == Flaw::meaning && part.digits.size() > 2;  // some boxes only
      affine(part, last, shape.back() - 1 + keep - is_off, -1);
    }
    if (flaw != Flaw::cover || kept.empty() || turned.empty()) to.add(0, std::move(kept));
    if (flaw == Flaw::twice)
      for (const Box& part : turned) to.add(0, part);
    to.add(0, std::move(turned));
  }
};

std::string checked(Flawed::Flaw flaw) {
  return check_op(
      [&](const Tensor& x) {
        return tensor_of(Flawed{flaw, 2}, {x.dtype(), x.shape()}, x);
      },
      {3, 5, 4});
}

TEST_CASE("check_op agrees with an op that is right, and finds boxes that are wrong or missing") {
  CHECK(checked(Flawed::Flaw::none) == "");
  CHECK(checked(Flawed::Flaw::meaning).find("wrong elements") != std::string::npos);
  CHECK(checked(Flawed::Flaw::cover) != "");
  CHECK(checked(Flawed::Flaw::twice).find("expected each of") != std::string::npos);
}

TEST_CASE("check_op agrees with weft's own ops") {
  CHECK(check_op([](const Tensor& x) { return x.pad(1, 2, "reflect"); }, {3, 5, 4}) == "");
  CHECK(check_op([](const Tensor& x) { return x.tril(1); }, {3, 5, 4}) == "");
  CHECK(check_op([](const Tensor& x) { return x.take({2, 0, -1}, 0); }, {3, 5, 4}) == "");
  CHECK(check_op([](const Tensor& x) { return x.unfold(1, 3); }, {3, 5, 4}) == "");
  CHECK(check_op([](const Tensor& x) { return x.repeat({1, 0, 2, 4}, -1); }, {3, 5, 4}) == "");
}

}  // namespace
}  // namespace weft::testing
