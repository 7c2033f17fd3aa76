// SPDX-License-Identifier: Apache-2.0
// From elements to the units they are made of, and back.
#include <weft/graph/plan/part.h>

#include <utility>

namespace weft {

void refine(Box& line, std::int64_t k) {
  if (k == 1) return;
  scale_out(line, k);
  affine(line, 0, 0, k);
  line.digits.push_back({k, 1, 1, 0});
  canonicalise(line);
}

void count_in_units(Box& line, const Part& part, std::int64_t element) {
  if (part == Part::whole(element)) return;
  affine(line, 0, part.offset / part.unit, element / part.unit);
  if (part.size > part.unit) line.digits.push_back({part.size / part.unit, 1, 1, 0});
  canonicalise(line);
}

namespace {

/// A piece that has units within an element on axis 0, and elements on axis 1.
class PieceOfUnits {
 public:
  PieceOfUnits(std::uint32_t unit, std::size_t most, std::vector<PartBox>& out)
      : unit_(unit), most_(most), out_(out) {}

  void add(Box piece) {
    canonicalise(piece);
    const auto is_run = [](const Digit& digit) {
      return digit.axis == 0 && !digit.table && digit.out_stride == 1 && digit.in_stride == 1;
    };
    std::uint32_t units = 1;
    if (piece.digits.size() > 0 && is_run(piece.digits.back())) {
      units = static_cast<std::uint32_t>(piece.digits.back().extent);
      piece.digits.pop_back();
    }
    add_parts(std::move(piece), units);
  }

 private:
  /// Units that are apart in the output are asked for one by one.
  void add_parts(Box piece, std::uint32_t units) {
    for (std::size_t k = 0; k < piece.digits.size(); ++k) {
      if (piece.digits[k].axis != 0) continue;
      for (std::int64_t i = 0; i < piece.digits[k].extent; ++i)
        add_parts(fixed(piece, k, i), units);
      return;
    }
    if (out_.size() == most_) throw TooManyBoxes();
    const auto first = static_cast<std::uint32_t>(piece.origin[0]);
    static constexpr std::int32_t elements[] = {1};
    relabel(piece, elements);
    out_.push_back({{unit_, first * unit_, units * unit_}, std::move(piece)});
  }

  std::uint32_t unit_;
  std::size_t most_;
  std::vector<PartBox>& out_;
};

}  // namespace

void count_in_elements(const Box& line, std::uint32_t unit, std::int64_t element, std::size_t most,
                       std::vector<PartBox>& out) {
  if (element == unit) return void(out.push_back({Part::whole(element), line}));
  Boxes pieces;
  divmod(line, 0, element / unit, pieces);
  PieceOfUnits sorter(unit, most, out);
  for (Box& piece : pieces) sorter.add(std::move(piece));
}

}  // namespace weft
