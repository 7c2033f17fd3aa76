// SPDX-License-Identifier: Apache-2.0
// The loops of scatter_elements: lines along an axis, each of which has its updates in their order.
#pragma once

#include <cstddef>
#include <cstdint>

#include <weft/graph/indexed.h>
#include <weft/graph/kinds.h>
#include <weft/graph/value/tensor_type.h>
#include <weft/ops/indexing/place_reader.h>

namespace weft {

/// All that the computation needs, apart from the node.
class ScatterLines {
 public:
  /// Data of that type; updates of that shape, which lie at those strides.
  ScatterLines(const Places& places, const TensorType& data, const Shape& updates,
               const Shape& strides, std::size_t axis);

  /// Data that is null is in the output already.
  void run(const std::byte* data, const std::byte* updates, std::byte* out,
           const ForParts& for_parts) const;

 private:
  /// Strides of lines, one beside the other.
  struct Lines {
    Shape starts;       ///< on the axes beside the one that they run along
    std::int64_t step;  ///< within a line

    Lines(const Shape& strides, std::size_t axis) : starts(strides), step(strides[axis]) {
      starts.erase(starts.begin() + axis);
    }
    std::int64_t next() const { return starts.empty() ? 0 : starts.back(); }
  };
  /// What is done together, where lines run along the last axis.
  struct Rows {
    std::int64_t place, count;  ///< that of the first update; how many there are
    std::int64_t last_place;    ///< behind those of the lines that come next
    const std::byte* from;
    std::byte* to;
  };

  void merge_axes();
  std::int64_t updated_lines(const Index& at, std::int64_t count) const;
  void run_line_by_line(PlaceReader& reader, const std::byte* data, const std::byte* updates,
                        std::byte* out, const ForParts& for_parts) const;
  void run_strips(PlaceReader& reader, const std::byte* data, const std::byte* updates,
                  std::byte* out, const ForParts& for_parts) const;
  template <class Unit>
  void scatter_rows(PlaceReader& reader, Unit unit, const Rows& rows, std::int64_t next) const;

  Places places_;
  Shape data_, updates_, strides_;
  std::size_t axis_;
  std::int64_t size_;
};

}  // namespace weft
