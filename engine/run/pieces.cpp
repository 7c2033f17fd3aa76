// SPDX-License-Identifier: Apache-2.0
// Cutting copies: which loop to cut first, and where.
#include <weft/engine/run/pieces.h>

#include <algorithm>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/clip.h>
#include <weft/engine/run/lower.h>

namespace weft {
namespace {

// Cuts fall between pairs of lines of the output and between these many bytes of the source.
constexpr std::int64_t out_quantum = 2 * cache_line;
constexpr std::int64_t src_quantum = 4 * cache_line;
// So many times more must be written as whole lines than is written in parts of them.
constexpr std::int64_t few = 8;
// Rows of a transpose in one piece: no more than a page of each source row, and no more pages of
// the output than the processor keeps addresses of (W2.f64: 0.6 copies, 1.2 with whole rows).
constexpr std::int64_t most_row_bytes = 4096;
constexpr std::int64_t most_rows = 1024;

std::int64_t contiguous_bytes(const Piece& piece, std::int64_t element) {
  const SmallVector<Loop, 6>& loops = piece.copy.loops;
  const auto grouping = piece.grouping(element);
  const auto over_pairs =
      piece.beside && !grouping ? loop_over_pairs(piece.copy, element) : std::nullopt;
  std::int64_t bytes = grouping ? grouping->bytes : element;
  for (std::size_t k = grouping ? grouping->at + 1 : loops.size(); k-- > 0;) {
    const Loop& loop = loops[k];
    if (k == over_pairs) bytes *= 2;
    if (!loop.is_plain() || loop.out_stride * element != bytes) break;
    bytes *= loop.extent;
  }
  return bytes;
}

class Cutter {
 public:
  Cutter(std::int64_t element, std::int64_t piece_bytes, std::vector<Piece>& pieces)
      : element_(element), piece_bytes_(piece_bytes), pieces_(pieces) {}

  void cut(const Piece& piece) {
    const Copy& copy = piece.copy;
    const std::int64_t bytes = piece.count() * element_;
    if (copy.loops.size() < 2 && bytes < 2 * piece_bytes_) return pieces_.push_back(piece);
    const Lowered lowered = lower(copy, element_);
    if (lowered.kernel == transpose_blocks && !piece.is_group && try_cut_rows(piece, lowered.tile))
      return;
    const std::size_t at = bytes < 2 * piece_bytes_ ? none : loop_to_cut(piece, lowered);
    if (at == none) return pieces_.push_back(piece);
    const Quantum quantum = quantum_of(copy, at);
    const std::int64_t steps = piece_bytes_ / (bytes / copy.loops[at].extent);
    const std::int64_t fitting = steps / quantum.steps * quantum.steps;
    // Where one quantum already is too much, its loops are cut further.
    cut_at(piece, at, std::max(fitting, quantum.steps), quantum.past, fitting == 0);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  void cut_at(const Piece& piece, std::size_t at, std::int64_t steps, std::int64_t past,
              bool goes_on) {
    const std::int64_t extent = piece.copy.loops[at].extent;
    for (std::int64_t low = 0; low < extent;) {
      const std::int64_t high = std::min(extent, low + steps - (low == 0 ? past : 0));
      Piece part = restrict(piece, at, low, high);
      if (goes_on) cut(part);
      else pieces_.push_back(std::move(part));
      low = high;
    }
  }

  /// Cuts the outermost loop of the rows where they are too many.
  bool try_cut_rows(const Piece& piece, const Tile& tile) {
    const Copy& copy = piece.copy;
    const std::int64_t rows = steps_of(tile.rows());
    const std::int64_t most = std::clamp<std::int64_t>(most_row_bytes / tile.unit, 1, most_rows);
    if (rows <= most) return false;
    std::size_t at = none;
    for (std::size_t k = 0; k < copy.loops.size(); ++k)
      if (is_among(tile.rows(), copy.loops[k]) &&
          (at == none || std::abs(copy.loops[k].src_stride) > std::abs(copy.loops[at].src_stride)))
        at = k;
    const std::int64_t extent = copy.loops[at].extent;
    cut_at(piece, at, std::max<std::int64_t>(1, most / (rows / extent)), 0, true);
    return true;
  }

  struct Quantum {
    std::int64_t steps, past;
  };

  /// A loop is cut at multiples of `steps`, counted from `past` steps before its first.
  Quantum quantum_of(const Copy& copy, std::size_t at) const {
    const Loop& loop = copy.loops[at];
    if (!loop.is_plain()) return {1, 0};
    // Only the innermost loop is that fine.
    if (at + 1 == copy.loops.size() && out_quantum % (loop.out_stride * element_) == 0)
      return {out_quantum / (loop.out_stride * element_),
              copy.out_offset * element_ % out_quantum / (loop.out_stride * element_)};
    const std::int64_t src_bytes = std::abs(loop.src_stride) * element_;
    if (src_bytes > 0 && src_bytes < src_quantum) return {src_quantum / src_bytes, 0};
    return {1, 0};
  }

  /// The outermost loop that is longer than its quantum; then rows of a transpose, repetitions, and
  /// runs that are short.
  std::size_t loop_to_cut(const Piece& piece, const Lowered& lowered) const {
    const Copy& copy = piece.copy;
    const auto grouping = piece.grouping(element_);
    const std::size_t inner = piece.is_group ? grouping ? grouping->at + 1 : 0 : copy.loops.size();
    const auto rank = [&](const Loop& loop) {
      if (loop.is_run() && loop.extent * element_ < piece_bytes_) return 3;
      if (loop.is_repetition()) return 2;
      return lowered.kernel == transpose_blocks && is_among(lowered.tile.rows(), loop) ? 1 : 0;
    };
    std::size_t best = none;
    for (std::size_t k = 0; k < inner; ++k)
      if (copy.loops[k].extent > quantum_of(copy, k).steps &&
          (best == none || rank(copy.loops[k]) < rank(copy.loops[best])))
        best = k;
    return best;
  }

  bool is_among(const Tile::Sides& sides, const Loop& loop) const {
    return loop.is_plain() && std::any_of(sides.begin(), sides.end(), [&](const Tile::Side& side) {
             return side.extent == loop.extent &&
                    std::abs(side.dst) == std::abs(loop.out_stride) * element_ &&
                    std::abs(side.src) == std::abs(loop.src_stride) * element_;
           });
  }

  const std::int64_t element_;
  const std::int64_t piece_bytes_;
  std::vector<Piece>& pieces_;
};

}  // namespace

bool writes_lines(const std::vector<Piece>& pieces, std::int64_t count, std::int64_t element) {
  std::int64_t ragged = 0;
  for (const Piece& piece : pieces) {
    const std::int64_t elements = piece.count(), bytes = contiguous_bytes(piece, element);
    const bool is_ragged = bytes < cache_line && bytes < elements * element;
    const bool is_slow_pair =
        piece.beside && !piece.is_group && !is_woven_by_vectors(piece, element);
    if (is_ragged || is_slow_pair) ragged += elements;
  }
  return ragged * few <= count;
}

std::vector<Piece> cut(const std::vector<Piece>& pieces, std::int64_t element,
                       std::int64_t piece_bytes) {
  std::vector<Piece> parts;
  Cutter cutter(element, piece_bytes, parts);
  for (const Piece& piece : pieces) cutter.cut(piece);
  // Neighbours in the output often read neighbours, or the same.
  const auto is_before = [](const Piece& a, const Piece& b) {
    return a.copy.out_offset < b.copy.out_offset;
  };
  // Sorting moves them, which takes longer than it takes to see that nothing is to be done.
  if (!std::is_sorted(parts.begin(), parts.end(), is_before))
    std::stable_sort(parts.begin(), parts.end(), is_before);
  return parts;
}

}  // namespace weft
