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
/// planning the one before. Before and after them, where it takes little, it is run on one thread
/// instead of all, or the other way round: threads wait for what another one has made, and to be
/// woken, and how long tells nothing but a clock. What stays on one is tried on all now and then,
/// as another program may have had the other cores.
class PlanSearch {
 public:
  using Seconds = double;
  /// The one that stores those, and may store more, which are among them then; none where there is
  /// none.
  using Make =
      std::function<std::optional<Executable>(StoredVertices& stored, bool may_store_more)>;
  using Work = std::function<void(Executable&, bool is_by_one)>;

  /// None where nothing is computed, or nothing may be stored on the way. `planning` is what the
  /// executable took to make.
  static std::unique_ptr<PlanSearch> of(const Executable& executable, const Expression& expression,
                                        Seconds planning);
  ~PlanSearch();

  /// Calls work(executable, whether on one thread) with the best so far, or with what is tried
  /// beside it. They change places where it takes less. What finds no memory is left.
  void run(Executable& best, const Make& make, const Work& work);
  /// Lets go of the one that is tried, which holds what it reads.
  void leave();
  bool is_over() const { return !is_trying() && !are_plans_left() && turns_of_threads_ == 0; }
  /// Whether all was tried, and at most threads are once more.
  bool is_settled() const { return is_settled_ || is_over(); }

 private:
  PlanSearch(std::vector<StoredVertices> sets, StoredVertices single, Seconds planning);

  bool is_trying() const { return tried_ || tries_threads_; }
  bool are_plans_left() const { return !sets_.empty() || !single_.empty(); }
  void try_next(const Executable& best, const Make& make);
  bool try_threads(const Executable& best);
  bool choose();
  void begin(std::optional<Executable> made, const Executable& best);
  void run_tried(Executable& best, const Work& work) const;
  void tell(Seconds taken, Executable& best);
  void begin_turns();
  void decide(Executable& best);
  void take(Executable& best);
  void stop_trying(const Executable& best);
  bool is_turn_of_tried() const { return is_trying() && runs_ % (2 * turn_) < turn_; }

  static constexpr Seconds never = std::numeric_limits<Seconds>::infinity();
  std::vector<StoredVertices> sets_;  ///< to be tried, the last one next
  StoredVertices single_;             ///< after them, each stored beside what the best stores
  StoredVertices stored_by_best_, stored_;
  std::unique_ptr<Executable> tried_;
  bool tries_threads_ = false;  ///< the best on one thread, or on all
  int turns_of_threads_ = 2;    ///< so often that is to be tried
  bool is_settled_ = false;
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
