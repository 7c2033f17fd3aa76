// SPDX-License-Identifier: Apache-2.0
// An executable in use: from a cache of plans, or new and then in the cache where there is room.
#pragma once

#include <weft/engine/run/executable.h>
#include <weft/engine/run/plan_cache.h>
#include <weft/graph/structural_key.h>
#include <weft/graph/value/bounded_cache.h>

namespace weft {

/// What a plan depends on.
struct PlanKey {
  StructuralKey structure;
  PlanLimits limits;
  std::uint64_t hash() const noexcept { return structure.hash(); }
  friend bool operator==(const PlanKey&, const PlanKey&) = default;
};

class CachedExecutable {
 public:
  /// Throws what make_plan() throws.
  CachedExecutable(PlanCache& cache, const NodePtr& root, const PlanLimits& limits,
                   const Indices& indices, const PlanningCheck& check = {});
  ~CachedExecutable();

  Executable& operator*() const noexcept { return used_.value(); }

 private:
  CachedExecutable(PlanCache& cache, const Expression& expression, const PlanLimits& limits,
                   const Indices& indices, const PlanningCheck& check);
  CachedExecutable(PlanCache& cache, const Expression& expression, const PlanKey& key,
                   const Indices& indices, const PlanningCheck& check);

  BoundedCache<PlanKey, Executable>::Use used_;
};

}  // namespace weft
