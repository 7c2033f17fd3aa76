// SPDX-License-Identifier: Apache-2.0
// Plans that serve again where expressions are rebuilt: for loops whose shapes come back.
#pragma once

#include <cstddef>
#include <memory>

namespace weft {

/// Keeps plans, ready to run, by the structure of their expressions, of which all is compared, and
/// none of the tensors they read. Beyond its capacity the plan that was used longest ago goes.
/// Threads may share a cache; a plan serves one evaluation at a time, so a cache may hold several
/// that are equal.
class PlanCache {
 public:
  /// Holds so many plans at most.
  explicit PlanCache(std::size_t capacity);
  PlanCache(const PlanCache&) = delete;
  PlanCache& operator=(const PlanCache&) = delete;
  ~PlanCache();

  std::size_t size() const;
  /// How often a plan was there, since the beginning.
  std::size_t hits() const;

 private:
  friend class CachedExecutable;
  struct Entries;
  std::unique_ptr<Entries> entries_;
};

}  // namespace weft
