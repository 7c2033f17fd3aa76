// SPDX-License-Identifier: Apache-2.0
// Finding stacks.
#include <weft/engine/run/stacks.h>

#include <algorithm>
#include <optional>
#include <utility>

#include <weft/engine/run/lower.h>
#include <weft/engine/run/step.h>

namespace weft {
namespace {

// No kernel stacks wider units.
constexpr std::int64_t most_unit_bytes = 16;
// More copies are not looked at, as each is compared with others.
constexpr std::size_t most_copies = 64;

/// Units that copies write in turn.
struct UnitsInTurn {
  std::int64_t unit, units;  ///< of so many elements, so many
};

/// Those that a copy writes every n-th of, short enough for kernels.
std::optional<UnitsInTurn> units_in_turn(const Piece& piece, std::int64_t element) {
  const SmallVector<Loop, 6>& loops = piece.copy.loops;
  if (piece.beside || piece.is_group || loops.empty() ||
      !std::all_of(loops.begin(), loops.end(), [](const Loop& loop) { return loop.is_plain(); }))
    return std::nullopt;
  std::size_t at = loops.size() - 1;
  std::int64_t unit = 1;
  if (loops[at].is_run()) {
    if (at == 0) return std::nullopt;
    unit = loops[at--].extent;
  }
  const std::int64_t stride = loops[at].out_stride, units = stride / unit;
  if (unit * element > most_unit_bytes || stride % unit != 0 ||
      units <= static_cast<std::int64_t>(most_sources) ||
      units > static_cast<std::int64_t>(most_stacked))
    return std::nullopt;
  return UnitsInTurn{unit, units};
}

bool move_alike(const Copy& a, const Copy& b) {
  return std::equal(a.loops.begin(), a.loops.end(), b.loops.begin(), b.loops.end(),
                    [](const Loop& x, const Loop& y) {
                      return x.extent == y.extent && x.out_stride == y.out_stride &&
                             x.src_stride == y.src_stride;
                    });
}

class Stacking {
 public:
  Stacking(std::vector<Piece> pieces, std::int64_t element)
      : element_(element), pieces_(std::move(pieces)) {
    for (const Piece& piece : pieces_) in_turn_.push_back(units_in_turn(piece, element));
  }

  std::vector<Piece> run() {
    for (std::size_t first = 0; first < pieces_.size(); ++first)
      if (in_turn_[first]) stack_from(first);
    std::vector<Piece> left;
    for (std::size_t k = 0; k < pieces_.size(); ++k)
      if (!is_taken_[k]) left.push_back(std::move(pieces_[k]));
    return left;
  }

 private:
  /// Makes one of the copies whose units follow that of copy `first`, if they are all there.
  void stack_from(std::size_t first) {
    const auto [unit, units] = *in_turn_[first];
    Piece& lowest = pieces_[first];
    std::vector<std::size_t> others;
    for (std::int64_t n = 1; n < units; ++n) {
      const auto next = find(lowest.copy, lowest.copy.out_offset + n * unit);
      if (!next) return;
      others.push_back(*next);
    }
    Piece stack{lowest.copy};
    for (const std::size_t k : others) {
      const Copy& copy = pieces_[k].copy;
      stack.stacked.push_back(
          {copy.source, copy.out_offset - stack.copy.out_offset, copy.src_offset});
    }
    Nest nest = nest_of_stack(stack, element_);
    if (Bound bound; !bind_cheapest(nest, {}, bound)) return;
    lowest = std::move(stack);
    in_turn_[first].reset();
    for (const std::size_t k : others) {
      in_turn_[k].reset();
      is_taken_[k] = true;
    }
  }

  std::optional<std::size_t> find(const Copy& like, std::int64_t out_offset) const {
    for (std::size_t k = 0; k < pieces_.size(); ++k)
      if (in_turn_[k] && pieces_[k].copy.out_offset == out_offset &&
          move_alike(like, pieces_[k].copy))
        return k;
    return std::nullopt;
  }

  const std::int64_t element_;
  std::vector<Piece> pieces_;
  std::vector<std::optional<UnitsInTurn>> in_turn_;
  std::vector<bool> is_taken_ = std::vector<bool>(pieces_.size(), false);
};

}  // namespace

std::optional<Step> step_of_stack(const Piece& piece, std::uint32_t box, std::int64_t element,
                                  const Writing& writing) {
  Nest nest = nest_of_stack(piece, element);
  Step step{{}, {piece.copy.source, piece.copy.source}, box};
  if (!bind_cheapest(nest, writing, step.bound)) return std::nullopt;
  step.stacked.reserve(1 + piece.stacked.size());
  step.stacked.push_back({piece.copy.source, piece.copy.src_offset * element});
  for (const Piece::Stacked& other : piece.stacked)
    step.stacked.push_back({other.source, other.src_offset * element});
  return step;
}

std::vector<Piece> stack_up(std::vector<Piece> pieces, std::int64_t element) {
  if (pieces.size() <= most_sources || pieces.size() > most_copies) return pieces;
  return Stacking(std::move(pieces), element).run();
}

}  // namespace weft
