// SPDX-License-Identifier: Apache-2.0
// Pairing: the parts of two copies that lie unit by unit beside one another.
#include <weft/engine/run/pairs.h>

#include <algorithm>
#include <cstdlib>

#include <weft/engine/kernels/instruction_set.h>
#include <weft/engine/kernels/move/grouping.h>
#include <weft/engine/run/clip.h>
#include <weft/engine/run/joined_rows.h>
#include <weft/engine/run/lower.h>
#include <weft/engine/run/row_parts.h>
#include <weft/engine/run/stacks.h>
#include <weft/graph/value/division.h>

namespace weft {
namespace {

// So many halves are tried against one another.
constexpr std::size_t most_halves = 32;

struct Half {
  Copy copy;
  std::size_t at;  ///< its loop over pairs
};

/// For each loop, the step of one copy that step 0 of another lies at; may be negative.
using Starts = SmallVector<std::int64_t, 6>;

struct Overlap {
  std::int64_t low, high;
};

Overlap overlap(const Copy& a, const Copy& b, const Starts& starts, std::size_t k) {
  return {std::max<std::int64_t>(0, starts[k]),
          std::min(a.loops[k].extent, starts[k] + b.loops[k].extent)};
}

/// Whether `distance` is so many steps of the loops from `k` to `last`, with a step in common.
bool find_starts(const Half& a, const Half& b, std::int64_t distance, std::size_t k,
                 Starts& starts) {
  if (k > a.at) return distance == 0;
  const std::int64_t stride = a.copy.loops[k].out_stride;
  const std::int64_t below = floor_div(distance, stride);
  for (const std::int64_t start : {below, below + 1}) {
    starts[k] = start;
    const Overlap common = overlap(a.copy, b.copy, starts, k);
    if (common.low < common.high && find_starts(a, b, distance - start * stride, k + 1, starts))
      return true;
  }
  return false;
}

bool has_same_strides(const Half& a, const Half& b) {
  if (a.at != b.at || a.copy.loops.size() != b.copy.loops.size()) return false;
  for (std::size_t k = 0; k < a.copy.loops.size(); ++k)
    if (a.copy.loops[k].out_stride != b.copy.loops[k].out_stride) return false;
  return a.at + 1 == a.copy.loops.size() ||
         a.copy.loops.back().extent == b.copy.loops.back().extent;
}

/// Puts a loop of `half` that goes on over several steps of `stride` into a loop over those and one
/// within them.
void refine(Half& half, std::int64_t stride) {
  SmallVector<Loop, 6>& loops = half.copy.loops;
  for (std::size_t k = 0; k <= half.at; ++k) {
    const Loop whole = loops[k];
    if (whole.out_stride >= stride) continue;
    const std::int64_t steps = stride / whole.out_stride;
    if (stride % whole.out_stride != 0 || whole.extent % steps != 0 || whole.extent == steps)
      return;
    loops[k].extent = steps;
    loops.insert(loops.begin() + k,
                 {whole.extent / steps, stride, whole.src_stride * steps, nullptr, nullptr});
    ++half.at;
    return;
  }
}

void refine(Half& half, const Half& other) {
  for (std::size_t k = 0; k < other.at; ++k) {
    const std::int64_t stride = other.copy.loops[k].out_stride;
    if (std::none_of(half.copy.loops.begin(), half.copy.loops.end(),
                     [&](const Loop& loop) { return loop.out_stride == stride; }))
      refine(half, stride);
  }
}

class Pairing {
 public:
  Pairing(std::vector<Piece> pieces, std::int64_t element) : element_(element) {
    for (Piece& piece : pieces) {
      if (piece.is_joined()) pieces_.push_back(std::move(piece));
      else add(piece.copy);
    }
  }

  std::vector<Piece> run() {
    while (pair_any()) continue;
    for (Half& half : halves_) pieces_.push_back({std::move(half.copy)});
    return std::move(pieces_);
  }

 private:
  void add(const Copy& copy) {
    const auto at = loop_over_pairs(copy, element_);
    if (at && halves_.size() < most_halves) halves_.push_back({copy, *at});
    else pieces_.push_back({copy});
  }

  bool pair_any() {
    for (std::size_t a = 0; a < halves_.size(); ++a)
      for (std::size_t b = a + 1; b < halves_.size(); ++b)
        if (try_pair(a, b)) return true;
    return false;
  }

  std::int64_t paired_steps(const Half& a, const Half& b, Starts& starts) const {
    const std::int64_t unit = a.copy.loops[a.at].out_stride / 2;
    if (!find_starts(a, b, b.copy.out_offset - a.copy.out_offset - unit, 0, starts)) return 0;
    std::int64_t steps = 1;
    for (std::size_t k = 0; k <= a.at; ++k) {
      const Overlap common = overlap(a.copy, b.copy, starts, k);
      steps *= common.high - common.low;
    }
    return steps;
  }

  bool try_pair(std::size_t a, std::size_t b) {
    Half first = halves_[a], second = halves_[b];
    refine(first, second);
    refine(second, first);
    if (!has_same_strides(first, second)) return false;
    Starts starts(first.at + 1, 0), others = starts;
    const std::int64_t steps = paired_steps(first, second, starts);
    if (paired_steps(second, first, others) > steps) std::swap(first, second), starts = others;
    else if (steps == 0) return false;
    const Overlap pairs = overlap(first.copy, second.copy, starts, first.at);
    if (pairs.high - pairs.low < 2) return false;
    halves_.erase(halves_.begin() + static_cast<std::ptrdiff_t>(b));
    halves_.erase(halves_.begin() + static_cast<std::ptrdiff_t>(a));
    Starts back = starts;
    for (std::int64_t& start : back) start = -start;
    pieces_.push_back({take(first, second, starts), take(second, first, back)});
    return true;
  }

  /// What `half` has in common with `other`; the rest of it is added.
  Copy take(const Half& half, const Half& other, const Starts& starts) {
    Copy copy = half.copy;
    for (std::size_t k = half.at + 1; k-- > 0;) {  // innermost first: loops of one step go
      const std::int64_t extent = half.copy.loops[k].extent;
      const Overlap common = overlap(half.copy, other.copy, starts, k);
      if (common.low > 0) add(restrict(copy, k, 0, common.low));
      if (common.high < extent) add(restrict(copy, k, common.high, extent));
      if (common.high - common.low < extent) copy = restrict(copy, k, common.low, common.high);
    }
    return copy;
  }

  const std::int64_t element_;
  std::vector<Half> halves_;
  std::vector<Piece> pieces_;
};

}  // namespace

std::optional<std::size_t> loop_over_pairs(const Copy& copy, std::int64_t element) {
  if (copy.loops.empty() || !std::all_of(copy.loops.begin(), copy.loops.end(),
                                         [](const Loop& loop) { return loop.is_plain(); }))
    return std::nullopt;
  std::size_t at = copy.loops.size() - 1;
  std::int64_t unit = 1;
  if (const Loop& run = copy.loops.back(); run.is_run()) {
    if (at == 0) return std::nullopt;
    unit = run.extent;
    --at;
  }
  if (copy.loops[at].out_stride != 2 * unit || unit * element >= long_unit) return std::nullopt;
  return at;
}

Piece restrict(const Piece& piece, std::size_t at, std::int64_t low, std::int64_t high) {
  Piece part{restrict(piece.copy, at, low, high), std::nullopt, piece.is_group, piece.stacked};
  for (Piece::Stacked& other : part.stacked)
    other.src_offset += part.copy.src_offset - piece.copy.src_offset;
  if (piece.beside) part.beside = restrict(*piece.beside, at, low, high);
  return part;
}

bool is_woven_by_vectors(const Piece& pair, std::int64_t element) {
  const auto at = loop_over_pairs(pair.copy, element);
  if (!at) return false;
  const std::int64_t unit = pair.copy.loops[*at].out_stride / 2;
  const auto is_near = [&](const Copy& copy) {
    const std::int64_t stride = copy.loops[*at].src_stride;
    return stride == unit || stride == 2 * unit;
  };
  return is_near(pair.copy) && is_near(*pair.beside);
}

std::vector<Copy> paint_pairs(const std::vector<Piece>& pieces) {
  std::vector<Copy> copies;
  for (const Piece& piece : pieces) {
    Copy below = piece.copy;
    if (!piece.beside) {
      for_each_of_stack(piece, [&](const Copy& copy) { copies.push_back(copy); });
      continue;
    }
    Copy above = *piece.beside;
    const auto at = piece.is_group ? std::nullopt : loop_over_pairs(below, 1);
    const auto is_wide = [&](const Copy& copy) { return copy.loops[*at].src_stride % 2 == 0; };
    if (at && !is_wide(below)) std::swap(below, above);
    if (at && is_wide(below)) {
      Loop& loop = below.loops[*at];
      loop = {2 * loop.extent - 1, loop.out_stride / 2, loop.src_stride / 2, nullptr, nullptr};
    }
    copies.push_back(below);
    copies.push_back(above);
  }
  return copies;
}

namespace {

// A loop of so few steps may be cut into them.
constexpr std::int64_t few_steps = 4;

/// Two halves of one source at a constant distance are one copy, whose innermost loop has two
/// steps: what turns that reads whole lines, where a weave would take them unit by unit. A short
/// loop along which the distance changes is cut into its steps.
void add_joined(const Piece& piece, std::int64_t element, std::vector<Piece>& to) {
  if (!piece.beside || piece.is_group || piece.copy.source != piece.beside->source ||
      is_woven_by_vectors(piece, element))
    return to.push_back(piece);
  const Copy& beside = *piece.beside;
  const std::size_t at = *loop_over_pairs(piece.copy, element);
  for (std::size_t k = 0; k <= at; ++k) {
    const Loop& loop = piece.copy.loops[k];
    if (loop.src_stride == beside.loops[k].src_stride) continue;
    if (k == at || loop.extent > few_steps) return to.push_back(piece);
    for (std::int64_t i = 0; i < loop.extent; ++i)
      add_joined(restrict(piece, k, i, i + 1), element, to);
    return;
  }
  Piece one{piece.copy};
  one.copy.loops.insert(one.copy.loops.begin() + at + 1, {2, one.copy.loops[at].out_stride / 2,
                                                          beside.src_offset - one.copy.src_offset});
  to.push_back(one);
}

std::vector<Piece> join_halves(const std::vector<Piece>& pieces, std::int64_t element) {
  std::vector<Piece> joined;
  for (const Piece& piece : pieces) add_joined(piece, element, joined);
  return joined;
}

/// How far apart what it writes is at least, which may be parts of groups; 0: it makes none.
std::int64_t group_stride(const Piece& piece, std::int64_t element) {
  if (piece.is_joined()) return 0;
  const SmallVector<Loop, 6>& loops = piece.copy.loops;
  std::int64_t unit = 1;
  for (std::size_t k = loops.size(); k-- > 0; unit *= loops[k].extent)
    if (loops[k].out_stride > unit)
      return loops[k].out_stride * element <= most_group_bytes ? loops[k].out_stride : 0;
  return 0;
}

/// Whether both may make one group, before kernels are asked.
bool may_make_groups(const Copy& a, const Copy& b, std::int64_t element) {
  if (std::abs(a.out_offset - b.out_offset) * element >= most_group_bytes) return false;
  return permutes_lines() || a.source == b.source || stand_still(a.loops) || stand_still(b.loops);
}

/// Whether a kernel moves both at once.
bool are_moved_together(const Copy& a, const Copy& b, std::int64_t element) {
  auto nest = joint_nest_of(a, b, element);
  Bound bound;
  return nest && bind_cheapest(*nest, {}, bound);
}

/// Puts a piece beside another, perhaps by other loops that do the same; false where no kernel
/// moves both.
bool put_beside(Piece& piece, const Copy& copy, std::int64_t stride, std::int64_t element) {
  if (!may_make_groups(piece.copy, copy, element)) return false;
  if (are_moved_together(piece.copy, copy, element)) {
    piece.beside = copy;
  } else if (auto like = by_loops_of(copy, piece.copy, stride);
             like && are_moved_together(piece.copy, *like, element)) {
    piece.beside = std::move(like);
  } else if (auto own = by_loops_of(piece.copy, copy, stride);
             own && are_moved_together(*own, copy, element)) {
    piece.copy = std::move(*own);
    piece.beside = copy;
  }
  return piece.beside.has_value();
}

/// Puts the rows beside one another that two pieces both write parts of, and adds the other rows of
/// either to `rest`; false where no kernel moves these.
bool put_stretch_beside(Piece& piece, const Copy& copy, std::int64_t stride, std::int64_t element,
                        std::vector<Copy>& rest) {
  std::vector<CopyPart> parts =
      cut_alike({piece.copy, copy}, stride, piece.copy.out_offset % stride);
  if (parts.size() == 2) return false;
  std::size_t longest[] = {parts.size(), parts.size()};  // of either
  for (std::size_t k = 0; k < parts.size(); ++k)
    if (std::size_t& own = longest[parts[k].of];
        own == parts.size() || parts[k].copy.count() > parts[own].copy.count())
      own = k;
  Piece stretch{parts[longest[0]].copy};
  if (!put_beside(stretch, parts[longest[1]].copy, stride, element)) return false;
  piece = std::move(stretch);
  for (std::size_t k = 0; k < parts.size(); ++k)
    if (k != longest[0] && k != longest[1]) rest.push_back(std::move(parts[k].copy));
  return true;
}

/// Pairs whose units are put together as groups, whatever their steps.
void mark_groups(std::vector<Piece>& pieces, std::int64_t element) {
  if (!permutes_lines()) return;
  for (Piece& piece : pieces) {
    if (!piece.beside || piece.is_group) continue;
    auto nest = joint_nest_of(piece.copy, *piece.beside, element);
    Bound bound;
    piece.is_group = nest && bind_cheapest(*nest, {}, bound) && bound.kernel == &weave_lines_kernel;
  }
}

/// Joins those that make groups together.
void group_up(std::vector<Piece>& pieces, std::int64_t element) {
  struct Part {
    std::size_t piece;
    std::int64_t stride;
  };
  std::vector<Part> parts;
  for (std::size_t k = 0; k < pieces.size() && parts.size() < most_halves; ++k)
    if (const std::int64_t stride = group_stride(pieces[k], element); stride > 0)
      parts.push_back({k, stride});
  std::vector<std::size_t> joined;
  std::vector<Copy> rest;
  for (std::size_t a = 0; a < parts.size(); ++a)
    for (std::size_t b = a + 1; b < parts.size(); ++b) {
      Piece &piece = pieces[parts[a].piece], &other = pieces[parts[b].piece];
      const std::int64_t stride = std::max(parts[a].stride, parts[b].stride);
      if (piece.is_group || other.is_group ||
          !(put_beside(piece, other.copy, stride, element) ||
            put_stretch_beside(piece, other.copy, stride, element, rest)))
        continue;
      piece.is_group = other.is_group = true;
      joined.push_back(parts[b].piece);
    }
  std::sort(joined.begin(), joined.end());
  while (!joined.empty()) {
    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(joined.back()));
    joined.pop_back();
  }
  for (Copy& copy : rest) pieces.push_back({std::move(copy)});
}

}  // namespace

Pieces pair_up(const Pass& pass, std::int64_t element, RowsOf most) {
  Pieces made = join_rows(pass, element, most);
  if (made.is_painted) return made;
  made.pieces = stack_up(std::move(made.pieces), element);
  const auto is_half = [&](const Piece& piece) {
    return piece.stacked.empty() && loop_over_pairs(piece.copy, element).has_value();
  };
  if (std::count_if(made.pieces.begin(), made.pieces.end(), is_half) >= 2)
    made.pieces = join_halves(Pairing(std::move(made.pieces), element).run(), element);
  mark_groups(made.pieces, element);
  group_up(made.pieces, element);
  return made;
}

}  // namespace weft
