// SPDX-License-Identifier: Apache-2.0
// Pairs: two copies that write every second unit each of the same stretch, or that make groups of a
// few bytes together, carried out as one, so that whole lines are written once.
#pragma once

#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

#include <weft/graph/plan/plan.h>

namespace weft {

/// A copy, or two with the same extents and out strides, or the same but for those within a group;
/// or several that move alike (stacks.h).
struct Piece {
  struct Stacked {
    std::size_t source;
    std::int64_t behind, src_offset;  ///< so far behind `copy` in the output
  };

  Copy copy;
  std::optional<Copy> beside{};  ///< writes just behind each unit of `copy`, or the rest of groups
  bool is_group = false;
  std::vector<Stacked> stacked{};  ///< each writes a unit further, by the loops of `copy`
  std::uint32_t box = 0;           ///< of a part: which piece it was cut from

  /// Whether it is of several copies.
  bool is_joined() const { return beside || is_group || !stacked.empty(); }
  std::int64_t count() const {
    return copy.count() * (1 + std::ssize(stacked)) + (beside ? beside->count() : 0);
  }
};

/// Calls visit(copy) for the copy of a piece and those that move alike.
template <class Visit>
void for_each_of_stack(const Piece& piece, const Visit& visit) {
  visit(piece.copy);
  for (const Piece::Stacked& other : piece.stacked) {
    Copy copy = piece.copy;
    copy.out_offset += other.behind;
    copy.source = other.source;
    copy.src_offset = other.src_offset;
    visit(copy);
  }
}

/// The loop that steps over two units, of the copies that do: what lies further in is one unit.
std::optional<std::size_t> loop_over_pairs(const Copy& copy, std::int64_t element);

/// Whether both sources have their units side by side or every second.
bool is_woven_by_vectors(const Piece& pair, std::int64_t element);

/// Steps [low, high) of loop `at`, which both copies have.
Piece restrict(const Piece& piece, std::size_t at, std::int64_t low, std::int64_t high);

/// What the loops of joined pieces step by (joined_rows.h).
using JoinedTables = std::vector<std::shared_ptr<const std::int64_t[]>>;

struct Pieces {
  std::vector<Piece> pieces{};
  JoinedTables tables{};  ///< that they refer to
  bool is_painted = false;
};

/// How many sources, or ways to move on in one, short rows are put together of at most.
enum class RowsOf : std::uint8_t { one_stream = 1, two_streams };

/// What writes the same as the copies of a pass, in any order unless it is painted. Where only
/// parts of two copies fit together, the rest of them goes alone.
Pieces pair_up(const Pass& pass, std::int64_t element, RowsOf most = RowsOf::two_streams);

/// Copies that write the same in this order: one of a pair goes over the other, which is widened to
/// a plain copy where its source has something to read between its units.
std::vector<Copy> paint_pairs(const std::vector<Piece>& pieces);

}  // namespace weft
