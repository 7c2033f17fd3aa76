// SPDX-License-Identifier: Apache-2.0
// Finding groups: every byte of one must have a place to come from.
#include <weft/engine/run/groups.h>

#include <algorithm>
#include <cstdlib>

namespace weft {
namespace {

// Fewer bytes than this in a row are moved as quickly one by one.
constexpr std::int64_t fewest_bytes = 64;
constexpr std::int64_t vector_bytes = shuffled_at_once;
constexpr std::int64_t furthest = 127;

bool are_plain(const Copy& copy) {
  return std::all_of(copy.loops.begin(), copy.loops.end(),
                     [](const Loop& loop) { return loop.is_plain(); });
}

/// Whether the loops up to `at` are the same.
bool are_alike(const Copy& a, const Copy& b, std::size_t at) {
  if (a.source != b.source || b.loops.size() <= at) return false;
  for (std::size_t k = 0; k <= at; ++k) {
    const Loop &one = a.loops[k], &other = b.loops[k];
    if (one.extent != other.extent || one.out_stride != other.out_stride ||
        one.src_stride != other.src_stride)
      return false;
  }
  return true;
}

/// The bytes of one group that are known, and where they come from.
class Group {
 public:
  Group(std::int64_t bytes, std::int64_t element) : bytes_(bytes), element_(element) {}

  /// The elements that the loops behind `at` write; whether each is within the group, and new.
  bool add(const Copy& copy, std::size_t at, std::int64_t out, std::int64_t src) {
    if (at + 1 == copy.loops.size()) return add_element(out * element_, src * element_);
    const Loop& loop = copy.loops[at + 1];
    if (loop.extent > bytes_) return false;
    for (std::int64_t i = 0; i < loop.extent; ++i)
      if (!add(copy, at + 1, out + loop.out_at(i), src + loop.src_at(i))) return false;
    return true;
  }

  bool is_whole() const { return known_ == bytes_; }
  /// From the first source of bytes [begin, begin + 16) to their last.
  std::int64_t span(std::int64_t begin) const {
    const auto first = from_.begin() + begin;
    const auto [low, high] =
        std::minmax_element(first, first + std::min(bytes_ - begin, vector_bytes));
    return *high - *low + 1;
  }
  bool is_run() const {
    for (std::size_t b = 1; b < static_cast<std::size_t>(bytes_); ++b)
      if (from_[b] != from_[b - 1] + 1) return false;
    return true;
  }
  const ShuffledBytes& from() const { return from_; }

 private:
  bool add_element(std::int64_t out, std::int64_t src) {
    if (out < 0 || out + element_ > bytes_ || known_ == bytes_) return false;
    if (src < -furthest || src + element_ > furthest) return false;
    for (std::int64_t b = 0; b < element_; ++b)
      from_[static_cast<std::size_t>(out + b)] = static_cast<std::int8_t>(src + b);
    known_ += element_;
    return true;
  }

  const std::int64_t bytes_, element_;
  std::int64_t known_ = 0;
  ShuffledBytes from_{};
};

std::optional<Grouping> grouping_at(std::span<const Copy* const> copies, std::size_t at,
                                    std::int64_t element) {
  const Copy& first = *copies[0];
  const Loop& loop = first.loops[at];
  const std::int64_t bytes = loop.out_stride * element, step = std::abs(loop.src_stride) * element;
  if (step == 0 || loop.extent * step < 2 * vector_bytes) return std::nullopt;
  std::int64_t start = first.out_offset;
  for (const Copy* copy : copies) {
    if (!are_alike(first, *copy, at)) return std::nullopt;
    start = std::min(start, copy->out_offset);
  }
  Group group(bytes, element);
  for (const Copy* copy : copies)
    if (!group.add(*copy, at, copy->out_offset - start, copy->src_offset - first.src_offset))
      return std::nullopt;
  if (!group.is_whole()) return std::nullopt;
  for (std::int64_t begin = 0; begin < bytes; begin += vector_bytes)
    if (group.span(begin) > vector_bytes) return std::nullopt;
  // A plain move does as well where a vector has room for a single group whose bytes stay together.
  const bool is_alone = 2 * bytes > vector_bytes || group.span(0) + step > vector_bytes;
  if (is_alone && group.is_run()) return std::nullopt;
  return Grouping{at, bytes, start, group.from()};
}

}  // namespace

std::optional<Grouping> find_grouping(std::span<const Copy* const> copies, std::int64_t element) {
  const Copy& first = *copies[0];
  for (std::size_t at = 0; at < first.loops.size(); ++at) {
    const std::int64_t bytes = first.loops[at].out_stride * element;
    if (bytes > Grouping::most_bytes || first.loops[at].extent * bytes < fewest_bytes) continue;
    if (!std::all_of(copies.begin(), copies.end(), [](const Copy* c) { return are_plain(*c); }))
      return std::nullopt;
    if (const auto grouping = grouping_at(copies, at, element)) return grouping;
  }
  return std::nullopt;
}

}  // namespace weft
