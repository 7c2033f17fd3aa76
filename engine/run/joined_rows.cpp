// SPDX-License-Identifier: Apache-2.0
// Finding rows that several copies make.
#include <weft/engine/run/joined_rows.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <weft/engine/kernels/instruction_set.h>
#include <weft/engine/kernels/move/grouping.h>
#include <weft/engine/kernels/move/long_groups.h>
#include <weft/engine/kernels/move/row_runs.h>
#include <weft/engine/kernels/move/turned_loops.h>
#include <weft/engine/run/lower.h>
#include <weft/engine/run/row_parts.h>
#include <weft/engine/run/shared_rows.h>
#include <weft/engine/run/workers.h>
#include <weft/graph/plan/rolled_rows.h>
#include <weft/graph/plan/turned_halves.h>

namespace weft {
namespace {

// Longer rows are moved as quickly by several copies, but those that are a few runs for the most
// part; so is less than this of rows of more than a line.
constexpr std::int64_t most_row_bytes = 256, fewest_long_bytes = 24 * 1024;
// Fewer rows at a time take longer than their parts one by one (f16, rows of 420 bytes in twos, 2.5
// MiB: 48 us, 61), and so do longer ones that are streamed (f32, rows of 2808 bytes, 16 MiB: 1.3
// ms, 1.8).
constexpr std::int64_t fewest_assembled_rows = 8, most_streamed_row_bytes = 1024;
// Tables of rows take longer to write and to read again than they save where a pass has less than
// this.
constexpr std::int64_t fewest_assembled_bytes = 256 * 1024;
// Stores that step over more rows are rare.
constexpr std::int64_t most_rows_a_step = 4;
// Tables of longer rows that are turned are memory that nobody counts.
constexpr std::int64_t longest_turned = 64 * 1024;

class Joining {
 public:
  Joining(const Pass& pass, std::int64_t element, RowsOf most)
      : element_(element),
        most_streams_(static_cast<std::size_t>(most)),
        left_(pass.copies),
        pass_bytes_(pass.bytes()) {
    made_.is_painted = pass.is_painted;
  }

  Pieces run() {
    if (!made_.is_painted) join_rolled();
    // Of rows that there may be: the longest of those that one store makes first, then longer ones.
    std::vector<std::int64_t> lengths;
    for (const Copy& copy : left_)
      for (const Loop& loop : copy.loops)
        if (loop.out_stride > 1 &&
            (loop.out_stride * element_ <= most_row_bytes || may_assemble(copy, loop.out_stride) ||
             turned_row_of_half(copy, element_, pass_bytes_) == loop.out_stride))
          lengths.push_back(loop.out_stride);
    join_all(lengths);
    // Then rows of which stores write one in so many.
    if (left_.size() > 1 && pass_bytes_ >= fewest_long_bytes) {
      const auto is_tried = [&](std::int64_t length) {
        return std::find(lengths.begin(), lengths.end(), length) != lengths.end();
      };
      std::vector<std::int64_t> parts;
      for (const std::int64_t length : lengths)
        for (std::int64_t of = 2; of <= most_rows_a_step; ++of)
          if (length % of == 0 && length > of && !is_tried(length / of))
            parts.push_back(length / of);
      join_all(std::move(parts));
    }
    for (Copy& copy : left_) made_.pieces.push_back({std::move(copy)});
    return std::move(made_);
  }

 private:
  /// Joins rows of these lengths.
  void join_all(std::vector<std::int64_t> lengths) {
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    std::reverse(lengths.begin(),
                 std::upper_bound(lengths.begin(), lengths.end(), most_group_bytes / element_));
    for (std::size_t streams = 1; streams <= most_streams_; ++streams)
      for (const std::int64_t length : lengths) {
        // Nothing makes short rows of two then.
        if (streams > 1 && length * element_ <= most_row_bytes && !permutes_lines()) continue;
        join(length, 0, streams);
        if (const std::int64_t phase = phase_of(length); phase > 0) join(length, phase, streams);
      }
  }

  /// Joins the two parts of rows that are rolled, where a kernel turns the whole.
  void join_rolled() {
    std::vector<bool> is_joined(left_.size(), false);
    for (std::size_t i = 0; i < left_.size(); ++i)
      for (std::size_t j = 0; j < left_.size(); ++j)
        if (i != j && !is_joined[i] && !is_joined[j])
          is_joined[i] = is_joined[j] = add_rolled(left_[i], left_[j]);
    std::size_t left = 0;
    for (std::size_t k = 0; k < left_.size(); ++k)
      if (!is_joined[k]) std::swap(left_[left++], left_[k]);
    left_.resize(left);
  }

  bool add_rolled(const Copy& a, const Copy& b) {
    std::optional<RolledRows> rolled = rolled_rows(a, b, element_);
    if (!rolled) return false;
    Loop& rows = rolled->copy.loops[rolled->loop];
    const std::shared_ptr<std::int64_t[]> table(
        new std::int64_t[static_cast<std::size_t>(rows.extent)]);
    for (std::int64_t i = 0; i < rows.extent; ++i) table[i] = rolled->from(i);
    rows.src_table = table.get();
    const auto is_shuffled = [&](const Copy& part) {
      return kernel_of(nest_of(part, element_)) == &long_shuffle_kernel;
    };
    if (!is_turned(kernel_of(nest_of(rolled->copy, element_))) || is_shuffled(a) || is_shuffled(b))
      return false;
    made_.tables.push_back(table);
    made_.pieces.push_back({.copy = std::move(rolled->copy), .is_group = true});
    return true;
  }

  /// Whether a copy has runs that are a part of such rows, for the most part.
  bool may_assemble(const Copy& copy, std::int64_t length) const {
    const Loop& run = copy.loops.back();
    const std::int64_t most =
        pass_bytes_ < streamed_bytes ? most_assembled_bytes : most_streamed_row_bytes;
    return pass_bytes_ >= std::max(fewest_assembled_bytes, bytes_an_element_of_row * length) &&
           length * element_ <= most && run.is_run() && run.extent < length &&
           2 * run.extent >= length;
  }

  /// Where rows start that are not counted from the first element.
  std::int64_t phase_of(std::int64_t length) const {
    for (const Copy& copy : left_)
      for (const Loop& loop : copy.loops)
        if (loop.out_stride == length) return copy.out_offset % length;
    return 0;
  }

  void join(std::int64_t length, std::int64_t phase, std::size_t most_streams) {
    const std::vector<CopyPart> parts = cut_alike(left_, length, phase);
    if (parts.size() > most_joined_copies) return;
    const std::vector<SharedRows> found = shared_rows(parts, length, phase, most_streams);
    // What is painted stays in order unless all of it is rows that nothing else lies over.
    if (made_.is_painted && !are_apart(found, parts.size())) return;
    Pieces joined;
    std::vector<bool> is_joined(parts.size(), false), is_cut(left_.size(), false);
    for (const SharedRows& rows : found) {
      if (rows.copies.size() == 1) continue;
      if (add(rows, parts, joined))
        for (const std::size_t k : rows.copies) is_joined[k] = is_cut[parts[k].of] = true;
      else if (made_.is_painted) return;
    }
    if (joined.pieces.empty()) return;
    std::vector<Copy> left;  // whole, where no part is joined
    for (std::size_t k = 0; k < left_.size(); ++k)
      if (!is_cut[k]) left.push_back(std::move(left_[k]));
    for (std::size_t k = 0; k < parts.size(); ++k)
      if (is_cut[parts[k].of] && !is_joined[k]) left.push_back(parts[k].copy);
    left_ = std::move(left);
    std::move(joined.pieces.begin(), joined.pieces.end(), std::back_inserter(made_.pieces));
    std::move(joined.tables.begin(), joined.tables.end(), std::back_inserter(made_.tables));
    made_.is_painted = false;
  }

  /// Whether these are all copies, and what is painted lies over the same rows: all are of the
  /// same, or of rows that the lowest layer writes whole, as copies of one layer do not meet.
  static bool are_apart(const std::vector<SharedRows>& found, std::size_t all) {
    std::size_t copies = 0;
    for (const SharedRows& rows : found) {
      if (rows.lowest < rows.length && found.size() > 1) return false;
      copies += rows.copies.size();
    }
    return copies == all;
  }

  /// Adds a piece that makes them, if there is a kernel for it.
  bool add(const SharedRows& rows, std::span<const CopyPart> parts, Pieces& to) const {
    std::int64_t known = 0;
    const RowStream *first = nullptr, *second = nullptr;  // but those that are painted over
    for (const RowStream& stream : rows.streams) {
      known += stream.known();
      if (stream.known() > 0) (first ? second : first) = &stream;
    }
    if (known < rows.length) return false;
    return second ? add_two(rows, parts, *first, *second, to) : add_one(rows, *first, to);
  }

  bool add_one(const SharedRows& rows, const RowStream& stream, Pieces& to) const {
    const auto [first, last] = std::minmax_element(stream.from.begin(), stream.from.end());
    const std::int64_t middle = (*first + *last) / 2;  // groups reach as far in either direction
    const std::shared_ptr<std::int64_t[]> table(new std::int64_t[stream.from.size()]);
    std::transform(stream.from.begin(), stream.from.end(), table.get(),
                   [&](std::int64_t from) { return from - middle; });
    Copy copy{stream.source, 0, rows.start, middle, stream.over_rows};
    copy.loops.push_back({rows.length, 1, 0, table.get()});
    const Nest nest = nest_of(copy, element_);
    const KernelDefinition* const kernel = kernel_of(nest);
    if (rows.length * element_ > most_row_bytes) {
      if (!is_assembled(rows, kernel) && !is_turned(kernel)) return false;
    } else if (!is_small(nest) && !is_made_at_once(nest, kernel)) {
      return false;
    }
    if (auto longer = longer_turned(copy, kernel)) {
      copy = std::move(longer->first);
      to.tables.push_back(std::move(longer->second));
    } else {
      to.tables.push_back(table);
    }
    to.pieces.push_back({.copy = std::move(copy), .is_group = true});
    return true;
  }

  /// Rows that go on in the loop around them, by one table of both, where they are turned: short
  /// ones that lie apart are each a part of a line.
  std::optional<std::pair<Copy, std::shared_ptr<std::int64_t[]>>> longer_turned(
      const Copy& copy, const KernelDefinition* kernel) const {
    if (copy.loops.size() < 3 || kernel != &few_columns_kernel) return {};
    const Loop& row = copy.loops.back();
    const Loop& next = copy.loops[copy.loops.size() - 2];
    const std::int64_t all = row.extent * next.extent;
    if (!next.is_plain() || next.out_stride != row.extent || all > longest_turned ||
        pass_bytes_ < bytes_an_element_of_row * all)
      return {};
    std::shared_ptr<std::int64_t[]> table(new std::int64_t[static_cast<std::size_t>(all)]);
    for (std::int64_t i = 0; i < all; ++i)
      table[i] = i / row.extent * next.src_stride + row.src_table[i % row.extent];
    Copy longer = copy;
    longer.loops.pop_back();
    longer.loops.back() = {all, 1, 0, table.get()};
    if (kernel_of(nest_of(longer, element_)) != &transpose_kernel) return {};
    return std::pair(std::move(longer), std::move(table));
  }

  bool add_two(const SharedRows& rows, std::span<const CopyPart> parts, const RowStream& first,
               const RowStream& second, Pieces& to) const {
    // Pairs of copies are woven as they are; so is one with a value that stands still.
    const bool has_still = stand_still(first.over_rows) || stand_still(second.over_rows);
    if (rows.copies.size() == 2 && rows.length * element_ <= most_row_bytes &&
        (has_still || rows.length * element_ <= most_group_bytes))
      return false;
    const bool are_apart = first.reads_apart(element_) || second.reads_apart(element_);
    if (are_apart && pass_bytes_ >= streamed_bytes) return false;
    Pieces made;
    const Copy copy = first.by_table(rows.start, made.tables);
    const Copy beside = second.by_table(rows.start, made.tables);
    const auto nest = joint_nest_of(copy, beside, element_);
    if (!nest) return false;
    if (rows.length * element_ > most_row_bytes) {
      if (!is_assembled(rows, kernel_of(*nest))) return false;
    } else {
      const auto cost = find_long_weaving(*nest);
      if (!cost || (!is_small(*nest) && !pays(*cost, *nest))) return false;
      // Squares read each line once.
      if (are_apart && picoseconds_of(rows, parts) < static_cast<double>(cost->way.picoseconds) *
                                                         static_cast<double>(rows.count()))
        return false;
    }
    std::move(made.tables.begin(), made.tables.end(), std::back_inserter(to.tables));
    to.pieces.push_back({.copy = copy, .beside = beside, .is_group = true});
    return true;
  }

  /// About what the copies that make them take one by one.
  double picoseconds_of(const SharedRows& rows, std::span<const CopyPart> parts) const {
    double all = 0;
    for (const std::size_t k : rows.copies) {
      Nest nest = nest_of(parts[k].copy, element_);
      Bound bound;
      if (bind_cheapest(nest, {}, bound)) all += bound.picoseconds(pass_bytes_ >= large_bytes);
    }
    return all;
  }

  /// Whether it does not matter how long it takes, beside the rows that have to be made alike.
  bool is_small(const Nest& nest) const {
    return made_.is_painted && nest.bytes() < fewest_long_bytes;
  }
  /// What moves them; or null.
  static const KernelDefinition* kernel_of(Nest nest) {
    Bound bound;
    return bind_cheapest(nest, {}, bound) ? bound.kernel : nullptr;
  }
  /// Whether they are a few runs, and a few elements.
  static bool is_assembled(const SharedRows& rows, const KernelDefinition* kernel) {
    const RowLoops& over_rows = rows.streams[0].over_rows;
    return !over_rows.empty() && over_rows.back().extent >= fewest_assembled_rows &&
           kernel == &assemble_kernel;
  }
  /// Whether their columns lie beside one another in the source.
  static bool is_turned(const KernelDefinition* kernel) {
    return kernel == &transpose_kernel || kernel == &few_columns_kernel;
  }
  /// Whether there is something to make rows by a table as a whole.
  static bool is_made_at_once(const Nest& nest, const KernelDefinition* kernel) {
    if (!kernel || kernel == &table_kernel) return false;
    return kernel != &long_shuffle_kernel || pays(find_long_group(nest)->cost, nest);
  }
  /// Whether long groups are made sooner as a whole than by several copies.
  static bool pays(const LongCost& cost, const Nest& nest) {
    // What a piece takes, moved by one of several copies, in picoseconds.
    const float of_piece = nest.bytes() >= large_bytes ? 650 : 450;
    return static_cast<float>(cost.pieces) * of_piece >= cost.way.picoseconds &&
           nest.bytes() >= fewest_long_bytes;
  }

  const std::int64_t element_;
  const std::size_t most_streams_;
  std::vector<Copy> left_;  ///< that are not joined
  const std::int64_t pass_bytes_;
  Pieces made_;
};

}  // namespace

Pieces join_rows(const Pass& pass, std::int64_t element, RowsOf most) {
  if (pass.copies.size() > 1 && pass.copies.size() <= most_joined_copies)
    return Joining(pass, element, most).run();
  Pieces made{.is_painted = pass.is_painted};
  made.pieces.reserve(pass.copies.size());
  for (const Copy& copy : pass.copies) made.pieces.push_back({copy});
  return made;
}

}  // namespace weft
