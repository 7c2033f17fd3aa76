// SPDX-License-Identifier: Apache-2.0
// Joining what passes read, and putting it in order.
#include <weft/graph/plan/reads.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>

#include <weft/graph/plan/part.h>

namespace weft {
namespace {

void add_copy(const Box& box, std::size_t source, std::uint64_t layer, std::vector<Copy>& to) {
  Copy& copy = to.emplace_back(Copy{source, layer, box.out_offset, box.origin[0], {}});
  for (const Digit& digit : box.digits) {
    Loop loop{digit.extent, digit.out_stride, digit.in_stride};
    if (digit.table) {
      loop.src_table = digit.table->in.data();
      if (!digit.table->out.empty()) loop.out_table = digit.table->out.data();
    }
    copy.loops.push_back(loop);
  }
}

/// The largest divisor of `units` so many of which each box moves side by side, on both sides from
/// a multiple of it on.
std::int64_t common_units(const Box& box, std::int64_t units) {
  if (box.digits.empty() || box.digits.back().table || box.digits.back().out_stride != 1 ||
      box.digits.back().in_stride != 1)
    return 1;
  units =
      std::gcd(std::gcd(units, box.digits.back().extent), std::gcd(box.out_offset, box.origin[0]));
  for (std::size_t k = 0; k + 1 < box.digits.size() && units > 1; ++k) {
    const Digit& digit = box.digits[k];
    units = std::gcd(units, std::gcd(digit.out_stride, digit.in_stride));
    if (!digit.table) continue;
    for (const std::int64_t entry : digit.table->in) units = std::gcd(units, entry);
    for (const std::int64_t entry : digit.table->out) units = std::gcd(units, entry);
  }
  return units;
}

/// Counts in units k times as large, of which the box moves whole ones.
void coarsen(Box& box, std::int64_t k) {
  box.out_offset /= k;
  box.origin[0] /= k;
  box.digits.back().extent /= k;
  for (std::size_t d = 0; d + 1 < box.digits.size(); ++d) {
    Digit& digit = box.digits[d];
    digit.out_stride /= k;
    digit.in_stride /= k;
    if (!digit.table) continue;
    Table& table = box.tables->emplace_back(*digit.table);
    for (std::int64_t& entry : table.in) entry /= k;
    for (std::int64_t& entry : table.out) entry /= k;
    digit.table = &table;
  }
  canonicalise(box);
}

}  // namespace

void Reads::join(std::size_t first, std::size_t end) {
  for (std::size_t i = first; i < end; ++i) {
    Boxes& lines = reads_[i].lines;
    if (i + 1 < end && reads_[i].key() == reads_[i + 1].key()) {
      append(reads_[i + 1].lines, std::move(lines));
      lines.clear();
    } else {
      merge(lines);
    }
  }
}

void Reads::part(Pass& pass, std::int64_t unit, std::size_t first, std::size_t end) {
  const std::int64_t element = pass.element();
  std::int64_t whole = element / unit;
  for (std::size_t i = first; i < end; ++i)
    for (const Box& line : reads_[i].lines) whole = common_units(line, whole);
  if (whole > 1)
    for (std::size_t i = first; i < end; ++i)
      for (Box& line : reads_[i].lines) coarsen(line, whole);
  const std::int64_t parts = element / (unit * whole);
  if (parts == 1) return;
  pass.type.dtype = opaque(static_cast<std::uint32_t>(unit * whole));
  pass.type.shape.push_back(parts);
  pass.count *= parts;
}

void Reads::finish(std::vector<Pass>& passes) {
  std::sort(reads_.begin(), reads_.end(),
            [](const Read& a, const Read& b) { return a.key() < b.key(); });
  for (std::size_t first = 0, end = 0; first < reads_.size(); first = end) {
    const std::size_t p = reads_[first].pass;
    std::uint32_t unit = 0;
    for (; end < reads_.size() && reads_[end].pass == p; ++end)
      unit = std::gcd(unit, reads_[end].unit);
    for (std::size_t i = first; i < end; ++i) {
      if (reads_[i].unit == unit) continue;
      for (Box& line : reads_[i].lines) refine(line, reads_[i].unit / unit);
    }
    join(first, end);
    if (unit != passes[p].element()) part(passes[p], unit, first, end);
  }
  // Copies are put in order by these, which are cheaper to move about.
  struct Place {
    std::size_t pass = 0;
    std::uint64_t layer = 0;
    std::int64_t out_offset = 0;
    const Box* box = nullptr;
    std::size_t source = 0;
  };
  SmallVector<Place, 16> places;
  for (const Read& read : reads_) {
    if (read.lines.empty()) continue;  // joined to another's
    budget_.take(read.lines.size() * (sizeof(Place) + sizeof(Copy)));
    for (const Box& box : read.lines)
      places.push_back({read.pass, read.layer, box.out_offset, &box, read.source});
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
      add_copy(*places[i].box, places[i].source, places[i].layer, pass.copies);
  }
}

}  // namespace weft
