// SPDX-License-Identifier: Apache-2.0
// Scatters that combine: which updates a task takes, and its loop.
#include <weft/ops/indexing/scatter_reduce.h>

#include <algorithm>
#include <array>
#include <cstring>

#include <weft/ops/indexing/rows.h>

namespace weft {
namespace {

// So many elements make a part, and so many parts share any number of threads evenly.
constexpr std::int64_t part_elements = 16384, most_parts = 64;

std::int64_t part_count(const ScatterLayout& layout) {
  const std::int64_t elements = element_count(layout.listed) * element_count(layout.slice);
  return std::clamp<std::int64_t>(elements / part_elements, 1, most_parts);
}
std::int64_t rows_in_part(const ScatterLayout& layout) {
  return layout.rows / part_count(layout) + 1;
}

/// All that the computation needs, apart from the node.
class Scattering {
 public:
  Scattering(const ScatterLayout& layout, Places hits, Combine combine, const TensorType& type,
             const Shape& strides)
      : layout_(layout), hits_(std::move(hits)), combine_(combine), type_(type) {
    const std::size_t outer = layout.outer.size(), listed = layout.listed.size();
    outer_strides_ = Shape(strides.begin(), strides.begin() + outer);
    listed_strides_ = Shape(strides.begin() + outer, strides.begin() + outer + listed);
    slice_strides_ = Shape(strides.begin() + outer + listed, strides.end());
    is_line_ = true;
    for (std::size_t k = 1; k < listed; ++k)
      is_line_ &= listed_strides_[k - 1] == listed_strides_[k] * layout.listed[k];
  }

  void run(std::span<const std::byte* const> operands, std::byte* out,
           const ForParts& for_parts) const {
    if (operands[0]) copy_in_parts(operands[0], out, type_.bytes(), for_parts);
    const std::int64_t slice = element_count(layout_.slice), parts = part_count(layout_);
    if (hits_.size() == 0 || slice == 0) return;
    const std::span<const Hit> hits = hits_.as<Hit>();
    const std::int64_t rows = rows_in_part(layout_), element = type_.dtype.size();
    // Made for each type and way to combine, so it is no more than the loops.
    void (Scattering::*loops)(std::span<const Hit>, const std::byte*, std::byte*, std::int64_t)
        const = nullptr;
    with_combiner(combine_, type_.dtype, [&]<class T, class Combiner>(T, Combiner) {
      loops = &Scattering::combine<T, Combiner>;
    });
    for_parts(element_count(layout_.outer) * parts, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t part = begin; part < end; ++part) {
        const std::int64_t outer = part / parts, first = part % parts * rows;
        const auto in_front_of = [&](std::int64_t row) {
          return std::partition_point(hits.begin(), hits.end(),
                                      [&](const Hit& hit) { return hit.row / rows * rows < row; });
        };
        const std::int64_t from = dot(unravel_index(outer, layout_.outer), outer_strides_);
        (this->*loops)({in_front_of(first), in_front_of(first + rows)},
                       operands[1] + from * element, out + outer * layout_.rows * slice * element,
                       slice);
      }
    });
  }

 private:
  std::int64_t offset_of(std::int64_t update) const {
    if (listed_strides_.empty()) return 0;
    if (is_line_) return update * listed_strides_.back();
    return dot(unravel_index(update, layout_.listed), listed_strides_);
  }

  template <class T, class Combiner>
  void combine(std::span<const Hit> hits, const std::byte* updates, std::byte* out,
               std::int64_t slice) const {
    const T* const from = reinterpret_cast<const T*>(updates);
    T* const to = reinterpret_cast<T*>(out);
    if (slice == 1) {
      for (const Hit& hit : hits)
        to[hit.row] = Combiner::of(to[hit.row], from[offset_of(hit.update)]);
    } else if (follow_one_another(layout_.slice, slice_strides_)) {
      for (std::size_t k = 0; k < hits.size(); ++k) {
        if (k + 1 < hits.size()) {
          const Hit& next = hits[k + 1];
          prefetch(from + offset_of(next.update), to + next.row * slice, slice);
        }
        combine_row<T, Combiner>(from + offset_of(hits[k].update), to + hits[k].row * slice, slice);
      }
    } else {
      const std::int64_t step = slice_strides_.back();
      for (const Hit& hit : hits)
        for_rows(layout_.slice, 0, slice,
                 [&](const Index& at, std::int64_t first, std::int64_t count) {
                   const T* const row = from + offset_of(hit.update) + dot(at, slice_strides_);
                   T* const own = to + hit.row * slice + first;
                   for (std::int64_t j = 0; j < count; ++j)
                     own[j] = Combiner::of(own[j], row[j * step]);
                 });
    }
  }
  /// The beginnings of rows; the processor goes on by itself.
  template <class T>
  static void prefetch(const T* from, const T* to, std::int64_t count) {
    constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(T)), most_lines = 8;
    for (std::int64_t j = 0; j < std::min(count, most_lines * line); j += line) {
      __builtin_prefetch(from + j);
      __builtin_prefetch(to + j, 1);
    }
  }
  template <class T, class Combiner>
  static void combine_row(const T* __restrict from, T* __restrict to, std::int64_t count) {
    for (std::int64_t j = 0; j < count; ++j) to[j] = Combiner::of(to[j], from[j]);
  }

  ScatterLayout layout_;
  Places hits_;
  Combine combine_;
  TensorType type_;
  Shape outer_strides_{}, listed_strides_{}, slice_strides_{};
  bool is_line_;  // the listed ones are one step apart
};

}  // namespace

ScatterLayout::ScatterLayout(const Shape& data, const Shape& updates, std::size_t outer_rank,
                             std::size_t listed_rank)
    : outer(updates.begin(), updates.begin() + outer_rank),
      listed(updates.begin() + outer_rank, updates.begin() + outer_rank + listed_rank),
      slice(updates.begin() + outer_rank + listed_rank, updates.end()) {
  const std::int64_t each = element_count(outer) * element_count(slice);
  rows = each == 0 ? 0 : element_count(data) / each;
}

std::vector<Hit> hits_of(const ScatterLayout& layout, std::span<const std::int64_t> rows) {
  if (layout.rows == 0) return {};  // of no elements
  const std::int64_t in_part = rows_in_part(layout);
  std::vector<std::size_t> ends(static_cast<std::size_t>(most_parts + 1));
  for (const std::int64_t row : rows) ++ends[static_cast<std::size_t>(row / in_part)];
  std::size_t begin = 0;
  for (std::size_t& end : ends) begin += std::exchange(end, begin);
  std::vector<Hit> hits(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k)
    hits[ends[static_cast<std::size_t>(rows[k] / in_part)]++] = {rows[k],
                                                                 static_cast<std::int64_t>(k)};
  return hits;
}

Computation scatter_reduction(const ScatterLayout& layout, const Places& hits, Combine combine,
                              const TensorType& type, std::span<const OperandLayout> layouts) {
  return [scattering = Scattering(layout, hits, combine, type, layouts[1].strides)](
             auto operands, std::byte* out, const ForParts& for_parts) {
    scattering.run(operands, out, for_parts);
  };
}

void reduced_element(const ScatterLayout& layout, std::span<const Hit> hits, Combine combine,
                     const TensorType& type, const Index& index, const ElementOf& element,
                     std::byte* to) {
  const std::int64_t slice = element_count(layout.slice);
  const std::int64_t at = linear_index(index, type.shape), row = at / slice % layout.rows;
  void (*take)(std::byte*, const std::byte*) = nullptr;
  with_combiner(combine, type.dtype, [&]<class T, class Combiner>(T, Combiner) {
    take = [](std::byte* own, const std::byte* other) {
      T x, y;
      std::memcpy(&x, own, sizeof x);
      std::memcpy(&y, other, sizeof y);
      x = Combiner::of(x, y);
      std::memcpy(own, &x, sizeof x);
    };
  });
  element(0, index, to);
  std::array<std::byte, sizeof(std::complex<double>)> other;  // of no struct
  for (const Hit& hit : hits) {
    if (hit.row != row) continue;
    Index update = unravel_index(at / slice / layout.rows, layout.outer);
    for (const std::int64_t k : unravel_index(hit.update, layout.listed)) update.push_back(k);
    for (const std::int64_t k : unravel_index(at % slice, layout.slice)) update.push_back(k);
    element(2, update, other.data());
    take(to, other.data());
  }
}

}  // namespace weft
