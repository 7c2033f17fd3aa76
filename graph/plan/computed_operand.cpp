// SPDX-License-Identifier: Apache-2.0
// Storing an operand in its own pass, and reading it as pieces.
#include <weft/graph/plan/computed_operand.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <weft/graph/plan/staging.h>

namespace weft {
namespace {

// Parts of runs that are worth it, too, of operands from so many bytes on.
constexpr std::int64_t broken_run_bytes = 16, broken_from = 16 * 1024;

// What is repeated so often takes little where it is stored; parts of so many bytes take longer
// than the steps for them.
constexpr std::int64_t fewest_parts = 4, long_run_bytes = 1024;

// Runs shorter than this are slow to store; those that it has in another order, which then has to
// be turned when it is read, must be so long.
constexpr std::int64_t short_run_bytes = 16, shortest_run_there = 256;

/// Whether the pass writes all of it again and again.
bool repeats_as_a_whole(const Pass& pass) {
  return std::all_of(pass.copies.begin(), pass.copies.end(), [&](const Copy& copy) {
    return !copy.loops.empty() && copy.loops[0].is_repetition() &&
           copy.loops[0].out_stride * copy.loops[0].extent == pass.count;
  });
}

/// Whether elements lie in long runs of the source of which blocks of rows would take short parts:
/// a block has one loop that runs along the source, and here that is short and goes on in another.
/// What stores an operand takes several such loops together.
bool has_broken_runs(const Copy& copy, std::int64_t element) {
  std::int64_t own = 1, run = 1;
  for (bool has_more = true; has_more;) {
    has_more = false;
    for (const Loop& loop : copy.loops) {
      if (loop.src_stride == 0 || loop.out_stride == 1) {
        if (loop.src_stride == 0 || std::abs(loop.src_stride) == 1) return false;
        continue;
      }
      if (std::abs(loop.src_stride) != run || loop.extent == 1) continue;
      if (run == 1) own = loop.extent;
      run *= loop.extent;
      has_more = true;
      break;
    }
  }
  return own * element <= broken_run_bytes && run >= 4 * own;
}

}  // namespace

bool ComputedOperand::has_places(std::int64_t count) const {
  const Pass& pass = plan_.passes[pass_];
  return !pass.is_painted && pass.count == count &&
         std::all_of(reads_.begin(), reads_.end(), [](const Copy& copy) {
           return std::all_of(copy.loops.begin(), copy.loops.end(),
                              [](const Loop& loop) { return loop.is_plain(); });
         });
}

bool ComputedOperand::has_broken_runs() const {
  const std::int64_t element = plan_.passes[pass_].element();
  const auto is_broken = [&](const Copy& copy) { return weft::has_broken_runs(copy, element); };
  return bytes() >= broken_from && std::any_of(reads_.begin(), reads_.end(), is_broken);
}

bool ComputedOperand::is_turned_often() const {
  return reads_.size() == 1 && bytes() >= broken_from &&
         weft::is_turned_often(reads_[0], plan_.passes[pass_].element());
}

bool ComputedOperand::turns_steps() const {
  return reads_.size() == 1 && weft::turns_steps(reads_[0], plan_.passes[pass_].element());
}

bool ComputedOperand::repeats_parts() const {
  if (reads_.size() == 1) return false;
  const Pass& pass = plan_.passes[pass_];
  if (pass.is_painted || runs_of(reads_) * long_run_bytes < bytes()) return false;
  return find_repetitions(reads_, pass.count).times() >= fewest_parts;
}

std::size_t ComputedOperand::loops() const {
  std::size_t loops = 0;
  for (const Copy& copy : reads_) loops += copy.loops.size();
  return loops;
}

void ComputedOperand::store(std::int64_t count, const std::optional<OrderOfOthers>& others) {
  is_stored_ = true;
  Pass& pass = plan_.passes[pass_];
  const bool is_as_others =
      others && pass.count == count && !repeats_as_a_whole(pass) && put_in(*others);
  if (!is_as_others && pass.count == count) take_repetitions();
  source_ = plan_.sources.size();
  plan_.sources.push_back({nullptr, pass.type, pass.count, pass_});
  if (is_as_others) reads_ = {others->order.read(source_)};
  else read_stored(count);
}

bool ComputedOperand::is_one_to_one(std::int64_t count) const {
  return reads_.size() == 1 && reads_[0].count() == count &&
         std::none_of(reads_[0].loops.begin(), reads_[0].loops.end(),
                      [](const Loop& loop) { return loop.is_repetition(); });
}

void ComputedOperand::store_once(bool is_as_source) {
  is_stored_ = true;
  Pass& pass = plan_.passes[pass_];
  as_read_ = std::exchange(pass.copies, {});
  source_ = plan_.sources.size();
  pass.copies.push_back(is_as_source ? gather_in_order(reads_[0], source_)
                                     : gather_first(reads_[0], source_, 0));
  pass.count = pass.copies[0].count();
  pass.type.shape = Shape{pass.count};
  plan_.sources.push_back({nullptr, pass.type, pass.count, pass_});
}

bool ComputedOperand::repeat(const Shape& shape) {
  if (as_read_.empty()) return false;
  Pass& pass = plan_.passes[pass_];
  pass.copies = std::exchange(as_read_, {});
  pass.count = element_count(shape);
  pass.type.shape = shape;
  repeated_ = {};
  read_stored(pass.count);
  return true;
}

std::optional<JointBoxes> ComputedOperand::pieces(std::int64_t element) {
  sources_.clear();
  JointBoxes pieces;
  for (const Copy& copy : reads_) {
    const std::optional<std::int64_t> first = place_of(copy.source, element);
    if (!first) return {};
    JointBox& piece = pieces.emplace_back();
    piece.offset = copy.out_offset;
    piece.first.push_back(*first + copy.src_offset);
    for (const Loop& loop : copy.loops)
      piece.loops.push_back({loop.extent, loop.out_stride, {JointStep{loop.src_stride}}});
    // Without what repeats between them, loops may go on in one another.
    if (!as_read_.empty()) join_loops(piece);
  }
  return pieces;
}

std::size_t ComputedOperand::source_of(std::int64_t& place) const {
  auto at = std::upper_bound(sources_.begin(), sources_.end(), place,
                             [](std::int64_t p, const Stretch& source) { return p < source.x; });
  --at;
  place -= at->x;
  return static_cast<std::size_t>(at->value);
}

bool ComputedOperand::put_in(const OrderOfOthers& others) {
  Pass& pass = plan_.passes[pass_];
  const std::int64_t runs = runs_of(pass.copies), bytes = pass.bytes();
  if (!others.is_most && runs * short_run_bytes < bytes) return false;
  std::optional<std::vector<Copy>> copies = others.order.stored(pass.copies);
  if (!copies) return false;
  const std::int64_t runs_there = runs_of(*copies);
  if (runs_there >= runs || (!others.is_most && runs_there * shortest_run_there > bytes))
    return false;
  pass.copies = std::move(*copies);
  pass.type.shape = Shape{pass.count};
  return true;
}

void ComputedOperand::read_stored(std::int64_t count) {
  const Pass& pass = plan_.passes[pass_];
  plan_.sources[source_] = {nullptr, pass.type, pass.count, pass_};
  reads_ = {repeated_.read(source_, count)};
}

void ComputedOperand::take_repetitions() {
  Pass& pass = plan_.passes[pass_];
  if (pass.is_painted || pass.copies.empty()) return;
  RepeatedCopies found = find_repetitions(pass.copies, pass.count);
  if (found.repetitions.empty()) return;
  as_read_ = std::exchange(pass.copies, std::move(found.once));
  pass.count /= found.times();
  pass.type.shape = Shape{pass.count};
  repeated_ = {{}, std::move(found.repetitions)};
}

std::optional<std::int64_t> ComputedOperand::place_of(std::size_t source, std::int64_t element) {
  for (const Stretch& known : sources_)
    if (known.value == static_cast<std::int64_t>(source)) return known.x;
  const std::int64_t begin = sources_.empty() ? 0 : sources_.back().x + sources_.back().count;
  const std::int64_t count = plan_.sources[source].bytes() / element;
  if (begin > max_bytes - count) return {};
  sources_.push_back({begin, static_cast<std::int64_t>(source), count});
  return begin;
}

}  // namespace weft
