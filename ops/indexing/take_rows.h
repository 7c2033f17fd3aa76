// SPDX-License-Identifier: Apache-2.0
// The loops of take, where nothing moves around it: what a list of places names is copied.
#pragma once

#include <cstddef>
#include <cstdint>

#include <weft/graph/indexed.h>
#include <weft/graph/kinds.h>
#include <weft/graph/value/tensor_type.h>
#include <weft/ops/indexing/place_reader.h>

namespace weft {

/// All that the computation needs, apart from the node.
class TakeRows {
 public:
  /// A result of that type, whose axis counts the list and that of the source `extent` places.
  TakeRows(const Places& places, const TensorType& type, std::size_t axis, std::int64_t extent);

  void run(const std::byte* x, std::byte* out, const ForParts& for_parts) const;

 private:
  void take_from_one(PlaceReader& reader, const std::byte* x, std::byte* out,
                     const ForParts& for_parts) const;
  void take_from_many(PlaceReader& reader, const std::byte* x, std::byte* out,
                      const ForParts& for_parts) const;

  Places places_;
  std::int64_t sources_, count_, extent_;  // of sources, each of so many places; of the list
  std::int64_t unit_;                      // bytes of what is at a place
};

}  // namespace weft
