// SPDX-License-Identifier: Apache-2.0
// scatter_elements: what it refuses, and its computation.
#include <weft/ops/indexing/scatter_elements.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/graph/value/unit.h>
#include <weft/ops/indexing/gather_elements.h>
#include <weft/ops/indexing/rows.h>

namespace weft {
namespace {

// Lines up to this are copied and scattered into while they are in a core's cache.
constexpr std::int64_t cached_line_bytes = 256 * 1024;

/// All that the computation needs, apart from the node.
struct Scattering {
  Places places;
  Shape data, updates;
  Shape update_strides;
  std::size_t axis;
  std::int64_t size;

  void run(std::span<const std::byte* const> operands, std::byte* out,
           const ForParts& for_parts) const {
    const std::byte *const from = operands[0], *const update = operands[1];
    if (from && axis + 1 == data.size() && data[axis] * size <= cached_line_bytes)
      return run_line_by_line(from, update, out, for_parts);
    if (from) copy_in_parts(from, out, element_count(data) * size, for_parts);
    scatter_lines(update, out, for_parts);
  }

 private:
  /// Along the last axis: each line is copied, and has its updates where there are any.
  void run_line_by_line(const std::byte* from, const std::byte* update, std::byte* out,
                        const ForParts& for_parts) const {
    const std::int64_t line_bytes = data[axis] * size, steps = updates[axis];
    Shape lines = data;
    lines.pop_back();
    const Lines of(row_major_strides(updates), axis), in(update_strides, axis);
    for_parts(element_count(lines), [&](std::int64_t begin, std::int64_t end) {
      with_unit(size, [&](auto unit) {
        for_rows(lines, begin, end, [&](const Index& at, std::int64_t first, std::int64_t count) {
          std::memcpy(out + first * line_bytes, from + first * line_bytes,
                      static_cast<std::size_t>(count * line_bytes));
          const std::int64_t updated = updated_lines(at, count);
          const std::int64_t* const place = places.data() + dot(at, of.starts);
          const std::byte* const source = update + dot(at, in.starts) * unit.size();
          scatter_neighbours(unit, place, of.next, source, in, steps, updated,
                             out + first * line_bytes, data[axis]);
        });
      });
    });
  }

  /// Strides of lines along an axis, one beside the other.
  struct Lines {
    Shape starts;             ///< on the axes beside that one
    std::int64_t next, step;  ///< on the last of those, and within a line

    Lines(const Shape& strides, std::size_t axis) : starts(strides), step(strides[axis]) {
      starts.erase(starts.begin() + axis);
      next = starts.size() == 0 ? 0 : starts.back();
    }
  };

  /// How many of `count` lines from coordinates `at` on have updates.
  std::int64_t updated_lines(const Index& at, std::int64_t count) const {
    if (at.size() == 0) return count;
    for (std::size_t k = 0; k + 1 < at.size(); ++k)
      if (at[k] >= updates[k]) return 0;
    return std::clamp<std::int64_t>(updates[at.size() - 1] - at.back(), 0, count);
  }

  /// A line of updates, `apart` from one another.
  template <class Unit>
  static void scatter_line(Unit unit, const std::int64_t* place, std::int64_t steps,
                           const std::byte* source, std::int64_t apart, std::byte* to) {
    if (apart == 1) {
      for (std::int64_t step = 0; step < steps; ++step)
        unit.move(to + place[step] * unit.size(), source + step * unit.size());
      return;
    }
    for (std::int64_t step = 0; step < steps; ++step)
      unit.move(to + place[step] * unit.size(), source + step * apart * unit.size());
  }

  /// `count` lines, whose places and results are so many elements from line to line.
  template <class Unit>
  static void scatter_neighbours(Unit unit, const std::int64_t* place, std::int64_t next_place,
                                 const std::byte* source, const Lines& in, std::int64_t steps,
                                 std::int64_t count, std::byte* to, std::int64_t next_to) {
    for (std::int64_t k = 0; k < count; ++k)
      scatter_line(unit, place + k * next_place, steps, source + k * in.next * unit.size(), in.step,
                   to + k * next_to * unit.size());
  }

  /// `count` lines, a step of all of them after another.
  template <class Unit>
  static void scatter_steps(Unit unit, const std::int64_t* places, const Lines& of,
                            const std::byte* source, const Lines& in, std::int64_t steps,
                            std::int64_t count, std::byte* line, const Lines& to) {
    // Copies: what is written might be them, for all that the compiler knows.
    const std::int64_t of_next = of.next, in_next = in.next, to_next = to.next, to_step = to.step;
    for (std::int64_t step = 0; step < steps; ++step) {
      const std::int64_t* const place = places + step * of.step;
      const std::byte* const from = source + step * in.step * unit.size();
      for (std::int64_t k = 0; k < count; ++k)
        unit.move(line + (k * to_next + place[k * of_next] * to_step) * unit.size(),
                  from + k * in_next * unit.size());
    }
  }

  /// Lines run along the axis; each is scattered from its first update to its last. Neighbours on
  /// another axis are taken together, in the order that suits memory.
  void scatter_lines(const std::byte* update, std::byte* out, const ForParts& for_parts) const {
    if (element_count(updates) == 0) return;
    const std::int64_t steps = updates[axis];
    Shape lines = updates;
    lines.erase(lines.begin() + axis);
    const Lines to(row_major_strides(data), axis), of(row_major_strides(updates), axis),
        in(update_strides, axis);
    const bool is_inner = axis + 1 == updates.size();
    for_parts(element_count(lines), [&](std::int64_t begin, std::int64_t end) {
      with_unit(size, [&](auto unit) {
        for_rows(lines, begin, end, [&](const Index& at, std::int64_t, std::int64_t count) {
          const std::int64_t* const place = places.data() + dot(at, of.starts);
          const std::byte* const source = update + dot(at, in.starts) * unit.size();
          std::byte* const line = out + dot(at, to.starts) * unit.size();
          if (is_inner)
            return scatter_neighbours(unit, place, of.next, source, in, steps, count, line,
                                      to.next);
          scatter_steps(unit, place, of, source, in, steps, count, line, to);
        });
      });
    });
  }
};

struct ScatterElements {
  std::size_t axis;
  Shape updates;

  static constexpr std::string_view name = "scatter_elements";
  static constexpr const Op& op = scatter_elements_op;
  static constexpr std::tuple fields{
      operand("data", "what is copied"), index_operand("indices", "where each update goes"),
      operand("updates", "what replaces elements of it"),
      parameter("axis", &ScatterElements::axis, "the axis that indices count along"),
      derived(&ScatterElements::updates)};

  /// Data, indices and updates have the same rank.
  static KnownType infer(const KnownType& data, const KnownType& indices, const KnownType& updates,
                         const Ints& axis) {
    check_index(name, "indices", indices.dtype);
    if (updates.dtype != data.dtype)
      throw DtypeError(fmt::format("scatter_elements: updates are {}, expected {} as data",
                                   updates.dtype.name(), data.dtype.name()));
    // Their extents are compared with those of the updates before those of data.
    const KnownType ranks{indices.dtype, indices.shape.has_rank()
                                             ? Extents(Shape(indices.shape.rank(), 0))
                                             : indices.shape};
    detail::check_element_indices(name, "data", data, ranks, axis);
    if (!can_be_equal(indices.shape, updates.shape))
      throw ShapeError(
          fmt::format("scatter_elements: updates have shape {}, expected {} as indices",
                      to_string(updates.shape), to_string(indices.shape)));
    detail::check_element_indices(name, "data", data, indices, axis);
    if (data.shape.has_rank()) return data;
    for (const KnownType* other : {&indices, &updates})
      if (other->shape.has_rank()) return {data.dtype, Extents::of_rank(other->shape.rank())};
    return data;
  }

  static Tensor make(TensorType type, const Tensor& data, const Tensor& indices,
                     const Tensor& updates, const Ints& axis) {
    ScatterElements scatter{check_axis(name, axis, 0, type.shape), updates.shape()};
    return tensor_of(std::move(scatter), std::move(type), data, indices, updates);
  }

  std::vector<IndexBounds> bounds(const Shape& shape) const {
    return {{-shape[axis], shape[axis] - 1, "index"}};
  }

  static constexpr bool writes_over_first = true;
  Computation computation(const Places& places, const TensorType& type,
                          std::span<const OperandLayout> layouts) const {
    return [scattering = Scattering{places, type.shape, updates, layouts[1].strides, axis,
                                    type.dtype.size()}](auto operands, std::byte* out,
                                                        const ForParts& for_parts) {
      scattering.run(operands, out, for_parts);
    };
  }

  std::size_t trace(const Places& places, const Shape& shape, Index& index) const {
    for (std::size_t k = 0; k < shape.size(); ++k)
      if (k != axis && index[k] >= updates[k]) return 0;
    Index update = index;
    update[axis] = 0;
    const std::int64_t first = linear_index(update, updates);
    const std::int64_t apart = row_major_strides(updates)[axis];
    for (std::int64_t step = updates[axis]; step-- > 0;) {
      if (places[static_cast<std::size_t>(first + step * apart)] != index[axis]) continue;
      index[axis] = step;
      return 2;
    }
    return 0;
  }
};

}  // namespace

constinit const Op scatter_elements_op = op_of<ScatterElements>();

Tensor scatter_elements(const Tensor& data, const Tensor& indices, const Tensor& updates,
                        const Ints& axis) {
  return build<ScatterElements>(data, indices, updates, axis);
}

Tensor Tensor::scatter_elements(const Tensor& indices, const Tensor& updates,
                                const Ints& axis) const {
  return weft::scatter_elements(*this, indices, updates, axis);
}

}  // namespace weft
