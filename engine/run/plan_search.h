// SPDX-License-Identifier: Apache-2.0
// Which plan of what is computed takes least: found by running several, where it is run often.
#pragma once

#include <chrono>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include <weft/graph/plan/plan.h>
#include <weft/graph/value/error.h>

namespace weft {

class Executable;

/// Of an executable that is kept: others of the same expression, which store other values on the
/// way, are run in its stead, one after the other, each until it is known which of the two takes
/// less. All make the same bits. Planning one takes no longer than what was evaluated since the
/// one before.
class PlanSearch {
 public:
  using Seconds = double;

  /// None where nothing is computed, or nothing may be stored on the way. `planning` is what the
  /// executable took to make.
  static std::unique_ptr<PlanSearch> of(const Executable& executable, const Expression& expression,
                                        Seconds planning);
  ~PlanSearch();

  /// Calls work(executable) with the best so far, or with the one that is tried beside it, which
  /// make(stored, may_store_more) gives if there is one. They change places where it takes less.
  /// One for which there is no memory is left.
  template <class Make, class Work>
  void run(Executable& best, const Make& make, const Work& work) {
    if (!tried_ && spent_ >= planning_)
      planning_ = seconds_of([&] {
        has_memory([&] {
          const bool may_store_more = choose();
          begin(make(stored_, may_store_more), best);
        });
      });
    if (is_turn_of_tried()) {
      if (has_memory([&] { tell(seconds_of([&] { work(*tried_); }), best); })) return;
      tried_.reset();
    }
    tell(seconds_of([&] { work(best); }), best);
  }
  bool is_over() const { return !tried_ && sets_.empty() && single_.empty(); }

  template <class Work>
  static Seconds seconds_of(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<Seconds>(std::chrono::steady_clock::now() - start).count();
  }

 private:
  PlanSearch(std::vector<StoredVertices> sets, StoredVertices single, Seconds planning);

  template <class Work>
  static bool has_memory(const Work& work) {
    try {
      work();
      return true;
    } catch (const MemoryError&) {
    } catch (const std::bad_alloc&) {
    }
    return false;
  }

  bool choose();
  void begin(std::optional<Executable> made, const Executable& best);
  void tell(Seconds taken, Executable& best);
  void decide(Executable& best);
  bool is_turn_of_tried() const { return tried_ && runs_ % 4 < 2; }

  static constexpr Seconds never = std::numeric_limits<Seconds>::infinity();
  std::vector<StoredVertices> sets_;  ///< to be tried, the last one next
  StoredVertices single_;             ///< after them, each stored beside what the best stores
  StoredVertices stored_by_best_, stored_;
  std::unique_ptr<Executable> tried_;
  Seconds planning_, spent_ = 0;
  Seconds of_best_ = never, of_tried_ = never;  ///< the least
  int runs_ = 0;
};

}  // namespace weft
