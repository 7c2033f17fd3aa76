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
class Flawed final : public Node {
 public:
  enum class Flaw { none, meaning, cover, twice };
  Flawed(const Tensor& x, Flaw flaw, std::int64_t keep)
      : Node(x.dtype(), x.shape(), inputs_of(x)), flaw_(flaw), keep_(keep) {}
  std::string_view op() const noexcept override { return "flawed"; }
  std::size_t trace(Index& index) const override {
    if (index.back() >= keep_) index.back() = shape().back() - 1 - (index.back() - keep_);
    return 0;
  }
  void pull_back(const Box& box, PullBack& to) const override {
    const std::int32_t last = static_cast<std::int32_t>(rank()) - 1;
    Boxes kept = to.list(), turned = to.list();
    split(box, last, keep_, kept, turned);
    for (Box& part : turned) {
      const bool is_off = flaw_ == Flaw::meaning && part.digits.size() > 2;  // some boxes only
      affine(part, last, shape().back() - 1 + keep_ - is_off, -1);
    }
    if (flaw_ != Flaw::cover || kept.empty() || turned.empty()) to.add(0, std::move(kept));
    if (flaw_ == Flaw::twice)
      for (const Box& part : turned) to.add(0, part);
    to.add(0, std::move(turned));
  }
  bool add_parameters(Structure& to) const override {
    to.add(keep_);
    return true;
  }

 private:
  Flaw flaw_;
  std::int64_t keep_;
};

std::string checked(Flawed::Flaw flaw) {
  return check_op([&](const Tensor& x) { return make_tensor<Flawed>(x, flaw, 2); }, {3, 5, 4});
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
