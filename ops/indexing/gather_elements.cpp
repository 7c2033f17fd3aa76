// SPDX-License-Identifier: Apache-2.0
// gather_elements: what it refuses, and its computation.
#include <weft/ops/indexing/gather_elements.h>

#include <algorithm>
#include <fmt/format.h>
#include <type_traits>

#include <weft/graph/define.h>
#include <weft/graph/value/unit.h>
#include <weft/ops/create/fills.h>
#include <weft/ops/gradient/in_wide.h>
#include <weft/ops/indexing/aside.h>
#include <weft/ops/indexing/place_reader.h>
#include <weft/ops/indexing/rows.h>

namespace weft {
namespace {

// A source that is picked from in no order is to stay in a core's cache.
constexpr std::int64_t cached_bytes = 512 * 1024;

/// A number that is known when this is compiled.
template <std::int64_t number>
constexpr std::integral_constant<std::int64_t, number> always{};

/// Neighbours are `along` elements apart before their places are added, each of `step` elements.
template <class Unit, class Along, class Step>
void gather(Unit unit, const std::byte* row, const std::int64_t* places, Along along, Step step,
            std::byte* to, std::int64_t count) {
  for (std::int64_t j = 0; j < count; ++j)
    unit.move(to + j * unit.size(), row + (j * along + places[j] * step) * unit.size());
}

/// All that the computation needs, apart from the node.
class Gathering {
 public:
  /// Of elements of so many bytes, from a source of that extent along the axis, at those strides.
  Gathering(const Places& places, const Shape& shape, const Shape& strides, std::size_t axis,
            std::int64_t extent, std::int64_t size)
      : places_(places),
        shape_(shape),
        strides_(strides),
        axis_(axis),
        extent_(extent),
        size_(size),
        width_(cached_bytes / size / std::max<std::int64_t>(extent, 1)) {
    // Axes beside that one that go on from one another are one.
    for (std::size_t k = shape_.size() - 1; k-- > 0;) {
      if (k == axis_ || k + 1 == axis_ || strides_[k] != strides_[k + 1] * shape_[k + 1]) continue;
      shape_[k + 1] *= shape_[k];
      shape_.erase(shape_.begin() + k);
      strides_.erase(strides_.begin() + k);
      axis_ -= k < axis_;
    }
  }

  void run(const std::byte* x, std::byte* out, const ForParts& for_parts) const {
    PlaceReader reader(places_);
    if (axis_ + 1 < shape_.size() && width_ < shape_.back())
      gather_strips(reader, x, out, for_parts);
    else if (shape_.back() < read_in_order) gather_short_rows(reader, x, out, for_parts);
    else gather_rows(reader, x, out, for_parts);
    reader.finish();
  }

 private:
  /// What a block of places costs beside following them is as little as can be: 16 million of f32
  /// took 14.5 ms on two threads where blocks were looked for in rows, and take 10.5.
  void gather_rows(PlaceReader& reader, const std::byte* x, std::byte* out,
                   const ForParts& for_parts) const {
    const std::int64_t along = axis_ + 1 == shape_.size() ? 0 : strides_.back();
    for_parts(element_count(shape_), [&](std::int64_t begin, std::int64_t end) {
      PlaceBlock block;
      bool is_right = true;
      with_unit(size_, [&](auto unit) {
        for_rows(shape_, begin, end, [&](const Index& at, std::int64_t first, std::int64_t count) {
          const std::int64_t here = dot(at, strides_), line = here - at[axis_] * strides_[axis_];
          const std::byte* const next = next_row(x, here, at);
          for (std::int64_t k = 0; k < count && is_right; k += read_in_order) {
            const std::int64_t some = std::min(read_in_order, count - k);
            is_right = reader.read(first + k, some, block);
            if (!is_right) return;
            reader.prefetch(first + k, end);
            if (next) prefetch_lines(next + k * unit.size(), some * unit.size());
            gather_row(unit, x + (line + k * along) * unit.size(), block.places,
                       out + (first + k) * unit.size(), some);
          }
        });
      });
    });
  }

  void gather_short_rows(PlaceReader& reader, const std::byte* x, std::byte* out,
                         const ForParts& for_parts) const {
    for_parts(element_count(shape_), [&](std::int64_t begin, std::int64_t end) {
      if (begin == end) return;
      PlaceBlock block;
      RowWalk rows(shape_, begin);
      with_unit(size_, [&](auto unit) {
        for (std::int64_t from = begin; from < end; from += read_in_order) {
          const std::int64_t to = std::min(from + read_in_order, end);
          if (!reader.read(from, to - from, block)) return;
          reader.prefetch(from, end);
          rows.go(to - from, [&](const Index& at, std::int64_t first, std::int64_t count) {
            const std::int64_t here = dot(at, strides_);
            if (const std::byte* const next = next_row(x, here, at))
              prefetch_lines(next, count * unit.size());
            gather_row(unit, x + (here - at[axis_] * strides_[axis_]) * unit.size(),
                       block.places + (first - from), out + first * unit.size(), count);
          });
        }
      });
    });
  }

  /// So many lines beside one another, whose part of the source stays in a core's cache, before
  /// the next ones.
  void gather_strips(PlaceReader& reader, const std::byte* x, std::byte* out,
                     const ForParts& for_parts) const {
    Shape lines = shape_, steps = strides_, apart = row_major_strides(shape_);
    for (Shape* const each : {&lines, &steps, &apart}) each->erase(each->begin() + axis_);
    const std::int64_t length = shape_[axis_], next = row_major_strides(shape_)[axis_];
    for_strips(lines, width_, for_parts, [&](auto&& for_each_strip) {
      PlaceBlock block;
      Aside aside(for_parts, extent_, strip_width(width_) * size_);
      with_unit(size_, [&](auto unit) {
        for_each_strip([&](const Index& at, std::int64_t count) {
          const std::byte* const from = x + dot(at, steps) * unit.size();
          const bool is_aside = aside.memory() && strides_.back() == 1;
          if (is_aside) aside.put(from, strides_[axis_] * unit.size(), count * unit.size());
          for (std::int64_t i = 0, first = dot(at, apart); i < length; ++i, first += next) {
            if (!reader.read(first, count, block)) return;
            if (i + rows_ahead < length) reader.ask(first + rows_ahead * next, count);
            std::byte* const to = out + first * unit.size();
            if (is_aside)
              gather(unit, aside.memory(), block.places, always<1>, aside.apart() / unit.size(), to,
                     count);
            else gather_row(unit, from, block.places, to, count);
          }
        });
      });
    });
  }

  /// The same place in the row behind, if that is picked from next, in no order; or null.
  const std::byte* next_row(const std::byte* x, std::int64_t here, const Index& at) const {
    const std::size_t rank = shape_.size();
    if (rank < 2 || axis_ + 1 != rank || strides_[axis_] != 1 ||
        at[rank - 2] + 1 == shape_[rank - 2])
      return nullptr;
    return x + (here + strides_[rank - 2]) * size_;
  }

  template <class Unit>
  void gather_row(Unit unit, const std::byte* row, const std::int64_t* place, std::byte* to,
                  std::int64_t count) const {
    const std::int64_t step = strides_[axis_], next = strides_.back();
    const auto go = [&](auto from_place_to_place, auto of_place) {
      gather(unit, row, place, from_place_to_place, of_place, to, count);
    };
    const bool is_inner = axis_ + 1 == shape_.size();
    if (is_inner && step == 1) go(always<0>, always<1>);
    else if (is_inner) go(always<0>, step);
    else if (next == 1) go(always<1>, step);
    else go(next, step);
  }

  Places places_;
  Shape shape_, strides_;  // of the result, and of the source
  std::size_t axis_;
  std::int64_t extent_;        // of the source along the axis
  std::int64_t size_, width_;  // of an element, in bytes; how many lines a cache keeps
};

struct GatherElements {
  std::size_t axis;
  Shape source;

  static constexpr std::string_view name = "gather_elements";
  static constexpr const Op& op = gather_elements_op;
  static constexpr std::tuple fields{
      operand("x", "whose elements are picked"), index_operand("indices", "of each element"),
      parameter("axis", &GatherElements::axis, "the axis they count along"),
      derived(&GatherElements::source)};

  static KnownType infer(const KnownType& x, const KnownType& indices, const Ints& axis) {
    detail::check_element_indices(name, "x", x, indices, axis);
    if (indices.shape.has_rank() || !x.shape.has_rank()) return {x.dtype, indices.shape};
    return {x.dtype, Extents::of_rank(x.shape.rank())};
  }

  static Tensor make(TensorType type, const Tensor& x, const Tensor& indices, const Ints& axis) {
    return tensor_of(GatherElements{check_axis(name, axis, 0, x.shape()), x.shape()},
                     std::move(type), x, indices);
  }

  std::vector<IndexBounds> bounds(const Shape&) const {
    return {{-source[axis], source[axis] - 1, "index"}};
  }

  static constexpr bool checks_places = true;
  Computation computation(const Places& places, const TensorType& type,
                          std::span<const OperandLayout> layouts) const {
    return [gathering = Gathering(places, type.shape, layouts[0].strides, axis, source[axis],
                                  type.dtype.size())](auto operands, std::byte* out,
                                                      const ForParts& for_parts) {
      gathering.run(operands[0], out, for_parts);
    };
  }

  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors& operands) const {
    const DType type = wide(cotangent.dtype());
    const Tensor sum = zeros(operands[0].shape(), type)
                           .scatter_elements(operands[1], cotangent.astype(type), axis, "add");
    return {sum.astype(cotangent.dtype()), {}};
  }

  std::size_t trace(const Places& places, const Shape& shape, Index& index) const {
    index[axis] = places[static_cast<std::size_t>(linear_index(index, shape))];
    return 0;
  }
};

}  // namespace

void detail::check_element_indices(std::string_view op, std::string_view operand,
                                   const KnownType& x, const KnownType& indices, const Ints& axis) {
  check_index(op, "indices", indices.dtype);
  const bool are_known = x.shape.has_rank() && indices.shape.has_rank();
  const auto is_scalar = [](const Extents& shape) { return shape.has_rank() && shape.rank() == 0; };
  const auto rank = [](const Extents& shape) {
    return shape.has_rank() ? fmt::format("{}", shape.rank()) : std::string("?");
  };
  if (is_scalar(x.shape) || is_scalar(indices.shape) ||
      (are_known && indices.shape.rank() != x.shape.rank()))
    throw ParameterError(
        "bad_rank",
        fmt::format("{}: indices have rank {} and {} has rank {}, expected the same of at least 1",
                    op, rank(indices.shape), operand, rank(x.shape)));
  check_one(op, "axis", axis);
  if (axis.is_open() || !x.shape.has_rank()) return;
  const std::size_t at = check_axis(op, axis, 0, x.shape);
  for (std::size_t k = 0; k < x.shape.rank() && are_known; ++k)
    if (k != at && indices.shape[k].low > x.shape[k].high)
      throw ShapeError(fmt::format("{}: indices have shape {}, expected at most {} but on axis {}",
                                   op, to_string(indices.shape), to_string(x.shape), at));
}

constinit const Op gather_elements_op = op_of<GatherElements>();

Tensor gather_elements(const Tensor& x, const Tensor& indices, const Ints& axis) {
  return build<GatherElements>(x, indices, axis);
}

Tensor Tensor::gather_elements(const Tensor& indices, const Ints& axis) const {
  return weft::gather_elements(*this, indices, axis);
}

}  // namespace weft
