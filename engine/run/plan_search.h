// SPDX-License-Identifier: Apache-2.0
// Which plan of what is computed takes least: found by running several, where it is run often.
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include <weft/graph/plan/plan.h>

namespace weft {

class Executable;

/// Of an executable that is kept: others of the same expression, which store other values on the
/// way, are run in its stead, one after the other, each until it is known which of the two takes
/// less. All make the same bits. One is planned once what was evaluated has taken as long as
/// planning the one before.
class PlanSearch {
 public:
  using Seconds = double;
  /// The one that stores those, and may store more, which are among them then; none where there is
  /// none.
  using Make =
      std::function<std::optional<Executable>(StoredVertices& stored, bool may_store_more)>;
  using Work = std::function<void(Executable&)>;

  /// None where nothing is computed, or nothing may be stored on the way. `planning` is what the
  /// executable took to make.
  static std::unique_ptr<PlanSearch> of(const Executable& executable, const Expression& expression,
                                        Seconds planning);
  ~PlanSearch();

  /// Calls work(executable) with the best so far, or with the one that is tried beside it. They
  /// change places where it takes less. One for which there is no memory is left.
  void run(Executable& best, const Make& make, const Work& work);
  /// Lets go of the one that is tried, which holds what it reads.
  void leave();
  bool is_over() const { return !tried_ && sets_.empty() && single_.empty(); }

 private:
  PlanSearch(std::vector<StoredVertices> sets, StoredVertices single, Seconds planning);

  void plan_next(const Executable& best, const Make& make);
  bool choose();
  void begin(std::optional<Executable> made, const Executable& best);
  void tell(Seconds taken, Executable& best);
  void decide(Executable& best);
  bool is_turn_of_tried() const { return tried_ && runs_ % (2 * turn_) < turn_; }

  static constexpr Seconds never = std::numeric_limits<Seconds>::infinity();
  std::vector<StoredVertices> sets_;  ///< to be tried, the last one next
  StoredVertices single_;             ///< after them, each stored beside what the best stores
  StoredVertices stored_by_best_, stored_;
  std::unique_ptr<Executable> tried_;
  Seconds planning_, spent_ = 0;                ///< the latter since one was planned
  Seconds of_best_ = never, of_tried_ = never;  ///< the least
  int turn_ = 2, runs_ = 0;  ///< how many runs are a turn, and how many there were
};

/// What the work takes.
template <class Timed>
PlanSearch::Seconds seconds_of(const Timed& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<PlanSearch::Seconds>(std::chrono::steady_clock::now() - start)
      .count();
}

}  // namespace weft
