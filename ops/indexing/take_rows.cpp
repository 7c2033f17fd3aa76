// SPDX-License-Identifier: Apache-2.0
// Copying what places name: from one source, or from many by the same list.
#include <weft/ops/indexing/take_rows.h>

#include <algorithm>

#include <weft/graph/value/unit.h>
#include <weft/ops/indexing/rows.h>

namespace weft {
namespace {

// Sources that are taken from together are to stay in a core's cache.
constexpr std::int64_t cached_bytes = 256 * 1024;
// So many bytes ahead memory is asked for what lies in no order, so much of each place at most: the
// processor goes on by itself.
constexpr std::int64_t ahead_bytes = 8192, most_prefetched = 1024;

template <class Unit>
void take(Unit unit, const std::byte* x, const std::int64_t* places, std::byte* to,
          std::int64_t count) {
  for (std::int64_t j = 0; j < count; ++j)
    unit.move(to + j * unit.size(), x + places[j] * unit.size());
}

/// The same of units that are rows.
template <class Unit>
void take_ahead(Unit unit, const std::byte* x, const std::int64_t* places, std::byte* to,
                std::int64_t count) {
  const std::int64_t ahead = std::clamp<std::int64_t>(ahead_bytes / unit.size(), 2, 64);
  const std::int64_t bytes = std::min(unit.size(), most_prefetched);
  for (std::int64_t j = 0; j < count; ++j) {
    if (j + ahead < count) prefetch_lines(x + places[j + ahead] * unit.size(), bytes);
    unit.move(to + j * unit.size(), x + places[j] * unit.size());
  }
}

}  // namespace

TakeRows::TakeRows(const Places& places, const TensorType& type, std::size_t axis,
                   std::int64_t extent)
    : places_(places),
      sources_(1),
      count_(type.shape[axis]),
      extent_(extent),
      unit_(type.dtype.size()) {
  for (std::size_t k = 0; k < type.shape.size(); ++k) {
    if (k < axis) sources_ *= type.shape[k];
    if (k > axis) unit_ *= type.shape[k];
  }
}

void TakeRows::run(const std::byte* x, std::byte* out, const ForParts& for_parts) const {
  PlaceReader reader(places_);
  if (sources_ == 1) take_from_one(reader, x, out, for_parts);
  else take_from_many(reader, x, out, for_parts);
  reader.finish();
}

void TakeRows::take_from_one(PlaceReader& reader, const std::byte* x, std::byte* out,
                             const ForParts& for_parts) const {
  for_parts(count_, [&](std::int64_t begin, std::int64_t end) {
    PlaceBlock block;
    with_unit(unit_, [&](auto unit) {
      for (std::int64_t from = begin; from < end; from += read_in_order) {
        const std::int64_t count = std::min(read_in_order, end - from);
        if (!reader.read(from, count, block)) return;
        reader.prefetch(from, end);
        std::byte* const to = out + from * unit.size();
        if (unit.size() > 16) take_ahead(unit, x, block.places, to, count);
        else take(unit, x, block.places, to, count);
      }
    });
  });
}

/// So many sources as a cache keeps, by a block of the list after another.
void TakeRows::take_from_many(PlaceReader& reader, const std::byte* x, std::byte* out,
                              const ForParts& for_parts) const {
  const std::int64_t source = extent_ * unit_, row = count_ * unit_;
  const std::int64_t together =
      std::max<std::int64_t>(1, cached_bytes / std::max<std::int64_t>(source, 1));
  for_parts(sources_, [&](std::int64_t begin, std::int64_t end) {
    PlaceBlock block;
    with_unit(unit_, [&](auto unit) {
      for (std::int64_t first = begin; first < end; first += together) {
        const std::int64_t last = std::min(first + together, end);
        for (std::int64_t from = 0; from < count_; from += most_read_together) {
          const std::int64_t count = std::min(most_read_together, count_ - from);
          if (!reader.read(from, count, block)) return;
          for (std::int64_t s = first; s < last; ++s) {
            if (from == 0 && s + 1 < last)
              prefetch_lines(x + (s + 1) * source, std::min(source, cached_bytes / 4));
            take(unit, x + s * source, block.places, out + s * row + from * unit.size(), count);
          }
        }
      }
    });
  });
}

}  // namespace weft
