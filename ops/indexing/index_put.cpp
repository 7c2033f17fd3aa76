// SPDX-License-Identifier: Apache-2.0
// index_put: what it refuses, and how a box is pulled back through it.
#include <weft/ops/indexing/index_put.h>

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <span>
#include <utility>

#include <weft/graph/define.h>
#include <weft/graph/map/box.h>
#include <weft/ops/create/fills.h>
#include <weft/ops/create/numbers.h>
#include <weft/ops/indexing/rows.h>
#include <weft/ops/indexing/scatter_reduce.h>

namespace weft {
namespace {

/// Along an axis, each to a position of a list.
struct AlongAxis {
  std::size_t axis;

  static constexpr std::string_view name = "index_put";
  static constexpr const Op& op = index_put_op;

  std::vector<IndexBounds> bounds(const Shape& data) const {
    return {{-data[axis], data[axis] - 1, "index"}};
  }
  ScatterLayout layout(const Shape& data, const Shape& updates) const {
    return {data, updates, axis, 1};
  }
  static std::vector<std::int64_t> rows(const Shape&, const Shape&,
                                        std::vector<std::int64_t> index) {
    return index;
  }
  Tensor picked(const Tensor& x, const Tensor& index) const { return x.take(index, axis); }
  Tensor stays(const Shape& data, const Tensor& index, const Shape& updates) const {
    const Tensor numbers = counted(i64, updates[axis]);
    const Tensor last = zeros(data[axis], i64).index_put(index, numbers);
    Shape beside(updates.size(), 1);
    beside[axis] = updates[axis];
    return last.take(index, 0).equal(numbers).reshape(beside);
  }
  Tensor scattered(const Tensor& data, const Tensor& index, const Tensor& updates,
                   Combine combine) const {
    return index_put(data, index, updates, axis, std::string(to_string(combine)));
  }
};
std::string to_string(const AlongAxis& rows) { return fmt::format("axis={}", rows.axis); }

struct IndexPut {
  std::size_t axis;

  static constexpr std::string_view name = "index_put";
  static constexpr const Op& op = index_put_op;
  static constexpr std::tuple fields{
      operand("data", "what is copied"), index_operand("indices", "the positions, a list"),
      operand("updates", "what replaces them"),
      parameter("axis", &IndexPut::axis, "the axis that the positions count along", 0),
      parameter("reduction",
                "how an update and what it meets are combined: none, add, multiply, "
                "minimum or maximum",
                "none")};

  /// That of data; where its rank is not known, that of updates but for the axis.
  static KnownType infer(const KnownType& data, const KnownType& indices, const KnownType& updates,
                         const Ints& axis, const std::string& reduction) {
    check_index(name, "indices", indices.dtype);
    if (updates.dtype != data.dtype)
      throw DtypeError(fmt::format("index_put: updates are {}, expected {} as data",
                                   updates.dtype.name(), data.dtype.name()));
    if (indices.shape.has_rank() && indices.shape.rank() != 1)
      throw ParameterError("bad_rank", fmt::format("index_put: indices have rank {}, expected 1",
                                                   indices.shape.rank()));
    check_combined(name, combine_named(name, reduction), data.dtype);
    check_one(name, "axis", axis);
    const Extents& known = data.shape.has_rank() ? data.shape : updates.shape;
    if (!known.has_rank()) return data;
    if (axis.is_open())
      return {data.dtype, data.shape.has_rank() ? data.shape : Extents::of_rank(known.rank())};
    const std::size_t at = check_axis(name, axis, 0, known);
    KnownType result{data.dtype, known};
    if (!data.shape.has_rank()) {
      result.shape.set(at, Extent());
      return result;
    }
    Extents expected = data.shape;
    expected.set(at, indices.shape.has_rank() ? indices.shape[0] : Extent());
    if (!can_be_equal(updates.shape, expected))
      throw ShapeError(fmt::format("index_put: updates have shape {}, expected {}",
                                   to_string(updates.shape), to_string(expected)));
    return result;
  }

  static Tensor make(const TensorType& type, const Tensor& data, const Tensor& indices,
                     const Tensor& updates, const Ints& axis, const std::string& reduction) {
    const std::size_t at = check_axis(name, axis, 0, type.shape);
    const Combine combine = combine_named(name, reduction);
    if (combine == Combine::nothing) return tensor_of(IndexPut{at}, type, data, indices, updates);
    return tensor_of(ScatterReduce<AlongAxis>{{at}, combine, updates.shape()}, type, data, indices,
                     updates);
  }

  std::vector<IndexBounds> bounds(const Shape& shape) const {
    return {{-shape[axis], shape[axis] - 1, "index"}};
  }

  /// Which update replaces which position: the last of those that name it.
  Places arrange(const Shape& shape, const std::vector<std::int64_t>& positions) const {
    std::vector<Stretch> runs;
    const auto add = [&](std::int64_t x, std::int64_t update) {
      Stretch* const last = runs.empty() ? nullptr : &runs.back();
      if (last && x == last->x + last->count && update == last->value + last->count) ++last->count;
      else runs.push_back({x, update, 1});
    };
    // Few positions are sorted, of many there is a list of all.
    if (shape[axis] / most_positions <= std::ssize(positions)) {
      std::vector<std::int64_t> update_at(static_cast<std::size_t>(shape[axis]), -1);
      for (std::size_t k = 0; k < positions.size(); ++k)
        update_at[static_cast<std::size_t>(positions[k])] = static_cast<std::int64_t>(k);
      for (std::size_t x = 0; x < update_at.size(); ++x)
        if (update_at[x] >= 0) add(static_cast<std::int64_t>(x), update_at[x]);
      return Places::made_of(std::move(runs));
    }
    std::vector<std::int64_t> order(positions.size());
    std::iota(order.begin(), order.end(), 0);
    const auto position = [&](std::int64_t k) { return positions[static_cast<std::size_t>(k)]; };
    std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      return std::pair(position(a), a) < std::pair(position(b), b);
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::int64_t x = position(order[i]);
      if (i + 1 == order.size() || position(order[i + 1]) != x) add(x, order[i]);
    }
    return Places::made_of(std::move(runs));
  }

  void pull_back(const Places& places, const Shape& shape, const Box& box, PullBack& to) const {
    const std::span<const Stretch> runs = places.as<Stretch>();
    const std::int32_t along = static_cast<std::int32_t>(axis);
    Boxes replaced = to.list(), kept = to.list();
    if (to.may_paint() && static_cast<std::int64_t>(runs.size()) > most_cuts) {
      lookup(box, along, runs, replaced);
      // One copy of all of data, painted over, has longer runs than what lies between many places.
      if (count_of(runs) == shape[axis]) return to.add(2, std::move(replaced));
      if (replaced.empty()) return void(to.add(0, box));
      to.below(0).push_back(box);
      append(to.above(2), std::move(replaced));
      return;
    }
    lookup(box, along, runs, replaced, &kept);
    to.add(0, std::move(kept));
    to.add(2, std::move(replaced));
  }

  std::size_t trace(const Places& places, const Shape&, Index& index) const {
    const std::span<const Stretch> runs = places.as<Stretch>();
    const std::int64_t x = index[axis];
    const auto run = std::partition_point(
        runs.begin(), runs.end(), [&](const Stretch& each) { return each.x + each.count <= x; });
    if (run == runs.end() || x < run->x) return 0;
    index[axis] += run->value - run->x;
    return 2;
  }

  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors& operands) const {
    return scatter_adjoint(AlongAxis{axis}, cotangent, operands);
  }

 private:
  // A list of all positions is as long as so many for each that is named.
  static constexpr std::int64_t most_positions = 4;
  // So many runs are cut out of data.
  static constexpr std::int64_t most_cuts = 16;

  static std::int64_t count_of(std::span<const Stretch> runs) {
    std::int64_t count = 0;
    for (const Stretch& run : runs) count += run.count;
    return count;
  }
};

}  // namespace

constinit const Op index_put_op = op_of<IndexPut>();

Tensor index_put(const Tensor& data, const Tensor& indices, const Tensor& updates, const Ints& axis,
                 const std::string& reduction) {
  return build<IndexPut>(data, indices, updates, axis, reduction);
}

Tensor index_put(const Tensor& data, const Ints& indices, const Tensor& updates, const Ints& axis,
                 const std::string& reduction) {
  return index_put(data, index_tensor("index_put", "indices", indices), updates, axis, reduction);
}

Tensor index_put(Tensor&& data, const Tensor& indices, Tensor updates, const Ints& axis,
                 const std::string& reduction) {
  Tensor result = index_put(data, indices, updates, axis, reduction);
  const Tensor given_up = std::move(data),
               made_of = std::move(updates);  // not before what may throw
  return result;
}

Tensor index_put(Tensor&& data, const Ints& indices, Tensor updates, const Ints& axis,
                 const std::string& reduction) {
  return index_put(std::move(data), index_tensor("index_put", "indices", indices),
                   std::move(updates), axis, reduction);
}

Tensor Tensor::index_put(const Tensor& indices, const Tensor& updates, const Ints& axis,
                         const std::string& reduction) const& {
  return weft::index_put(*this, indices, updates, axis, reduction);
}
Tensor Tensor::index_put(const Ints& indices, const Tensor& updates, const Ints& axis,
                         const std::string& reduction) const& {
  return weft::index_put(*this, indices, updates, axis, reduction);
}
Tensor Tensor::index_put(const Tensor& indices, Tensor updates, const Ints& axis,
                         const std::string& reduction) && {
  return weft::index_put(std::move(*this), indices, std::move(updates), axis, reduction);
}
Tensor Tensor::index_put(const Ints& indices, Tensor updates, const Ints& axis,
                         const std::string& reduction) && {
  return weft::index_put(std::move(*this), indices, std::move(updates), axis, reduction);
}

}  // namespace weft
