// Measuring: work and copy in turn, in one process, and the medians of the pairwise ratios.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace weft::bench {

/// A two-thread memcpy of as many bytes as the output has, into memory that is used again.
class CopyBaseline {
 public:
  explicit CopyBaseline(std::int64_t bytes);
  /// Seconds of one copy.
  double run();

 private:
  std::int64_t bytes_;
  std::shared_ptr<std::byte> from_, to_;
};

/// Seconds of one call.
double seconds_of(const std::function<void()>& work);

/// Bytes by which the resident memory rose at most during a call; -1 where the system does not
/// tell.
std::int64_t peak_bytes_of(const std::function<void()>& work);

/// Pairs of times taken in turn.
struct Pairs {
  std::vector<double> work, copy;
  struct Summary {
    double ratio, ratio_min, ratio_max, work, copy;  ///< medians, and the spread of the ratio
  };
  Summary summary() const;
};

}  // namespace weft::bench
