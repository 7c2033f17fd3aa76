// SPDX-License-Identifier: Apache-2.0
// Plans that serve again where expressions are rebuilt: for loops whose shapes come back.
#pragma once

#include <cstddef>

#include <weft/graph/plan/plan.h>
#include <weft/graph/structure.h>
#include <weft/graph/value/bounded_cache.h>

namespace weft {

/// Keeps plans by the structure of their expressions, of which all is compared, and none of the
/// tensors they read. Beyond its capacity the plan that was used longest ago goes. Threads may
/// share a cache; a plan serves one evaluation at a time, so a cache may hold several that are
/// equal.
class PlanCache {
 public:
  /// Holds so many plans at most.
  explicit PlanCache(std::size_t capacity) : plans_(capacity) {}

  std::size_t size() const { return plans_.size(); }
  /// How often a plan was there, since the beginning.
  std::size_t hits() const { return plans_.hits(); }

  class Use;

 private:
  /// What a plan depends on.
  struct Key {
    Structure structure;
    PlanLimits limits;
    std::uint64_t hash() const noexcept { return structure.hash(); }
    friend bool operator==(const Key&, const Key&) = default;
  };
  using Plans = BoundedCache<Key, Plan>;

  Plans plans_;
};

/// A plan in use: from the cache, or new and then in the cache where there is room.
class PlanCache::Use {
 public:
  /// Throws what make_plan() throws.
  Use(PlanCache& cache, const NodePtr& root, const PlanLimits& limits);
  ~Use();

  const Plan& plan() const noexcept { return used_.value(); }

 private:
  Use(PlanCache& cache, const Expression& expression, const PlanLimits& limits);
  Use(PlanCache& cache, const Expression& expression, const Key& key);

  Plans::Use used_;
};

}  // namespace weft
