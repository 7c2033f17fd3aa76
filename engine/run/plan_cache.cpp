// SPDX-License-Identifier: Apache-2.0
// Finding plans by structure.
#include <weft/engine/run/plan_cache.h>

#include <weft/engine/run/cached_executable.h>
#include <weft/engine/run/make_executable.h>

namespace weft {

struct PlanCache::Entries : BoundedCache<PlanKey, Executable> {
  using BoundedCache::BoundedCache;
};

PlanCache::PlanCache(std::size_t capacity) : entries_(std::make_unique<Entries>(capacity)) {}
PlanCache::~PlanCache() = default;

std::size_t PlanCache::size() const { return entries_->size(); }
std::size_t PlanCache::hits() const { return entries_->hits(); }

CachedExecutable::CachedExecutable(PlanCache& cache, const NodePtr& root, const PlanLimits& limits,
                                   const Indices& indices, const PlanningCheck& check)
    : CachedExecutable(cache, Expression(root), limits, indices, check) {}

CachedExecutable::CachedExecutable(PlanCache& cache, const Expression& expression,
                                   const PlanLimits& limits, const Indices& indices,
                                   const PlanningCheck& check)
    : CachedExecutable(cache, expression, PlanKey{StructuralKey(expression), limits}, indices,
                       check) {}

CachedExecutable::CachedExecutable(PlanCache& cache, const Expression& expression,
                                   const PlanKey& key, const Indices& indices,
                                   const PlanningCheck& check)
    : used_(*cache.entries_, key, key.structure.is_complete(),
            [&] { return make_executable(expression, key.limits, indices, check); }) {
  if (!used_.was_found()) return;
  for (PlanSource& source : used_.value().plan.sources)
    if (source.pass == PlanSource::stored) source.value = expression[source.vertex].node->value();
}

CachedExecutable::~CachedExecutable() {
  for (PlanSource& source : used_.value().plan.sources) source.value = nullptr;
}

}  // namespace weft
