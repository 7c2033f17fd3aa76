// SPDX-License-Identifier: Apache-2.0
// scatter_elements: what it refuses, and its computation.
#include <weft/ops/indexing/scatter_elements.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/ops/create/fills.h>
#include <weft/ops/create/numbers.h>
#include <weft/ops/indexing/gather_elements.h>
#include <weft/ops/indexing/rows.h>
#include <weft/ops/indexing/scatter_lines.h>
#include <weft/ops/indexing/scatter_reduce.h>

namespace weft {
namespace {

/// Each element to an index of its own along an axis.
struct EachAlongAxis {
  std::size_t axis;

  static constexpr std::string_view name = "scatter_elements";
  static constexpr const Op& op = scatter_elements_op;

  std::vector<IndexBounds> bounds(const Shape& data) const {
    return {{-data[axis], data[axis] - 1, "index"}};
  }
  static ScatterLayout layout(const Shape& data, const Shape& updates) {
    return {data, updates, 0, updates.size()};
  }
  /// Places in all of data.
  std::vector<std::int64_t> rows(const Shape& data, const Shape& updates,
                                 std::vector<std::int64_t> index) const {
    Shape strides = row_major_strides(data);
    const std::int64_t step = std::exchange(strides[axis], 0), next = strides.back();
    for_rows(updates, 0, element_count(updates),
             [&](const Index& at, std::int64_t first, std::int64_t count) {
               const std::int64_t line = dot(at, strides);
               for (std::int64_t k = 0; k < count; ++k) {
                 std::int64_t& place = index[static_cast<std::size_t>(first + k)];
                 place = line + k * next + place * step;
               }
             });
    return index;
  }
  Tensor picked(const Tensor& x, const Tensor& index) const {
    return x.gather_elements(index, axis);
  }
  Tensor stays(const Shape& data, const Tensor& index, const Shape& updates) const {
    const Tensor numbers = counted(i64, element_count(updates)).reshape(updates);
    return picked(zeros(data, i64).scatter_elements(index, numbers, axis), index).equal(numbers);
  }
  Tensor scattered(const Tensor& data, const Tensor& index, const Tensor& updates,
                   Combine combine) const {
    return scatter_elements(data, index, updates, axis, std::string(to_string(combine)));
  }
};
std::string to_string(const EachAlongAxis& rows) { return fmt::format("axis={}", rows.axis); }

struct ScatterElements {
  std::size_t axis;
  Shape updates;

  static constexpr std::string_view name = "scatter_elements";
  static constexpr const Op& op = scatter_elements_op;
  static constexpr std::tuple fields{
      operand("data", "what is copied"),
      index_operand("indices", "where each update goes"),
      operand("updates", "what replaces elements of it"),
      parameter("axis", &ScatterElements::axis, "the axis that indices count along"),
      parameter("reduction",
                "how an update and what it meets are combined: none, add, multiply, "
                "minimum or maximum",
                "none"),
      derived(&ScatterElements::updates)};

  /// Data, indices and updates have the same rank.
  static KnownType infer(const KnownType& data, const KnownType& indices, const KnownType& updates,
                         const Ints& axis, const std::string& reduction) {
    check_index(name, "indices", indices.dtype);
    if (updates.dtype != data.dtype)
      throw DtypeError(fmt::format("scatter_elements: updates are {}, expected {} as data",
                                   updates.dtype.name(), data.dtype.name()));
    check_combined(name, combine_named(name, reduction), data.dtype);
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
                     const Tensor& updates, const Ints& axis, const std::string& reduction) {
    const std::size_t at = check_axis(name, axis, 0, type.shape);
    const Combine combine = combine_named(name, reduction);
    if (combine != Combine::nothing)
      return tensor_of(ScatterReduce<EachAlongAxis>{{at}, combine, updates.shape()},
                       std::move(type), data, indices, updates);
    ScatterElements scatter{at, updates.shape()};
    return tensor_of(std::move(scatter), std::move(type), data, indices, updates);
  }

  std::vector<IndexBounds> bounds(const Shape& shape) const {
    return {{-shape[axis], shape[axis] - 1, "index"}};
  }

  static constexpr bool writes_over_first = true, checks_places = true;
  Computation computation(const Places& places, const TensorType& type,
                          std::span<const OperandLayout> layouts) const {
    return [lines = ScatterLines(places, type, updates, layouts[1].strides, axis)](
               auto operands, std::byte* out, const ForParts& for_parts) {
      lines.run(operands[0], operands[1], out, for_parts);
    };
  }

  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors& operands) const {
    return scatter_adjoint(EachAlongAxis{axis}, cotangent, operands);
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
                        const Ints& axis, const std::string& reduction) {
  return build<ScatterElements>(data, indices, updates, axis, reduction);
}

Tensor Tensor::scatter_elements(const Tensor& indices, const Tensor& updates, const Ints& axis,
                                const std::string& reduction) const {
  return weft::scatter_elements(*this, indices, updates, axis, reduction);
}

}  // namespace weft
