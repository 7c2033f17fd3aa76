// SPDX-License-Identifier: Apache-2.0
// Scattering along the last axis line by line, and along another one strip by strip.
#include <weft/ops/indexing/scatter_lines.h>

#include <algorithm>
#include <cstring>

#include <weft/graph/value/unit.h>
#include <weft/ops/indexing/aside.h>
#include <weft/ops/indexing/rows.h>

namespace weft {
namespace {

// Short lines are copied, and scattered into, so many bytes of them at a time.
constexpr std::int64_t first_cache_bytes = 16 * 1024;
// Lines up to this are copied and scattered into while they are in a core's cache.
constexpr std::int64_t cached_line_bytes = 256 * 1024;
// As are strips of them.
constexpr std::int64_t cached_bytes = 512 * 1024;

/// Updates `apart` from one another, to places that are `step` apart.
template <class Unit, class Apart, class Next, class Step>
void scatter(Unit unit, const std::int64_t* places, std::int64_t count, const std::byte* from,
             Apart apart, std::byte* to, Next next, Step step) {
  for (std::int64_t k = 0; k < count; ++k)
    unit.move(to + (k * next + places[k] * step) * unit.size(), from + k * apart * unit.size());
}

template <std::int64_t number>
constexpr std::integral_constant<std::int64_t, number> always{};

}  // namespace

ScatterLines::ScatterLines(const Places& places, const TensorType& data, const Shape& updates,
                           const Shape& strides, std::size_t axis)
    : places_(places),
      data_(data.shape),
      updates_(updates),
      strides_(strides),
      axis_(axis),
      size_(data.dtype.size()) {
  merge_axes();
}

/// Axes beside that one, of which updates have all and go on from one another, are one.
void ScatterLines::merge_axes() {
  for (std::size_t k = data_.size() - 1; k-- > 0;) {
    if (k == axis_ || k + 1 == axis_ || data_[k + 1] != updates_[k + 1] ||
        strides_[k] != strides_[k + 1] * updates_[k + 1])
      continue;
    strides_.erase(strides_.begin() + k);
    for (Shape* const shape : {&data_, &updates_}) {
      (*shape)[k + 1] *= (*shape)[k];
      shape->erase(shape->begin() + k);
    }
    axis_ -= k < axis_;
  }
}

void ScatterLines::run(const std::byte* data, const std::byte* updates, std::byte* out,
                       const ForParts& for_parts) const {
  PlaceReader reader(places_);
  const bool is_inner = axis_ + 1 == data_.size();
  bool has_all = true;  // lines without updates are copied alone
  for (std::size_t k = 0; k < data_.size(); ++k) has_all &= k == axis_ || data_[k] == updates_[k];
  const bool copies_lines = is_inner ? data_[axis_] <= cached_line_bytes / size_ : has_all;
  if (data && !copies_lines)
    copy_in_parts(std::exchange(data, nullptr), out, element_count(data_) * size_, for_parts);
  if (is_inner) run_line_by_line(reader, data, updates, out, for_parts);
  else if (data || element_count(updates_) > 0) run_strips(reader, data, updates, out, for_parts);
  reader.finish();
}

/// How many of `count` lines from coordinates `at` on have updates.
std::int64_t ScatterLines::updated_lines(const Index& at, std::int64_t count) const {
  if (at.size() == 0) return count;
  for (std::size_t k = 0; k + 1 < at.size(); ++k)
    if (at[k] >= updates_[k]) return 0;
  return std::clamp<std::int64_t>(updates_[at.size() - 1] - at.back(), 0, count);
}

/// Along the last axis: each line is copied, where there is something to copy, and has its updates
/// where there are any.
void ScatterLines::run_line_by_line(PlaceReader& reader, const std::byte* data,
                                    const std::byte* updates, std::byte* out,
                                    const ForParts& for_parts) const {
  const std::int64_t line = data_[axis_] * size_, steps = updates_[axis_];
  const std::int64_t together =
      std::max<std::int64_t>(1, first_cache_bytes / std::max<std::int64_t>(line, 1));
  Shape lines = data_;
  lines.pop_back();
  const Lines of(row_major_strides(updates_), axis_), in(strides_, axis_);
  for_parts(element_count(lines), [&](std::int64_t begin, std::int64_t end) {
    with_unit(size_, [&](auto unit) {
      for_rows(lines, begin, end, [&](const Index& at, std::int64_t first, std::int64_t count) {
        const std::int64_t place = dot(at, of.starts), updated = updated_lines(at, count);
        const std::byte* const from = updates + dot(at, in.starts) * unit.size();
        // Lines have their updates while the first cache has what was copied.
        for (std::int64_t k = 0; k < count; k += together) {
          std::byte* const to = out + (first + k) * line;
          if (data)
            std::memcpy(to, data + (first + k) * line,
                        static_cast<std::size_t>(std::min(together, count - k) * line));
          scatter_rows(reader, unit,
                       {place + k * steps, std::min(together, updated - k), place + updated * steps,
                        from + k * in.next() * unit.size(), to},
                       in.next());
        }
      });
    });
  });
}

/// The places of neighbouring lines follow one another; updates are `next` elements apart from line
/// to line.
template <class Unit>
void ScatterLines::scatter_rows(PlaceReader& reader, Unit unit, const Rows& rows,
                                std::int64_t next) const {
  const std::int64_t steps = updates_[axis_], line = data_[axis_] * unit.size();
  const std::int64_t apart = strides_[axis_];
  const auto put = [&](const std::int64_t* places, std::int64_t count, const std::byte* from,
                       std::byte* to) {
    if (apart == 1) scatter(unit, places, count, from, always<1>, to, always<0>, always<1>);
    else scatter(unit, places, count, from, apart, to, always<0>, always<1>);
  };
  PlaceBlock block;
  if (steps < read_in_order) {
    const std::int64_t together = read_in_order / std::max<std::int64_t>(steps, 1);
    for (std::int64_t k = 0; k < rows.count && steps > 0; k += together) {
      const std::int64_t lines = std::min(together, rows.count - k), first = rows.place + k * steps;
      if (!reader.read(first, lines * steps, block)) return;
      reader.prefetch(first, rows.last_place);
      for (std::int64_t j = 0; j < lines; ++j)
        put(block.places + j * steps, steps, rows.from + (k + j) * next * unit.size(),
            rows.to + (k + j) * line);
    }
    return;
  }
  for (std::int64_t k = 0; k < rows.count; ++k) {
    const std::byte* const from = rows.from + k * next * unit.size();
    for (std::int64_t step = 0; step < steps; step += read_in_order) {
      const std::int64_t count = std::min(read_in_order, steps - step);
      if (!reader.read(rows.place + k * steps + step, count, block)) return;
      reader.prefetch(rows.place + k * steps + step, rows.last_place);
      put(block.places, count, from + step * apart * unit.size(), rows.to + k * line);
    }
  }
}

/// Along another axis: lines beside one another, a step of all of them after another. Where there
/// is something to copy, every line has updates.
void ScatterLines::run_strips(PlaceReader& reader, const std::byte* data, const std::byte* updates,
                              std::byte* out, const ForParts& for_parts) const {
  const std::int64_t steps = updates_[axis_], extent = data_[axis_];
  Shape lines = updates_;
  lines.erase(lines.begin() + axis_);
  const Lines to(row_major_strides(data_), axis_), of(row_major_strides(updates_), axis_),
      in(strides_, axis_);
  const std::int64_t apart = in.next();
  const std::int64_t width = cached_bytes / size_ / std::max<std::int64_t>(extent, 1);
  for_strips(lines, width, for_parts, [&](auto&& for_each_strip) {
    PlaceBlock block;
    Aside aside(for_parts, extent, data ? strip_width(width) * size_ : max_bytes);
    with_unit(size_, [&](auto unit) {
      for_each_strip([&](const Index& at, std::int64_t count) {
        const std::int64_t first = dot(at, to.starts) * unit.size();
        const std::int64_t next = to.step * unit.size(), bytes = count * unit.size();
        if (aside.memory()) aside.put(data + first, next, bytes);
        else if (data)
          for (std::int64_t row = 0; row < extent; ++row)
            std::memcpy(out + first + row * next, data + first + row * next,
                        static_cast<std::size_t>(bytes));
        std::byte* const line = aside.memory() ? aside.memory() : out + first;
        const std::int64_t step_to = aside.memory() ? aside.apart() / unit.size() : to.step;
        for (std::int64_t step = 0; step < steps; ++step) {
          const std::int64_t place = dot(at, of.starts) + step * of.step;
          if (!reader.read(place, count, block)) return;
          if (step + rows_ahead < steps) reader.ask(place + rows_ahead * of.step, count);
          const std::byte* const from =
              updates + (dot(at, in.starts) + step * in.step) * unit.size();
          if (apart == 1)
            scatter(unit, block.places, count, from, always<1>, line, always<1>, step_to);
          else scatter(unit, block.places, count, from, apart, line, always<1>, step_to);
        }
        if (aside.memory()) aside.put_back(out + first, next, bytes);
      });
    });
  });
}

}  // namespace weft
