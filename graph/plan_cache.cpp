// Finding plans by structure, and letting go of those not used for longest.
#include <weft/graph/plan_cache.h>

#include <algorithm>
#include <iterator>

namespace weft {

std::size_t PlanCache::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

std::size_t PlanCache::hits() const {
  const std::lock_guard lock(mutex_);
  return hits_;
}

PlanCache::Entry* PlanCache::take(const Structure& structure, const PlanLimits& limits) {
  const std::lock_guard lock(mutex_);
  const auto [begin, end] = by_hash_.equal_range(structure.hash());
  for (auto at = begin; at != end; ++at) {
    Entry& entry = *at->second;
    if (entry.is_used || !(entry.plan.limits == limits) || !(entry.structure == structure))
      continue;
    entry.is_used = true;
    entries_.splice(entries_.begin(), entries_, at->second);
    ++hits_;
    return &entry;
  }
  return nullptr;
}

void PlanCache::give_back(Entry& entry) noexcept {
  const std::lock_guard lock(mutex_);
  entry.is_used = false;
}

/// Takes the entry over, unless all plans it could make room with are in use.
void PlanCache::add(Entries& one) {
  const std::lock_guard lock(mutex_);
  while (entries_.size() >= capacity_)
    if (!drop_oldest()) return;
  by_hash_.emplace(one.front().structure.hash(), one.begin());
  entries_.splice(entries_.begin(), one);
}

/// False where all are in use.
bool PlanCache::drop_oldest() {
  const auto oldest = std::find_if(entries_.rbegin(), entries_.rend(),
                                   [](const Entry& entry) { return !entry.is_used; });
  if (oldest == entries_.rend()) return false;
  const Entries::iterator doomed = std::prev(oldest.base());
  const auto [begin, end] = by_hash_.equal_range(doomed->structure.hash());
  by_hash_.erase(
      std::find_if(begin, end, [&](const auto& named) { return named.second == doomed; }));
  entries_.erase(doomed);
  return true;
}

PlanCache::Use::Use(PlanCache& cache, const NodePtr& root, const PlanLimits& limits)
    : cache_(cache) {
  const Expression expression(root);
  const Structure structure(expression);
  entry_ = structure.is_complete() ? cache.take(structure, limits) : nullptr;
  if (entry_) {
    for (PlanSource& source : entry_->plan.sources)
      if (source.pass == PlanSource::stored) source.value = expression[source.vertex].node->value();
    return;
  }
  own_.push_back({structure, make_plan(expression, limits), true});
  entry_ = &own_.front();
  if (structure.is_complete()) cache.add(own_);
}

PlanCache::Use::~Use() {
  for (PlanSource& source : entry_->plan.sources) source.value = nullptr;
  if (own_.empty()) cache_.give_back(*entry_);
}

}  // namespace weft
