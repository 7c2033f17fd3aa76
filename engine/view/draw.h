// SPDX-License-Identifier: Apache-2.0
// An expression before fusion, and the plan after it, as pictures.
#pragma once

#include <string>

#include <weft/graph/tensor.h>

namespace weft {

/// As text for Graphviz: the nodes of the graph, and the passes that make the value with what they
/// read. Plans, but moves nothing; throws what explain() does.
[[nodiscard]] std::string draw_dot(const Tensor& tensor);

/// The same as an SVG of its own. Throws ParameterError, of category too_large, where the graph has
/// more than 50 nodes.
[[nodiscard]] std::string draw_svg(const Tensor& tensor);

}  // namespace weft
