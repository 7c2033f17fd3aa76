// SPDX-License-Identifier: Apache-2.0
// Operands that are read where they lie: how far they are followed.
#include <doctest/doctest.h>
#include <weft/graph/define.h>
#include <weft/graph/map/box.h>
#include <weft/graph/plan/plan.h>
#include <weft/weft.h>

#include <atomic>
#include <vector>

namespace weft {
namespace {

std::atomic<int> pulls = 0;

/// Backwards along its one axis; counts how often it is asked.
struct Backwards {
  static constexpr std::string_view name = "backwards";
  static constexpr std::tuple fields{operand("x", "what is turned")};

  void pull_back(const Shape& shape, const Box& box, PullBack& to) const {
    ++pulls;
    affine(to.add(0, box), 0, shape[0] - 1, -1);
  }
  std::size_t trace(const Shape& shape, Index& index) const {
    index[0] = shape[0] - 1 - index[0];
    return 0;
  }
};

Tensor backwards(const Tensor& x) { return tensor_of(Backwards(), {x.dtype(), x.shape()}, x); }

constexpr int links = 400, followed = 64;

TEST_CASE("a chain that is read at each of its links is not followed to its end by each reader") {
  const Tensor index = array<std::int64_t>({2, 0, 1, 1});
  Tensor link = iota<int>({4});
  std::vector<Tensor> readers;
  for (int k = 0; k < links; ++k) {
    link = backwards(link);
    readers.push_back(link.gather_elements(index, 0));
  }
  pulls = 0;
  eval(readers);
  CHECK(pulls > links);
  CHECK(pulls <= 2 * links * followed);
  for (int k = 0; k < links; ++k) {
    const int* const values = readers[static_cast<std::size_t>(k)].data<int>();
    CHECK(std::vector<int>(values, values + 4) ==
          (k % 2 == 0 ? std::vector<int>{1, 3, 2, 2} : std::vector<int>{2, 0, 1, 1}));
  }
}

TEST_CASE("reshapes count as ops that are followed") {
  const auto passes = [](int reshapes) {
    Tensor x = iota<int>({4, 6}).transpose();
    for (int k = 0; k < reshapes; ++k) x = x.reshape(k % 2 == 0 ? Shape{24} : Shape{6, 4});
    const Tensor index = array<std::int64_t>({1, 0, 1, 1}).broadcast_to({2, 4}).eval();
    return make_plan(x.slice({0}, {2}).gather_elements(index, 0).node_ptr()).passes.size();
  };
  CHECK(passes(0) == 1);
  CHECK(passes(40) == 1);
  CHECK(passes(80) == 2);
}

}  // namespace
}  // namespace weft
