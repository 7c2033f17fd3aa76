// SPDX-License-Identifier: Apache-2.0
// Finding plans by structure.
#include <weft/graph/plan/plan_cache.h>

namespace weft {

PlanCache::Use::Use(PlanCache& cache, const NodePtr& root, const PlanLimits& limits)
    : Use(cache, Expression(root), limits) {}

PlanCache::Use::Use(PlanCache& cache, const Expression& expression, const PlanLimits& limits)
    : Use(cache, expression, Key{Structure(expression), limits}) {}

PlanCache::Use::Use(PlanCache& cache, const Expression& expression, const Key& key)
    : used_(cache.plans_, key, key.structure.is_complete(),
            [&] { return make_plan(expression, key.limits); }) {
  if (!used_.was_found()) return;
  for (PlanSource& source : used_.value().sources)
    if (source.pass == PlanSource::stored) source.value = expression[source.vertex].node->value();
}

PlanCache::Use::~Use() {
  for (PlanSource& source : used_.value().sources) source.value = nullptr;
}

}  // namespace weft
