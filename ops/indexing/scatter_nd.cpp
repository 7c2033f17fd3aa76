// SPDX-License-Identifier: Apache-2.0
// scatter_nd: what it refuses, and its computation.
#include <weft/ops/indexing/scatter_nd.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/graph/value/unit.h>
#include <weft/ops/create/fills.h>
#include <weft/ops/create/numbers.h>
#include <weft/ops/indexing/rows.h>
#include <weft/ops/indexing/scatter_reduce.h>
#include <weft/ops/indexing/tuples.h>

namespace weft {
namespace {

/// The updates: so many slices, and where each lies and goes.
class Scattering {
 public:
  /// The last `slice_rank` axes of the updates are those of a slice.
  Scattering(const Places& places, const TensorType& type, const Shape& updates,
             std::size_t slice_rank, const Shape& strides)
      : places_(places), size_(type.dtype.size()) {
    const std::size_t tuples = updates.size() - slice_rank;
    for (std::size_t axis = 0; axis < updates.size(); ++axis) {
      (axis < tuples ? tuples_ : slice_).push_back(updates[axis]);
      (axis < tuples ? tuple_strides_ : slice_strides_).push_back(strides[axis]);
    }
    one_ = element_count(slice_);
    is_run_ = follow_one_another(slice_, slice_strides_);
  }

  /// One after another, so that the last stays.
  void run(const std::byte* update, std::byte* out) const {
    if (one_ == 0) return;
    const std::int64_t next = tuples_.size() == 0 ? 0 : tuple_strides_.back();
    for_rows(tuples_, 0, element_count(tuples_),
             [&](const Index& at, std::int64_t first, std::int64_t count) {
               const std::byte* const from = update + dot(at, tuple_strides_) * size_;
               for (std::int64_t i = 0; i < count; ++i)
                 copy_slice(from + i * next * size_,
                            out + places_[static_cast<std::size_t>(first + i)] * one_ * size_);
             });
  }

 private:
  void copy_slice(const std::byte* from, std::byte* to) const {
    if (is_run_) return void(std::memcpy(to, from, static_cast<std::size_t>(one_ * size_)));
    const std::int64_t step = slice_strides_.back();
    with_unit(size_, [&](auto unit) {
      for_rows(slice_, 0, one_, [&](const Index& at, std::int64_t first, std::int64_t count) {
        const std::byte* const row = from + dot(at, slice_strides_) * unit.size();
        for (std::int64_t j = 0; j < count; ++j)
          unit.move(to + (first + j) * unit.size(), row + j * step * unit.size());
      });
    });
  }

  Places places_;
  std::int64_t size_, one_ = 0;  // bytes of an element, elements of a slice
  Shape tuples_{}, slice_{}, tuple_strides_{}, slice_strides_{};
  bool is_run_ = false;
};

/// Each slice to the place that a tuple names.
struct AtTuples {
  std::size_t length;

  static constexpr std::string_view name = "scatter_nd";
  static constexpr const Op& op = scatter_nd_op;

  std::vector<IndexBounds> bounds(const Shape& data) const { return tuple_bounds(data, length); }
  ScatterLayout layout(const Shape& data, const Shape& updates) const {
    return {data, updates, 0, updates.size() - (data.size() - length)};
  }
  std::vector<std::int64_t> rows(const Shape& data, const Shape&,
                                 std::vector<std::int64_t> index) const {
    join_tuples(data, length, index);
    return index;
  }
  static Tensor picked(const Tensor& x, const Tensor& index) { return x.gather_nd(index); }
  Tensor stays(const Shape& data, const Tensor& index, const Shape& updates) const {
    const ScatterLayout all = layout(data, updates);
    const Tensor numbers = counted(i64, element_count(all.listed)).reshape(all.listed);
    const Tensor none_yet = zeros(Index(data.begin(), data.begin() + length), i64);
    Shape beside = all.listed;
    beside.resize(updates.size(), 1);
    return picked(none_yet.scatter_nd(index, numbers), index).equal(numbers).reshape(beside);
  }
  static Tensor scattered(const Tensor& data, const Tensor& index, const Tensor& updates,
                          Combine combine) {
    return scatter_nd(data, index, updates, std::string(to_string(combine)));
  }
};
std::string to_string(const AtTuples& rows) { return fmt::format("tuples of {}", rows.length); }

struct ScatterNd {
  std::size_t length;  // of a tuple
  std::int64_t slice;  // elements of one
  Shape updates;

  static constexpr std::string_view name = "scatter_nd";
  static constexpr const Op& op = scatter_nd_op;
  static constexpr std::tuple fields{
      operand("data", "what is copied"),
      index_operand("indices", "where each update goes: tuples, on the last axis"),
      operand("updates", "what replaces slices of it"),
      parameter("reduction",
                "how an update and what it meets are combined: none, add, multiply, "
                "minimum or maximum",
                "none"),
      hidden(&ScatterNd::length),
      derived(&ScatterNd::slice),
      derived(&ScatterNd::updates)};

  static KnownType infer(const KnownType& data, const KnownType& indices, const KnownType& updates,
                         const std::string& reduction) {
    check_index(name, "indices", indices.dtype);
    if (updates.dtype != data.dtype)
      throw DtypeError(fmt::format("scatter_nd: updates are {}, expected {} as data",
                                   updates.dtype.name(), data.dtype.name()));
    check_combined(name, combine_named(name, reduction), data.dtype);
    const auto tuple = tuple_length(name, "data", data, indices);
    if (!tuple) return data;
    if (data.shape.is_closed()) joined_shape(name, data.shape.lowest(), *tuple);
    const Extents expected = picked_by_tuples(data.shape, indices.shape, *tuple);
    if (!can_be_equal(updates.shape, expected))
      throw ShapeError(fmt::format("scatter_nd: updates have shape {}, expected {}",
                                   to_string(updates.shape), to_string(expected)));
    return data;
  }

  static Tensor make(TensorType type, const Tensor& data, const Tensor& indices,
                     const Tensor& updates, const std::string& reduction) {
    const std::size_t tuple = static_cast<std::size_t>(indices.shape().back());
    const Combine combine = combine_named(name, reduction);
    if (combine != Combine::nothing)
      return tensor_of(ScatterReduce<AtTuples>{{tuple}, combine, updates.shape()}, std::move(type),
                       data, indices, updates);
    const std::int64_t places = joined_shape(name, type.shape, tuple)[0];
    const std::int64_t slice = places == 0 ? 0 : data.size() / places;
    return tensor_of(ScatterNd{tuple, slice, updates.shape()}, std::move(type), data, indices,
                     updates);
  }

  std::vector<IndexBounds> bounds(const Shape& shape) const { return tuple_bounds(shape, length); }
  Places arrange(const Shape& shape, std::vector<std::int64_t> places) const {
    join_tuples(shape, length, places);
    return Places(std::move(places));
  }

  static constexpr bool writes_over_first = true;
  Computation computation(const Places& places, const TensorType& type,
                          std::span<const OperandLayout> layouts) const {
    return [scattering =
                Scattering(places, type, updates, type.shape.size() - length, layouts[1].strides),
            bytes = type.bytes()](auto operands, std::byte* out, const ForParts& for_parts) {
      if (operands[0]) copy_in_parts(operands[0], out, bytes, for_parts);
      scattering.run(operands[1], out);
    };
  }

  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors& operands) const {
    return scatter_adjoint(AtTuples{length}, cotangent, operands);
  }

  std::size_t trace(const Places& places, const Shape& shape, Index& index) const {
    const std::int64_t position = linear_index(index, shape);
    std::int64_t i = static_cast<std::int64_t>(places.size()) - 1;
    while (i >= 0 && places[static_cast<std::size_t>(i)] != position / slice) --i;
    if (i < 0) return 0;
    index = unravel_index(i * slice + position % slice, updates);
    return 2;
  }
};

}  // namespace

constinit const Op scatter_nd_op = op_of<ScatterNd>();

Tensor scatter_nd(const Tensor& data, const Tensor& indices, const Tensor& updates,
                  const std::string& reduction) {
  return build<ScatterNd>(data, indices, updates, reduction);
}

Tensor Tensor::scatter_nd(const Tensor& indices, const Tensor& updates,
                          const std::string& reduction) const {
  return weft::scatter_nd(*this, indices, updates, reduction);
}

}  // namespace weft
