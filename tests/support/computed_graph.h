// SPDX-License-Identifier: Apache-2.0
// Random graphs of computing and moving, of mixed types, evaluated in ways that must not differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <weft/graph/op.h>

namespace weft::testing {

/// An op without parameters that computes, and the types that it takes.
struct ComputingOp {
  const Op* op;
  std::vector<DType> taken;
};
const std::vector<ComputingOp>& computing_ops();

/// The first element in which two stored tensors of one type and shape differ. NaNs are equal.
std::optional<std::int64_t> difference(const Tensor& a, const Tensor& b);

/// Empty where graph number `seed` has the same bits fused, op by op, with stores at random nodes,
/// and where nobody holds what it is made of, and what is held is not changed; else what differs.
/// NaNs are equal: which one an op makes of two is not said.
std::string disagreement_of_computed(std::uint64_t seed);

/// The ops that graphs are drawn of.
std::vector<std::string> computed_graph_ops();

/// The graph, one node a line.
std::string computed_graph_text(std::uint64_t seed);

}  // namespace weft::testing
