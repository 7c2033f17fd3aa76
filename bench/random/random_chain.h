// SPDX-License-Identifier: Apache-2.0
// Random chains of movement: a type, a shape, one to five ops, for weft and for plain loops.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <weft/graph/tensor.h>

#include "random/plain_loops.h"

namespace weft::bench {

struct ChainOp {
  std::string name;
  /// The arguments behind the tensor, in the order of the free function.
  std::vector<std::vector<std::int64_t>> arguments;
  std::function<Tensor(const Tensor&)> build;
  PlainOp plain;

  std::string text() const;  ///< "roll([3], [1])"
};

/// Whose operand has about 2^k bytes, in one of the octaves from 16 KiB to 256 MiB.
struct Chain {
  DType type;
  Shape shape;
  std::vector<ChainOp> ops;

  Tensor build(const Tensor& x) const;
  std::string text() const;  ///< "f32 [64, 1000]: transpose([1, 0]) | flip([0])"
};

/// Octaves of sizes, from 2^14 bytes on.
inline constexpr int chain_octaves = 14;

/// Chain number `seed`; those that follow one another are of one octave each.
Chain random_chain(std::uint64_t seed);

}  // namespace weft::bench
