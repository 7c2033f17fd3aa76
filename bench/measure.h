// SPDX-License-Identifier: Apache-2.0
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
  void run();

 private:
  std::int64_t bytes_;
  std::shared_ptr<std::byte> from_, to_;
};

/// Seconds of one call.
double seconds_of(const std::function<void()>& work);

/// Something repeated until the clock can see it.
class Timed {
 public:
  /// Runs `work` a few times to warm it and to see how often a sample repeats it.
  explicit Timed(std::function<void()> work);
  /// Of a sample.
  int calls() const { return calls_; }
  /// Seconds of one call, the mean over a sample.
  double sample() const { return sample(calls_); }
  /// The same over so many calls. Of two works that are timed in turn the one with more calls would
  /// be timed as it leaves the caches, the other as it finds them.
  double sample(int calls) const;

 private:
  std::function<void()> work_;
  int calls_ = 1;
};

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

/// CRC-32 as of zlib, which Python has: so that others may know that they compute the same.
std::uint32_t digest(const std::byte* bytes, std::int64_t count, std::uint32_t before = 0);

/// The value below which a share q of them lies.
double quantile(std::vector<double> values, double q);

/// The geometric mean.
double mean_ratio(const std::vector<double>& ratios);

}  // namespace weft::bench
