// Plans that serve again where expressions are rebuilt: for loops whose shapes come back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <unordered_map>

#include <weft/graph/plan.h>
#include <weft/graph/structure.h>

namespace weft {

/// Keeps plans by the structure of their expressions, of which all is compared, and none of the
/// tensors they read. Beyond its capacity the plan that was used longest ago goes. Threads may
/// share a cache; a plan serves one evaluation at a time, so a cache may hold several that are
/// equal.
class PlanCache {
 public:
  /// Holds so many plans at most.
  explicit PlanCache(std::size_t capacity) : capacity_(capacity) {}
  PlanCache(const PlanCache&) = delete;
  PlanCache& operator=(const PlanCache&) = delete;

  std::size_t size() const;
  /// How often a plan was there, since the beginning.
  std::size_t hits() const;

  class Use;

 private:
  struct Entry {
    Structure structure;
    Plan plan;
    bool is_used = false;
  };
  using Entries = std::list<Entry>;

  Entry* take(const Structure& structure, const PlanLimits& limits);
  void give_back(Entry& entry) noexcept;
  void add(Entries& one);
  bool drop_oldest();

  const std::size_t capacity_;
  mutable std::mutex mutex_;  // guards what follows
  Entries entries_;           // used last first
  std::unordered_multimap<std::uint64_t, Entries::iterator> by_hash_;
  std::size_t hits_ = 0;
};

/// A plan in use: from the cache, or new and then in the cache where there is room.
class PlanCache::Use {
 public:
  /// Throws what make_plan() throws.
  Use(PlanCache& cache, const NodePtr& root, const PlanLimits& limits);
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use();

  const Plan& plan() const noexcept { return entry_->plan; }

 private:
  PlanCache& cache_;
  Entries own_;  // a plan that the cache has no room for, or may not share
  Entry* entry_;
};

}  // namespace weft
