// SPDX-License-Identifier: Apache-2.0
// Cutting copies: which loop to cut first, and where.
#include <weft/engine/run/pieces.h>

#include <algorithm>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/clip.h>
#include <weft/engine/run/lower.h>
#include <weft/engine/run/shared_lines.h>
#include <weft/engine/run/workers.h>

namespace weft {
namespace {

// Cuts fall between pairs of lines of the output and between these many bytes of the source; of
// small parts between fewer, or tasks would be few and unequal.
constexpr std::int64_t out_quantum = 2 * cache_line;
constexpr std::int64_t src_quantum = 4 * cache_line, small_src_quantum = 2 * cache_line;
// Boxes in gaps of one another are cut alike, but many of them less finely: n have at most n, and
// this over n, times as many parts as one has.
constexpr std::int64_t most_parts = 8192;
// So many times more must be written as whole lines than is written in parts of them.
constexpr std::int64_t few = 8;
// Another loop is cut where threads then wait less for each other by so many nanoseconds a byte,
// and where it has so many parts.
constexpr double much_wait = 0.005;
constexpr std::int64_t fewest_parts = 4;

// Shorter rows that are made by a table are put together aside sooner (two threads; f64 [1285624,
// 6]: 12.1 ms, 15.0; u16 [180000, 2, 28]: 5.2, 8.7).
constexpr std::int64_t fewest_listed_bytes = 256;

/// How the kernel that carries a piece out wants it cut; a group that none takes, not at all.
Cutting cutting_of(const Piece& piece, std::int64_t element) {
  const auto nest = piece.beside ? joint_nest_of(piece.copy, *piece.beside, element)
                                 : nest_of_stack(piece, element);
  const auto cutting = nest ? cutting_of(*nest) : std::nullopt;
  return cutting ? *cutting : Cutting{.whole = piece.is_group ? 0 : Cutting::none};
}

std::int64_t contiguous_bytes(const Piece& piece, const Cutting& cutting, std::int64_t element) {
  const SmallVector<Loop, 6>& loops = piece.copy.loops;
  const bool is_step = cutting.step_bytes > 0;
  std::int64_t bytes = is_step ? cutting.step_bytes : element;
  for (std::size_t k = is_step ? cutting.whole : loops.size(); k-- > 0;) {
    const Loop& loop = loops[k];
    const bool is_listed =
        k + 1 == loops.size() && loop.src_table && loop.extent * element < fewest_listed_bytes;
    if (loop.out_table || is_listed || loop.out_stride * element != bytes) break;
    bytes *= loop.extent;
  }
  return bytes;
}

/// The share of one of several boxes: of what it spans, so that boxes in gaps of one another are
/// cut at about the same places. Else two tasks write parts of most lines, which go from core to
/// core (two threads, c128 [14, 55, 12, 4], every second of 12 replaced: 50 us, 28; f32 [256, 1316]
/// padded and rolled: 34, 25). Large passes have more parts than that saves (90 joined, 525 MiB:
/// 0.28 s, so cut 0.43).
std::int64_t share_of_span(const Piece& piece, std::size_t boxes, std::int64_t element,
                           std::int64_t piece_bytes) {
  if (boxes == 1 || piece_bytes >= task_bytes) return piece_bytes;
  const std::int64_t span = last_position(piece.copy) - first_position(piece.copy) + 1;
  const std::int64_t whole = std::max(piece_bytes, element);
  const std::int64_t least = std::min(whole, whole * static_cast<std::int64_t>(boxes) / most_parts);
  return std::clamp(whole * piece.count() / span, least, whole);
}

class Cutter {
 public:
  Cutter(std::int64_t element, std::int64_t piece_bytes, std::int64_t row_bytes, bool reads_made,
         std::vector<Piece>& pieces)
      : element_(element),
        piece_bytes_(piece_bytes),
        row_bytes_(row_bytes),
        reads_made_(reads_made),
        pieces_(pieces) {}

  void cut(const Piece& piece) {
    const Copy& copy = piece.copy;
    const std::int64_t bytes = piece.count() * element_;
    if (copy.loops.size() < 2 && bytes < 2 * piece_bytes_) return pieces_.push_back(piece);
    const Cutting cutting = cutting_of(piece, element_);
    if (cutting.first != Cutting::none) return cut_at(piece, cutting.first, cutting.steps, 0, true);
    const std::size_t at = bytes < 2 * piece_bytes_ ? none : loop_to_cut(piece, cutting);
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

  struct Quantum {
    std::int64_t steps, past;
  };

  /// A loop is cut at multiples of `steps`, counted from `past` steps before its first.
  Quantum quantum_of(const Copy& copy, std::size_t at) const {
    const Loop& loop = copy.loops[at];
    if (loop.out_table) return {1, 0};
    const std::int64_t out_bytes = loop.out_stride * element_;
    const std::int64_t own_quantum = std::max(out_quantum, row_bytes_);
    // Only the innermost loop is that fine.
    if (at + 1 == copy.loops.size() && own_quantum % out_bytes == 0)
      return {own_quantum / out_bytes, copy.out_offset * element_ % out_quantum / out_bytes};
    const std::int64_t src_bytes = std::abs(loop.src_stride) * element_;
    const std::int64_t quantum = piece_bytes_ < task_bytes ? small_src_quantum : src_quantum;
    const std::int64_t fewest = (row_bytes_ + out_bytes - 1) / out_bytes;
    if (src_bytes > 0 && src_bytes < quantum) return {std::max(quantum / src_bytes, fewest), 0};
    return {std::max<std::int64_t>(1, fewest), 0};
  }

  /// What is cut later: what the kernel wants so, repetitions, and runs that are short.
  int rank(const Copy& copy, const Cutting& cutting, std::size_t k) const {
    const Loop& loop = copy.loops[k];
    if (loop.is_run() && loop.extent * element_ < piece_bytes_) return 3;
    if (loop.is_repetition()) return 2;
    return k < 64 && cutting.late >> k & 1 ? 1 : 0;
  }

  static bool is_cut(const Cutting& cutting, std::size_t k) {
    return k >= 64 || !(cutting.never >> k & 1);
  }

  /// The outermost loop of the least rank that is longer than its quantum, or one that threads wait
  /// much less for.
  std::size_t loop_to_cut(const Piece& piece, const Cutting& cutting) const {
    const Copy& copy = piece.copy;
    const std::size_t end = std::min(cutting.whole, copy.loops.size());
    std::size_t first = none;
    for (std::size_t k = 0; k < end; ++k)
      if (is_cut(cutting, k) && copy.loops[k].extent > quantum_of(copy, k).steps &&
          (first == none || rank(copy, cutting, k) < rank(copy, cutting, first)))
        first = k;
    if (first == none) return none;
    std::size_t best = first;
    double least = wait_of(copy, first) - much_wait * static_cast<double>(piece.count() * element_);
    for (std::size_t k = 0; k < end && least > 0; ++k) {
      // What the kernel wants late may come first.
      if (!is_cut(cutting, k) || rank(copy, cutting, k) > 1 || !makes_parts(piece, k)) continue;
      if (const double other = wait_of(copy, k); other < least) best = k, least = other;
    }
    return best;
  }
  double wait_of(const Copy& copy, std::size_t k) const {
    return weft::wait_of({copy, k, quantum_of(copy, k).steps, element_, reads_made_});
  }
  /// Whether a loop has many, none of which is cut further.
  bool makes_parts(const Piece& piece, std::size_t k) const {
    const std::int64_t extent = piece.copy.loops[k].extent, steps = quantum_of(piece.copy, k).steps;
    return steps <= extent / fewest_parts &&
           piece.count() / extent * steps * element_ < 2 * piece_bytes_;
  }

  const std::int64_t element_;
  const std::int64_t piece_bytes_, row_bytes_;
  const bool reads_made_;
  std::vector<Piece>& pieces_;
};

}  // namespace

bool writes_lines(const std::vector<Piece>& pieces, std::int64_t count, std::int64_t element) {
  std::int64_t ragged = 0;
  for (const Piece& piece : pieces) {
    const std::int64_t elements = piece.count();
    const Cutting cutting = piece.is_joined() ? cutting_of(piece, element) : Cutting{};
    const std::int64_t bytes = contiguous_bytes(piece, cutting, element);
    const bool is_ragged = bytes < cache_line && bytes < elements * element;
    const bool is_slow_pair =
        piece.beside && !piece.is_group && !is_woven_by_vectors(piece, element);
    if (is_ragged || is_slow_pair) ragged += elements;
  }
  return ragged * few <= count;
}

std::vector<std::size_t> ends_of_tasks(const std::vector<Piece>& parts, std::int64_t element,
                                       std::int64_t share) {
  std::vector<std::size_t> ends;
  std::int64_t bytes = 0, last = -1;  // what the task writes
  for (std::size_t k = 0; k < parts.size(); ++k) {
    bytes += parts[k].count() * element;
    last = std::max(last, last_position(parts[k].copy));
    const bool has_more = k + 1 < parts.size();
    if (has_more && bytes < share / 2) continue;
    if (has_more && bytes < 3 * share / 2 && first_position(parts[k + 1].copy) <= last) continue;
    ends.push_back(k + 1);
    bytes = 0;
    last = -1;
  }
  return ends;
}

std::vector<Piece> cut(const std::vector<Piece>& pieces, std::int64_t element,
                       std::int64_t piece_bytes, bool reads_made, std::int64_t row_bytes) {
  std::vector<Piece> parts;
  for (std::uint32_t box = 0; box < pieces.size(); ++box) {
    const std::size_t before = parts.size();
    const std::int64_t share = share_of_span(pieces[box], pieces.size(), element, piece_bytes);
    Cutter(element, share, row_bytes, reads_made, parts).cut(pieces[box]);
    for (std::size_t k = before; k < parts.size(); ++k) parts[k].box = box;
  }
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
