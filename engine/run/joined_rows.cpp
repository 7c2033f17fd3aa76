// SPDX-License-Identifier: Apache-2.0
// Finding rows that several copies make.
#include <weft/engine/run/joined_rows.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include <weft/engine/kernels/instruction_set.h>
#include <weft/engine/kernels/move/grouping.h>
#include <weft/engine/kernels/move/long_groups.h>
#include <weft/engine/kernels/move/row_runs.h>
#include <weft/engine/kernels/move/turned_loops.h>
#include <weft/engine/run/lower.h>
#include <weft/engine/run/row_parts.h>
#include <weft/engine/run/workers.h>
#include <weft/graph/plan/rolled_rows.h>
#include <weft/graph/plan/turned_halves.h>

namespace weft {
namespace {

constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::min();
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
// Tables of longer rows that are turned are memory that nobody counts.
constexpr std::int64_t longest_turned = 64 * 1024;

std::int64_t steps_of(const RowLoops& loops) {
  std::int64_t steps = 1;
  for (const Loop& loop : loops) steps *= loop.extent;
  return steps;
}

bool are_same(const RowLoops& a, const RowLoops& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Loop& x, const Loop& y) {
    return x.extent == y.extent && x.out_stride == y.out_stride && x.src_stride == y.src_stride;
  });
}

/// A source of rows, as it moves on from one to the next.
struct Stream {
  std::size_t source;
  RowLoops over_rows;
  std::vector<std::int64_t> from;  ///< for each element of a row; or unknown

  std::int64_t known() const {
    return std::ssize(from) - std::count(from.begin(), from.end(), unknown);
  }
};

/// Rows that are found, and which copies make them.
struct Rows {
  std::int64_t start, length;
  std::vector<Stream> streams{};  ///< of loops with the same extents and out strides
  std::vector<std::size_t> copies{};
  std::int64_t lowest = 0;  ///< elements of a row that copies of the lowest layer write

  /// That of a copy whose part this is, which perhaps is new; none where there would be more than
  /// `most`.
  Stream* stream_of(std::size_t source, const RowPart& part, std::size_t most) {
    if (part.row != start) return nullptr;
    for (Stream& stream : streams)
      if (stream.source == source && are_same(stream.over_rows, part.over_rows)) return &stream;
    if (streams.size() == most) return nullptr;
    if (streams.empty()) return &add(source, part.over_rows);
    if (auto own = by_loops(part.over_rows, streams[0].over_rows)) {
      for (Stream& stream : streams)
        if (stream.source == source && are_same(stream.over_rows, *own)) return &stream;
      return &add(source, *own);
    }
    if (streams.size() > 1) return nullptr;
    auto like = by_loops(streams[0].over_rows, part.over_rows);
    if (!like) return nullptr;
    streams[0].over_rows = std::move(*like);
    return &add(source, part.over_rows);
  }

 private:
  Stream& add(std::size_t source, const RowLoops& over_rows) {
    return streams.emplace_back(Stream{
        source, over_rows, std::vector<std::int64_t>(static_cast<std::size_t>(length), unknown)});
  }
};

/// Calls `visit`(element of the row, where it comes from) for all that loops within a row write.
template <class Visit>
void each_element(const RowLoops& loops, std::size_t k, std::int64_t to, std::int64_t from,
                  const Visit& visit) {
  if (k == loops.size()) return visit(static_cast<std::size_t>(to), from);
  for (std::int64_t i = 0; i < loops[k].extent; ++i)
    each_element(loops, k + 1, to + loops[k].out_at(i), from + loops[k].src_at(i), visit);
}

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
    for (Copy& copy : left_) made_.pieces.push_back({std::move(copy)});
    return std::move(made_);
  }

 private:
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
    const std::vector<Rows> found = rows_of(parts, length, phase, most_streams);
    // What is painted stays in order unless all of it is rows that nothing else lies over.
    if (made_.is_painted && !are_apart(found, parts.size())) return;
    Pieces joined;
    std::vector<bool> is_joined(parts.size(), false), is_cut(left_.size(), false);
    for (const Rows& rows : found) {
      if (rows.copies.size() == 1) continue;
      if (add(rows, joined))
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

  static std::vector<Rows> rows_of(const std::vector<CopyPart>& parts, std::int64_t length,
                                   std::int64_t phase, std::size_t most_streams) {
    std::vector<Rows> found;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const Copy& copy = parts[k].copy;
      const auto part = part_of(copy, length, phase);
      if (!part) continue;
      Rows* rows = nullptr;
      Stream* stream = nullptr;
      for (std::size_t n = 0; n < found.size() && !stream; ++n)
        if ((stream = found[n].stream_of(copy.source, *part, most_streams))) rows = &found[n];
      if (!stream) {
        rows = &found.emplace_back(Rows{part->row, length});
        stream = rows->stream_of(copy.source, *part, most_streams);
      }
      rows->copies.push_back(k);
      each_element(part->within, 0, copy.out_offset - part->row, copy.src_offset,
                   [&](std::size_t to, std::int64_t from) {
                     for (Stream& other : rows->streams) other.from[to] = unknown;
                     stream->from[to] = from;
                   });
      if (copy.layer == parts.front().copy.layer) rows->lowest += steps_of(part->within);
    }
    return found;
  }

  /// Whether these are all copies, and what is painted lies over the same rows: copies of one layer
  /// do not meet.
  static bool are_apart(const std::vector<Rows>& found, std::size_t all) {
    std::size_t copies = 0;
    for (const Rows& rows : found) {
      if (rows.lowest < rows.length) return false;
      copies += rows.copies.size();
    }
    return copies == all;
  }

  /// Adds a piece that makes them, if there is a kernel for it.
  bool add(const Rows& rows, Pieces& to) const {
    std::int64_t known = 0;
    SmallVector<const Stream*, most_sources> streams;  // but those that are painted over
    for (const Stream& stream : rows.streams) {
      known += stream.known();
      if (stream.known() > 0) streams.push_back(&stream);
    }
    if (known < rows.length) return false;
    return streams.size() == 1 ? add_one(rows, *streams[0], to)
                               : add_two(rows, *streams[0], *streams[1], to);
  }

  bool add_one(const Rows& rows, const Stream& stream, Pieces& to) const {
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

  bool add_two(const Rows& rows, const Stream& first, const Stream& second, Pieces& to) const {
    // Pairs of copies are woven as they are; so is one with a value that stands still.
    const bool has_still = stand_still(first.over_rows) || stand_still(second.over_rows);
    if (rows.copies.size() == 2 && rows.length * element_ <= most_row_bytes &&
        (has_still || rows.length * element_ <= most_group_bytes))
      return false;
    Pieces made;
    const Copy copy = part_by_table(rows, first, made.tables);
    const Copy beside = part_by_table(rows, second, made.tables);
    const auto nest = joint_nest_of(copy, beside, element_);
    if (!nest) return false;
    if (rows.length * element_ > most_row_bytes) {
      if (!is_assembled(rows, kernel_of(*nest))) return false;
    } else {
      const auto cost = find_long_weaving(*nest);
      if (!cost || (!is_small(*nest) && !pays(*cost, *nest))) return false;
    }
    std::move(made.tables.begin(), made.tables.end(), std::back_inserter(to.tables));
    to.pieces.push_back({.copy = copy, .beside = beside, .is_group = true});
    return true;
  }

  /// What a stream has of rows, by tables of where it goes and where it comes from.
  static Copy part_by_table(const Rows& rows, const Stream& stream, JoinedTables& tables) {
    const std::int64_t count = stream.known();
    const std::shared_ptr<std::int64_t[]> table(
        new std::int64_t[2 * static_cast<std::size_t>(count)]);
    Copy copy{stream.source, 0, rows.start, 0, stream.over_rows};
    std::int64_t at = 0;
    for (std::size_t k = 0; k < stream.from.size(); ++k) {
      if (stream.from[k] == unknown) continue;
      if (at == 0) copy.src_offset = stream.from[k];
      table[at] = static_cast<std::int64_t>(k);
      table[count + at++] = stream.from[k] - copy.src_offset;
    }
    copy.loops.push_back({count, 1, 0, table.get() + count, table.get()});
    tables.push_back(table);
    return copy;
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
  static bool is_assembled(const Rows& rows, const KernelDefinition* kernel) {
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
