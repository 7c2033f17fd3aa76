// SPDX-License-Identifier: Apache-2.0
// What is measured beside the workloads: planning, depth, threads, fresh memory.
#pragma once

#include <string>
#include <vector>

namespace weft::bench {

struct Figure {
  std::string id, what;
  double value;
};

std::vector<Figure> measure_also();

}  // namespace weft::bench
