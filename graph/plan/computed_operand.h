// SPDX-License-Identifier: Apache-2.0
// An operand of what is computed, while it is open how it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <weft/graph/map/meet.h>
#include <weft/graph/plan/plan.h>
#include <weft/graph/plan/repetitions.h>
#include <weft/graph/plan/stored_order.h>

namespace weft {

/// An order in which other operands lie.
struct OrderOfOthers {
  StoredOrder order;
  bool is_most;  ///< more of what is moved lies so than as the result does
};

/// One operand in the making.
class ComputedOperand {
 public:
  ComputedOperand(Plan& plan, std::size_t pass)
      : plan_(plan), pass_(pass), reads_(plan.passes[pass].copies) {}

  /// Whether its copies say for each position of so many one place.
  bool has_places(std::int64_t count) const;
  /// Whether reading it where it is computed takes longer than storing it.
  bool has_broken_runs() const;
  /// Whether blocks would put its elements in order again and again.
  bool is_turned_often() const;
  /// Whether it is rows of columns of which it has one of some elements.
  bool turns_steps() const;
  /// Whether short parts of it follow one another, all of which are repeated.
  bool repeats_parts() const;
  std::size_t pass() const { return pass_; }
  bool is_stored() const { return is_stored_; }
  bool can_store() const { return bytes() <= plan_.limits.stored_bytes; }
  std::int64_t bytes() const { return plan_.passes[pass_].bytes(); }
  std::size_t boxes() const { return reads_.size(); }
  std::size_t loops() const;

  /// So many elements are read where its own pass stores them, perhaps in smaller units, in order,
  /// or in that of others where it has longer runs in that; what repeats is stored once.
  void store(std::int64_t count, const std::optional<OrderOfOthers>& others);
  /// Whether one copy reads an element for each of so many positions.
  bool is_one_to_one(std::int64_t count) const;
  /// That in which its elements lie, where it is another than that of positions.
  std::optional<StoredOrder> order(std::int64_t count) const {
    return reads_.size() == 1 ? StoredOrder::of(reads_[0], count) : std::nullopt;
  }
  /// Each element of the one copy that it has, in the order in which it is read, or that of the
  /// source.
  void store_once(bool is_as_source = false);
  /// Stores what repeats as often as it is read; false where nothing does.
  bool repeat(const Shape& shape);

  /// What pieces() takes at most.
  std::size_t piece_bytes() const {
    return boxes() * sizeof(JointBox) + loops() * sizeof(JointLoop);
  }
  /// As pieces, in an order of places in which one source follows another.
  std::optional<JointBoxes> pieces(std::int64_t element);

  /// The source that has that place, which becomes one in it.
  std::size_t source_of(std::int64_t& place) const;

 private:
  bool put_in(const OrderOfOthers& others);
  void read_stored(std::int64_t count);

  /// What the pass writes again and again it then writes once.
  void take_repetitions();

  /// Where the source begins; none beyond what can be counted.
  std::optional<std::int64_t> place_of(std::size_t source, std::int64_t element);

  Plan& plan_;
  std::size_t pass_;
  std::vector<Copy> reads_;
  bool is_stored_ = false;
  RepeatedCopies repeated_;       // how what is stored is repeated
  std::vector<Copy> as_read_;     // of what is stored once, before
  std::size_t source_ = 0;        // where it is
  std::vector<Stretch> sources_;  // x: the first place of each
};

}  // namespace weft
