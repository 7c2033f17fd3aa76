// SPDX-License-Identifier: Apache-2.0
// Dividing a pass among tasks: in parts of its boxes, or in stretches of its output.
#include <weft/engine/run/pass_steps.h>

#include <fmt/format.h>
#include <utility>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/memory/caches.h>
#include <weft/engine/run/machine.h>
#include <weft/engine/run/made_once.h>
#include <weft/engine/run/pieces.h>
#include <weft/engine/run/together.h>
#include <weft/engine/run/workers.h>
#include <weft/graph/value/error.h>

namespace weft {
namespace {

using Manner = PassSteps::Manner;

// Below this, finding pairs among the copies costs more than they save.
constexpr std::int64_t paired_bytes = 1024;
// A stretch that is put together in a core's cache before it is written.
constexpr std::int64_t stretch_bytes = 128 * 1024;
// Outputs from this size on may be streamed where kernels read and write in order.
constexpr std::int64_t streamed_early_bytes = streamed_bytes / 2;
// Steps of stretches are kept up to so many bytes: lowering them takes a tenth of the time of a
// pass of 512 KiB, and some hundredths of larger ones, which have more of them.
constexpr std::size_t most_kept_bytes = 512 * 1024;
// What a task writes of boxes that are cut together stays in a core's cache until it is whole.
constexpr std::int64_t together_bytes = 256 * 1024;

// Where tasks would fetch lines of the sources that often, it costs less to come back to those of
// the output, box by box.
constexpr std::int64_t fetched_often = 4;
// Where reads and streams take turns, rows that are cut have so many bytes (f16 [13523, 70, 63] to
// (1, 2, 0), its rows twice, 228 MiB: 62 ms, of 256 bytes 92; u8 [1136, 1921, 15] twice, 62 MiB: 19
// and 26).
constexpr std::int64_t long_row_bytes = 1024;
// Kernels of this cost take longer than a copy of what a cache keeps.
constexpr Cost slow_cost = 45;

/// What is known of a pass before a kernel is chosen.
struct Division {
  Manner manner;
  Pieces boxes;
  Writing writing;
  PartsTogether together{};  ///< parts for all tasks, where that is how boxes are cut
};

/// Bytes of the output and of what it is made of, each counted once a copy.
std::int64_t touched_bytes(const Pass& pass) {
  std::int64_t elements = pass.count;
  for (const Copy& copy : pass.copies) {
    std::int64_t read = 1;
    for (const Loop& loop : copy.loops)
      if (!loop.is_repetition()) read *= loop.extent;
    elements += read;
  }
  return elements * pass.element();
}

const Pass& whole_of(const Pass& pass, const PassTarget& target) {
  return target.part_of ? *target.part_of : pass;
}

/// What is streamed is put together aside, where a base is not, nor what others write.
bool may_stream(const Pass& pass, const PassTarget& target) {
  return whole_of(pass, target).bytes() >= streamed_early_bytes && !target.is_over_base;
}

/// Which outputs go past the caches. Rows that become columns are put together in whole lines for
/// that, which pays from a size on whatever the caches keep.
Writing writing_of(const Pass& pass, const PassTarget& target) {
  const Pass& whole = whole_of(pass, target);
  const std::int64_t bytes = whole.bytes();
  Writing writing{.is_large = bytes >= large_bytes};
  if (!may_stream(pass, target)) return writing;
  const bool is_kept = touched_bytes(whole) < machine(target.may_measure).kept_bytes;
  writing.streams = bytes >= streamed_bytes && !is_kept;
  writing.streams_turned = bytes >= streamed_bytes;
  writing.streams_early = !is_kept;
  writing.in_turns = machine(target.may_measure).in_turns();
  writing.is_vast = !is_kept && bytes >= vast_bytes();
  return writing;
}

/// Bytes that the pass itself writes.
std::int64_t written_bytes(const Pass& pass, const PassTarget& target) {
  const bool is_beside = target.is_over_base || target.is_beside_blocks;
  return is_beside ? pass.copied() * pass.element() : pass.bytes();
}

bool is_row_of_two(const Piece& piece) {
  return piece.beside && !piece.beside->loops.empty() && !piece.beside->loops.back().is_plain();
}

Division divide(const Pass& pass, const PassTarget& target) {
  const std::int64_t element = pass.element(), bytes = pass.bytes();
  Division division{Manner::here, {}, writing_of(pass, target)};
  const std::int64_t moved = written_bytes(pass, target);
  if (moved < paired_bytes) {
    division.boxes.pieces.reserve(pass.copies.size());
    for (const Copy& copy : pass.copies) division.boxes.pieces.push_back({copy});
    return division;
  }
  division.boxes = pair_up(pass, element);
  std::vector<Piece>& pieces = division.boxes.pieces;
  const bool is_painted = division.boxes.is_painted;
  if (target.part_of && (is_painted || !writes_lines(pieces, pass.count, element)))
    division.writing = {.is_large = division.writing.is_large};
  if (moved < target.fewest_divided) return division;
  if (!is_painted && writes_lines(pieces, pass.count, element)) {
    division.manner = Manner::pieces;
    return division;
  }
  if (tears_lines(pieces, element, stretch_bytes, 2)) {
    const std::int64_t most = std::min(together_bytes, bytes / 8);
    division.together = cut_together(pieces, pass.count, element, most);
    if (!division.together.ends.empty() ||
        (!is_painted && tears_lines(pieces, element, stretch_bytes, fetched_often))) {
      division.manner = Manner::pieces;
      division.writing = {.is_large = division.writing.is_large};
      return division;
    }
  }
  division.manner =
      division.writing.streams && !target.is_beside_blocks ? Manner::aside : Manner::stretches;
  // Parts of rows go alone, but not by tables.
  if (std::any_of(pieces.begin(), pieces.end(), is_row_of_two))
    division.boxes = pair_up(pass, element, RowsOf::one_stream);
  std::vector<Piece> painted;
  for (Copy& copy : paint_pairs(pieces)) painted.push_back({std::move(copy)});
  pieces = std::move(painted);
  return division;
}

/// A step a copy, for passes of few bytes.
PassSteps few_steps(const Pass& pass, const PassTarget& target) {
  PassSteps made{.is_lost_otherwise = target.is_lost_otherwise, .element = pass.element()};
  made.steps.reserve(pass.copies.size());
  for (std::uint32_t box = 0; box < pass.copies.size(); ++box) {
    const Copy& copy = pass.copies[box];
    Step& step = made.steps.emplace_back();  // made in place: it is large
    lower(copy, made.element, {.owns_gaps = true}, step.bound);
    step.sources = {copy.source, copy.source};
    step.box = box;
  }
  return made;
}

class Maker {
 public:
  Maker(const Pass& pass, const PassTarget& target)
      : pass_(pass), target_(target), division_(divide(pass, target)) {
    made_.manner = division_.manner;
    made_.is_lost_otherwise = target.is_lost_otherwise;
    made_.asks_machine = may_stream(pass, target);
    made_.streams = division_.writing.streams_turned || division_.writing.streams_early;
    made_.element = pass.element();
  }

  PassSteps run() {
    if (made_.manner == Manner::here) add_here();
    else if (const PartsTogether& together = division_.together; !together.ends.empty())
      add_tasks(together.parts, together.ends);
    else if (made_.manner == Manner::pieces) add_pieces();
    else add_stretches();
    made_.tables = std::move(division_.boxes.tables);
    return std::move(made_);
  }

 private:
  void add(const Piece& piece, std::uint32_t box, const Writing& writing) {
    if (add_made_once(piece, box, writing)) return;
    for_each_step_of_piece(piece, box, made_.element, writing,
                           [&](Step&& step) { made_.steps.push_back(std::move(step)); });
  }

  /// Makes once what a slow kernel would make again and again; false where there is no such thing.
  bool add_made_once(const Piece& piece, std::uint32_t box, const Writing& writing) {
    if (piece.beside || !piece.stacked.empty()) return false;
    const auto made = made_once(piece.copy, made_.element);
    if (!made) return false;
    // Its copies find it in a cache.
    Bound once = lower(made->once, made_.element,
                       {.is_large = writing.is_large, .owns_gaps = writing.owns_gaps});
    if (once.cost < slow_cost) return false;
    // Whole lines are streamed as quickly as they are read again.
    const bool has_lines = made->once.loops.back().extent * made_.element % cache_line == 0;
    if (has_lines && lower(made->once, made_.element, writing).streams()) return false;
    const std::size_t source = piece.copy.source;
    made_.steps.push_back({std::move(once), {source, source}, box});
    made_.steps.push_back(
        {lower(made->again, made_.element, writing), {Step::own_output, Step::own_output}, box});
    return true;
  }

  void add_here() {
    const std::vector<Piece>& boxes = division_.boxes.pieces;
    const Writing writing = target_.part_of ? division_.writing : Writing{.owns_gaps = true};
    made_.steps.reserve(boxes.size());
    for (std::size_t k = 0; k < boxes.size(); ++k)
      add(boxes[k], static_cast<std::uint32_t>(k), writing);
  }

  /// Boxes that may be written in any order are cut into parts.
  void add_pieces() {
    const std::int64_t element = made_.element;
    const std::int64_t share = target_.share > 0 ? target_.share : share_of(pass_.bytes());
    const Writing& writing = division_.writing;
    const std::int64_t row_bytes = writing.streams_turned && writing.in_turns ? long_row_bytes : 0;
    const std::vector<Piece> parts =
        cut(division_.boxes.pieces, element, share, target_.reads_made, row_bytes);
    add_tasks(parts, ends_of_tasks(parts, element, share));
  }
  void add_tasks(const std::vector<Piece>& parts, const std::vector<std::size_t>& ends) {
    made_.steps.reserve(parts.size());
    std::size_t k = 0;
    for (const std::size_t end : ends) {
      for (; k < end; ++k) add(parts[k], parts[k].box, division_.writing);
      made_.ends.push_back(made_.steps.size());
    }
  }

  void add_stretches() {
    const std::int64_t share = std::max<std::int64_t>(1, stretch_bytes / made_.element);
    made_.stretches = {pass_.count, share, (pass_.count + share - 1) / share};
    std::vector<Copy> boxes, clipped;
    for (Piece& box : division_.boxes.pieces) boxes.push_back(std::move(box.copy));
    if (!may_keep(boxes)) {
      made_.unlowered = std::move(boxes);
      return;
    }
    for (std::int64_t k = 0; k < made_.stretches.count; ++k) {
      for_each_step_of_stretch(made_, boxes, k, clipped,
                               [&](Step&& step) { made_.steps.push_back(std::move(step)); });
      made_.ends.push_back(made_.steps.size());
      if (made_.bytes() > target_.most_bytes) throw_too_many_steps();
    }
  }

  /// Whether steps are kept that are not all needed at a time.
  bool may_keep(const std::vector<Copy>& boxes) const {
    if (target_.is_lost_otherwise) return true;
    if (target_.is_once || boxes.size() * sizeof(Step) > most_kept_bytes) return false;
    std::vector<Copy> clipped;
    for (std::int64_t k = 0; k < made_.stretches.count; ++k) {
      for (const Copy& box : boxes)
        clip(box, made_.stretches.begin(k), made_.stretches.end(k), clipped);
      if (clipped.size() * sizeof(Step) > most_kept_bytes) return false;
    }
    return true;
  }

  [[noreturn]] void throw_too_many_steps() const {
    throw MemoryError(
        fmt::format("eval: {} {}: the steps that write it over its data take more than the {} "
                    "bytes that are allowed",
                    pass_.what, to_string(pass_.type.shape), target_.most_bytes));
  }

  const Pass& pass_;
  const PassTarget target_;
  Division division_;
  PassSteps made_;
};

}  // namespace

Pieces boxes_of(const Pass& pass, const PassTarget& target) { return divide(pass, target).boxes; }

PassSteps make_pass_steps(const Pass& pass, const PassTarget& target) {
  if (!target.part_of && written_bytes(pass, target) < paired_bytes) return few_steps(pass, target);
  PassSteps made = Maker(pass, target).run();
  if (made.manner != Manner::here || target.part_of || target.fewest_divided > parallel_bytes)
    return made;
  // What takes long is divided, however few bytes it writes; for a single time where that makes up
  // for making its steps again.
  constexpr double a_task = 4e6, few_tasks = 4, most_tasks = 8, much_more = 1.5;
  const double taken = picoseconds_of(made, false), tasks = std::min(taken / a_task, most_tasks);
  if (tasks < (target.is_once ? most_tasks : few_tasks)) return made;
  PassTarget finer = target;
  finer.fewest_divided = 0;
  finer.share = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(static_cast<double>(pass.bytes()) / tasks));
  PassSteps divided = Maker(pass, finer).run();
  return divided.tasks() > 1 && picoseconds_of(divided, false) < much_more * taken
             ? std::move(divided)
             : std::move(made);
}

double picoseconds_of(const PassSteps& steps, bool is_large) {
  double all = 0;
  const auto add = [&](const Step& step) { all += step.bound.picoseconds(is_large); };
  if (steps.unlowered.empty()) {
    for (const Step& step : steps.steps) add(step);
    return all;
  }
  for_each_step_of_task(steps, steps.tasks() / 2, add);
  return all * static_cast<double>(steps.tasks());
}

}  // namespace weft
