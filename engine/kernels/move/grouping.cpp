// SPDX-License-Identifier: Apache-2.0
// Finding groups.
#include <weft/engine/kernels/move/grouping.h>

#include <bit>
#include <cstdlib>

#include <weft/engine/kernels/instruction_set.h>
#include <weft/engine/kernels/move/byte_loops.h>

namespace weft {
namespace {

// Fewer bytes than this in a row are moved as quickly one by one.
constexpr std::int64_t fewest_row_bytes = 64;
// What stores are made of is laid out with each call, which takes as long as some dozen of them.
constexpr std::int64_t fewest_bytes_a_call = 128, enough_bytes_a_call = 4096;

/// A loop within a group, of one source; strides in bytes.
struct Within {
  std::int64_t extent, dst, src;
  const std::int64_t* src_table = nullptr;  ///< of elements of so many bytes
  std::int64_t element = 1;

  std::int64_t src_at(std::int64_t i) const { return src_table ? src_table[i] * element : i * src; }
};
using Withins = SmallVector<Within, 8>;

/// The bytes of one group that are known, and where they come from.
class Group {
 public:
  Group(std::int64_t bytes, std::int64_t unit, std::int64_t at_once)
      : bytes_(bytes), unit_(unit), at_once_(at_once) {}

  /// The units that the loops from `k` on write; whether each is within the group, and new.
  bool add(const Withins& loops, std::size_t k, std::int64_t dst, std::int64_t src, bool is_still) {
    if (k == loops.size()) return add_unit(dst, src, is_still);
    const Within& loop = loops[k];
    if (loop.extent > bytes_) return false;
    for (std::int64_t i = 0; i < loop.extent; ++i)
      if (!add(loops, k + 1, dst + i * loop.dst, src + loop.src_at(i), is_still)) return false;
    return true;
  }

  bool is_whole() const { return known_ == bytes_; }
  /// From the first source of all bytes to their last.
  std::int64_t span() const {
    const auto moved = unit_bytes_.moved_from(0, bytes_);
    return moved ? moved->second - moved->first + 1 : 0;
  }
  /// How many loads it is made of; none where a store would be made of too many.
  std::optional<std::int64_t> loads() const {
    const std::int64_t high = unit_bytes_.moved_from(0, bytes_)->second;
    std::int64_t all = 0;
    for (std::int64_t begin = 0; begin < bytes_; begin += at_once_) {
      const std::int64_t end = std::min(bytes_, begin + at_once_);
      const auto loads =
          static_cast<std::int64_t>(unit_bytes_.loads(begin, end, at_once_, false, high).size());
      if (loads > most_loads) return std::nullopt;
      all += loads;
    }
    return all;
  }
  /// Of groups that lie `step` apart, by one load and one store; 0: not even one.
  std::int64_t at_a_time(std::int64_t step) const {
    if (bytes_ > at_once_ || span() > at_once_) return 0;
    return std::min(at_once_ / bytes_, (at_once_ - span()) / step + 1);
  }
  bool is_moved() const { return unit_bytes_.moved_from(0, bytes_).has_value(); }
  bool is_run() const {
    if (unit_bytes_.still != 0) return false;
    for (std::int64_t b = 1; b < bytes_; ++b)
      if (unit_bytes_.of(b) != unit_bytes_.of(b - 1) + 1) return false;
    return true;
  }
  /// Of bytes that follow one another.
  std::int64_t pieces() const {
    std::int64_t all = 1;
    for (std::int64_t b = 1; b < bytes_; ++b)
      all += unit_bytes_.is_still(b) != unit_bytes_.is_still(b - 1) ||
             unit_bytes_.of(b) != unit_bytes_.of(b - 1) + 1;
    return all;
  }
  /// How many different bytes it is made of.
  std::int64_t read() const {
    std::array<bool, 256> is_read{};
    for (std::int64_t b = 0; b < bytes_; ++b)
      if (!unit_bytes_.is_still(b)) is_read[static_cast<std::uint8_t>(unit_bytes_.of(b))] = true;
    return std::count(is_read.begin(), is_read.end(), true);
  }
  const UnitBytes& bytes() const { return unit_bytes_; }

 private:
  bool add_unit(std::int64_t dst, std::int64_t src, bool is_still) {
    if (dst < 0 || dst + unit_ > bytes_ || known_ == bytes_) return false;
    if (src < -max_shuffled_reach || src + unit_ > max_shuffled_reach) return false;
    for (std::int64_t b = 0; b < unit_; ++b) {
      unit_bytes_.from[static_cast<std::size_t>(dst + b)] = static_cast<std::int8_t>(src + b);
      if (is_still) unit_bytes_.still |= std::uint64_t{1} << (dst + b);
    }
    known_ += unit_;
    return true;
  }

  const std::int64_t bytes_, unit_, at_once_;
  std::int64_t known_ = 0;
  UnitBytes unit_bytes_{};
};

/// Whether groups by vectors of 16 bytes take less than moving one piece after the other.
bool pays_by_16(const Group& group, std::int64_t bytes, std::int64_t unit, std::int64_t together,
                std::int64_t loads) {
  // A plain move does as well where a vector has room for a single group whose bytes stay together.
  if (together < 2 && group.is_run()) return false;
  // Where a store takes several loads, units that are as few are moved as well one by one; of 3
  // bytes each takes two moves.
  const std::int64_t moves = bytes / unit, as_many = unit == 3 ? moves : moves / 2;
  const bool is_several = loads > (bytes + 15) / 16;
  return !is_several || loads <= as_many;
}

/// How many moves of one piece take as long as what makes one store of a line, if groups are made
/// along loop `at`.
std::int64_t moves_a_line(const Nest& nest, const Group& group, std::size_t at) {
  const bool is_vector =
      std::has_single_bit(static_cast<std::uint64_t>(nest.unit)) && nest.unit <= 16;
  const bool is_turned = nest.rows != no_loop && nest.rows <= at;
  if (!nest.innermost().is_plain()) return 1;  // nothing else makes whole rows of it
  if (is_turned && is_vector) return 8;
  if (!is_turned && !group.is_run()) return 2;
  return is_vector ? 4 : 3;
}

/// Whether groups by lines do.
bool pays_by_lines(const Nest& nest, const Group& group, std::size_t at, std::int64_t together,
                   std::int64_t extent, std::int64_t loads) {
  const std::int64_t fewest = moves_a_line(nest, group, at);
  if (together == 0) return group.pieces() >= fewest * loads;
  const std::int64_t stores = (extent + together - 1) / together;
  return group.pieces() * extent >= fewest * stores;
}

/// The loops within a step of loop `at`.
Withins withins_of(const Nest& nest, std::size_t at, std::size_t source) {
  Withins within;
  for (std::size_t k = at + 1; k < nest.loops.size(); ++k) {
    const NestLoop& inner = nest.loops[k];
    within.push_back({inner.extent, inner.dst, inner.src[source], inner.src_table, nest.element});
  }
  for (const ByteLoop& side : nest.of[source].own)
    within.push_back({side.extent, side.dst, side.src});
  return within;
}

/// Where the first group starts in the output.
std::int64_t start_of(const Nest& nest) {
  std::int64_t start = nest.of[0].dst;
  for (std::size_t s = 1; s < nest.sources; ++s) start = std::min(start, nest.of[s].dst);
  return start;
}

std::optional<Grouping> grouping_at(const Nest& nest, std::size_t at, Loads most,
                                    std::int64_t at_once) {
  const NestLoop& loop = nest.loops[at];
  const std::size_t moving = stands_still(nest, at, 0) ? 1 : 0;
  const std::int64_t bytes = loop.dst, step = std::abs(loop.src[moving]);
  if (step == 0 || (at_once == 16 && loop.extent * step < 2 * at_once)) return std::nullopt;
  const bool has_still = nest.sources > 1 && stands_still(nest, at, 1 - moving);
  if (nest.sources > 1 && !has_still) return std::nullopt;
  const std::int64_t start = start_of(nest);
  Group group(bytes, nest.unit, at_once);
  for (std::size_t s = 0; s < nest.sources; ++s) {
    if (!group.add(withins_of(nest, at, s), 0, nest.of[s].dst - start, 0, s != moving))
      return std::nullopt;
  }
  if (!group.is_whole() || !group.is_moved()) return std::nullopt;
  const auto loads = group.loads();
  if (!loads) return std::nullopt;
  const std::int64_t vectors = (bytes + at_once - 1) / at_once;
  if (*loads > vectors && most == Loads::one) return std::nullopt;
  const std::int64_t together = std::min(group.at_a_time(step), loop.extent);
  const bool pays = at_once == 16 ? pays_by_16(group, bytes, nest.unit, together, *loads)
                                  : pays_by_lines(nest, group, at, together, loop.extent, *loads);
  if (!pays) return std::nullopt;
  return Grouping{at,
                  bytes,
                  start,
                  moving,
                  group.bytes(),
                  group.read(),
                  *loads,
                  together > 0 ? bytes * together : bytes / *loads,
                  at_once};
}

bool may_be_over_groups(const NestLoop& loop, Loads most) {
  const std::int64_t fewest = most == Loads::one ? fewest_row_bytes : fewest_row_bytes / 2;
  return loop.dst <= most_shuffled_bytes && loop.extent * loop.dst >= fewest;
}

}  // namespace

std::int64_t shuffled_at_once() noexcept { return permutes_lines() ? 64 : 16; }

bool stands_still(const Nest& nest, std::size_t at, std::size_t source) {
  return nest.sources > 1 && nest.loops[at].src[source] == 0;
}

std::int64_t bytes_of_groups(const Nest& nest, Loads most) {
  for (const NestLoop& loop : nest.loops)
    if (may_be_over_groups(loop, most)) return loop.dst;
  return 0;
}

std::optional<Grouping> find_grouping(const Nest& nest, Loads most) {
  const std::int64_t at_once = shuffled_at_once();
  const auto writes_by_table = [](const NestLoop& loop) { return loop.dst_table != nullptr; };
  if (std::any_of(nest.loops.begin(), nest.loops.end(), writes_by_table)) return std::nullopt;
  for (std::size_t at = 0; at < nest.loops.size() && nest.loops[at].is_plain(); ++at) {
    if (!may_be_over_groups(nest.loops[at], most)) continue;
    if (const auto grouping = grouping_at(nest, at, most, at_once)) return grouping;
  }
  return std::nullopt;
}

namespace {

/// The longest of the loops.
std::size_t longest_of(const SmallVector<NestLoop, 6>& loops) {
  const auto longest =
      std::max_element(loops.begin(), loops.end(),
                       [](const NestLoop& a, const NestLoop& b) { return a.extent < b.extent; });
  return static_cast<std::size_t>(longest - loops.begin());
}

}  // namespace

std::optional<RowsOfGroups> take_rows(const Nest& nest, std::size_t at, std::int64_t bytes,
                                      std::optional<std::size_t> still) {
  constexpr NestLoop no_more{1, 0, {}};
  RowsOfGroups rows{nest, nest.loops[at], {no_more, no_more}};
  rows.left.loops.truncate(at);
  std::int64_t made = rows.inner.extent * bytes;
  for (std::size_t n = 0; n < rows.outer.size() && !rows.left.loops.empty(); ++n) {
    std::size_t k = rows.left.longer_outer(made);
    // The last has what calls that make little are about; what stands still does so within others.
    if (n + 1 == rows.outer.size() && !still &&
        made * rows.left.loops[k].extent < enough_bytes_a_call)
      k = longest_of(rows.left.loops);
    if (still && !stands_still(rows.left, k, *still)) break;
    rows.outer[n] = rows.left.loops[k];
    rows.left.loops.erase(rows.left.loops.begin() + k);
    made *= rows.outer[n].extent;
  }
  if (!rows.left.loops.empty() && made < fewest_bytes_a_call) return std::nullopt;
  return rows;
}

std::optional<Weaving> find_weaving(const Nest& nest) {
  const std::int64_t start = start_of(nest);
  for (std::size_t at = 0; at < nest.loops.size() && nest.loops[at].is_plain(); ++at) {
    if (!may_be_over_groups(nest.loops[at], Loads::several)) continue;
    Group group(nest.loops[at].dst, nest.unit, most_group_bytes);
    bool fits = true;
    for (std::size_t s = 0; s < nest.sources && fits; ++s)
      fits = group.add(withins_of(nest, at, s), 0, nest.of[s].dst - start, 0, s > 0);
    if (fits && group.is_whole())
      return Weaving{at, nest.loops[at].dst, start, group.bytes(), group.pieces()};
  }
  return std::nullopt;
}

}  // namespace weft
