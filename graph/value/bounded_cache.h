// SPDX-License-Identifier: Apache-2.0
// A cache that holds so many entries at most, each used by one thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace weft {

/// Keys have a hash() and are compared as a whole. What was used longest ago goes first. As an
/// entry serves one user at a time, there may be several that are equal.
template <class Key, class Value>
class BoundedCache {
  struct Entry {
    Key key;
    Value value;
    bool is_used = false;
  };
  using Entries = std::list<Entry>;

 public:
  explicit BoundedCache(std::size_t capacity) : capacity_(capacity) {}
  BoundedCache(const BoundedCache&) = delete;
  BoundedCache& operator=(const BoundedCache&) = delete;

  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
  }
  /// How often an entry was there, since the beginning.
  std::size_t hits() const {
    const std::lock_guard lock(mutex_);
    return hits_;
  }

  /// An entry in use: from the cache, or made here and then in the cache where there is room.
  class Use {
   public:
    /// `make()` gives the value where none is found; one that may not be shared is not kept.
    template <class Make>
    Use(BoundedCache& cache, const Key& key, bool may_be_shared, Make&& make) : cache_(cache) {
      entry_ = may_be_shared ? cache.take(key) : nullptr;
      was_found_ = entry_ != nullptr;
      if (entry_) return;
      own_.push_back({key, make(), true});
      entry_ = &own_.front();
      if (may_be_shared) cache.add(own_);
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use() {
      if (own_.empty()) cache_.give_back(*entry_);
    }

    Value& value() const noexcept { return entry_->value; }
    bool was_found() const noexcept { return was_found_; }

   private:
    BoundedCache& cache_;
    Entries own_;  // one that the cache has no room for, or may not share
    Entry* entry_;
    bool was_found_;
  };

 private:
  Entry* take(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto [begin, end] = by_hash_.equal_range(key.hash());
    for (auto at = begin; at != end; ++at) {
      Entry& entry = *at->second;
      if (entry.is_used || !(entry.key == key)) continue;
      entry.is_used = true;
      entries_.splice(entries_.begin(), entries_, at->second);
      ++hits_;
      return &entry;
    }
    return nullptr;
  }

  void give_back(Entry& entry) noexcept {
    const std::lock_guard lock(mutex_);
    entry.is_used = false;
  }

  /// Takes the entry over, unless all that it could make room with are in use.
  void add(Entries& one) {
    const std::lock_guard lock(mutex_);
    while (entries_.size() >= capacity_)
      if (!drop_oldest()) return;
    by_hash_.emplace(one.front().key.hash(), one.begin());
    entries_.splice(entries_.begin(), one);
  }

  /// False where all are in use.
  bool drop_oldest() {
    const auto oldest = std::find_if(entries_.rbegin(), entries_.rend(),
                                     [](const Entry& entry) { return !entry.is_used; });
    if (oldest == entries_.rend()) return false;
    const auto doomed = std::prev(oldest.base());
    const auto [begin, end] = by_hash_.equal_range(doomed->key.hash());
    by_hash_.erase(
        std::find_if(begin, end, [&](const auto& named) { return named.second == doomed; }));
    entries_.erase(doomed);
    return true;
  }

  const std::size_t capacity_;
  mutable std::mutex mutex_;  // guards what follows
  Entries entries_;           // used last first
  std::unordered_multimap<std::uint64_t, typename Entries::iterator> by_hash_;
  std::size_t hits_ = 0;
};

}  // namespace weft
