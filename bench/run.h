// SPDX-License-Identifier: Apache-2.0
// Running: a workload and its rivals, each compared with the reference, then timed in turn.
#pragma once

#include <optional>

#include "measure.h"
#include "workload.h"

namespace weft::bench {

struct RivalResult {
  std::string name;
  std::optional<Pairs::Summary> summary;  ///< none where it is wrong
  std::size_t runs = 0;
};

struct Result {
  std::string id, what, baseline;
  Pairs::Summary summary;
  std::int64_t bytes;                  ///< of the output
  std::int64_t peak_bytes;             ///< above inputs and output; -1 where nobody tells
  std::vector<std::uint32_t> digests;  ///< of the output's bytes, a member each; only beside rivals
  std::vector<RivalResult> rivals;
};

/// A workload set up. Throws std::runtime_error where the result differs from the reference.
class Run {
 public:
  Run(const Workload& workload, bool with_rivals);
  ~Run();
  /// Baseline and ours, once; seconds of ours.
  double round();
  /// Baseline and rival in turn, for one rival after the other: mixed, they would empty each
  /// other's caches, but not the baseline's, which runs between all of them.
  void measure_rivals(int rounds);
  Result result() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Groups told as one: geometric means of the ratios and of the times.
std::vector<Result> grouped(const std::vector<Result>& results);

}  // namespace weft::bench
