// SPDX-License-Identifier: Apache-2.0
// Joining what passes read, and putting it in order.
#include <weft/graph/plan/reads.h>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace weft {
namespace {

Copy to_copy(const Box& box, std::size_t source, std::uint64_t layer) {
  Copy copy{source, layer, box.out_offset, box.origin[0], {}};
  for (const Digit& digit : box.digits) {
    Loop loop{digit.extent, digit.out_stride, digit.in_stride};
    if (digit.table) {
      loop.src_table = digit.table->in.data();
      if (!digit.table->out.empty()) loop.out_table = digit.table->out.data();
    }
    copy.loops.push_back(loop);
  }
  return copy;
}

}  // namespace

void Reads::finish(std::vector<Pass>& passes) {
  const auto key = [](const Read& read) { return std::tie(read.pass, read.layer, read.source); };
  std::sort(reads_.begin(), reads_.end(),
            [&](const Read& a, const Read& b) { return key(a) < key(b); });
  // Copies are put in order by these, which are cheaper to move about.
  struct Place {
    std::size_t pass = 0;
    std::uint64_t layer = 0;
    std::int64_t out_offset = 0;
    const Box* box = nullptr;
    std::size_t source = 0;
  };
  SmallVector<Place, 16> places;
  for (std::size_t i = 0; i < reads_.size(); ++i) {
    Boxes& lines = reads_[i].lines;
    if (i + 1 < reads_.size() && key(reads_[i]) == key(reads_[i + 1])) {
      append(reads_[i + 1].lines, std::move(lines));
      continue;
    }
    merge(lines);
    budget_.take(lines.size() * (sizeof(Place) + sizeof(Copy)));
    for (const Box& box : lines)
      places.push_back({reads_[i].pass, reads_[i].layer, box.out_offset, &box, reads_[i].source});
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return std::tie(a.pass, a.layer, a.out_offset) < std::tie(b.pass, b.layer, b.out_offset);
  });
  for (std::size_t first = 0, end = 0; first < places.size(); first = end) {
    while (end < places.size() && places[end].pass == places[first].pass) ++end;
    Pass& pass = passes[places[first].pass];
    pass.is_painted = places[first].layer != places[end - 1].layer;
    pass.copies.reserve(end - first);
    for (std::size_t i = first; i < end; ++i)
      pass.copies.push_back(to_copy(*places[i].box, places[i].source, places[i].layer));
  }
}

}  // namespace weft
