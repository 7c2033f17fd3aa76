// The workloads: what is measured, as users would write it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <weft/weft.h>

namespace weft::bench {

struct Workload {
  std::string id;  ///< as in the workload list: "W1", "W2.u8", "W10.64"
  std::string what;
  /// Makes the inputs once; the function it returns builds the expression over them anew each time.
  std::function<std::function<Tensor()>()> prepare;
  /// Measured as an evaluation that may return an alias, not as one into a given buffer.
  bool may_alias = false;
};

const std::vector<Workload>& workloads();

}  // namespace weft::bench
