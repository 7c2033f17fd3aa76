// SPDX-License-Identifier: Apache-2.0
// Random expressions of movement and arithmetic, each built in two ways: as one, and as a user of a
// library would who has to move first and can compute in one pass afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <weft/graph/tensor.h>

namespace weft::bench {

/// What is evaluated into memory of its own, where later stages find it.
struct Stage {
  Tensor expression;
  std::shared_ptr<std::byte> memory;

  void run() const;
};

struct RandomExpression {
  Tensor fused;
  /// Each of movement alone or of arithmetic alone, in their order; the last one makes the result.
  std::vector<Stage> stages;
  std::size_t moves = 0, computes = 0;  ///< ops
};

/// Expression number `seed`, which moves and computes.
RandomExpression random_expression(std::uint64_t seed);

}  // namespace weft::bench
