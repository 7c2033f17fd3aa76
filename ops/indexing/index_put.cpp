// SPDX-License-Identifier: Apache-2.0
// index_put: what it refuses, and how a box is pulled back through it.
#include <weft/ops/indexing/index_put.h>

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include <weft/graph/define.h>
#include <weft/graph/map/box.h>

namespace weft {
namespace {

class IndexPut final : public Indexed {
 public:
  IndexPut(const Tensor& data, const Tensor& indices, const Tensor& updates, std::size_t axis)
      : Indexed(data.dtype(), data.shape(), inputs_of(data, indices, updates)), axis_(axis) {}

  std::string_view op() const noexcept override { return "index_put"; }
  std::string parameters() const override { return fmt::format("axis={}", axis_); }

  void pull_back(const Box& box, PullBack& to) const override {
    const std::int32_t axis = static_cast<std::int32_t>(axis_);
    Boxes replaced = to.list(), kept = to.list();
    if (to.may_paint() && static_cast<std::int64_t>(runs_.size()) > most_cuts) {
      lookup(box, axis, runs_, replaced);
      // One copy of all of data, painted over, has longer runs than what lies between many places.
      if (replaces_all_) return to.add(2, std::move(replaced));
      if (replaced.empty()) return void(to.add(0, box));
      to.below(0).push_back(box);
      append(to.above(2), std::move(replaced));
      return;
    }
    lookup(box, axis, runs_, replaced, &kept);
    to.add(0, std::move(kept));
    to.add(2, std::move(replaced));
  }

  std::size_t trace(Index& index) const override {
    const std::int64_t x = index[axis_];
    const auto run = std::partition_point(
        runs_.begin(), runs_.end(), [&](const Stretch& each) { return each.x + each.count <= x; });
    if (run == runs_.end() || x < run->x) return 0;
    index[axis_] += run->value - run->x;
    return 2;
  }

 private:
  std::vector<IndexBounds> bounds() const override {
    return {{-shape()[axis_], shape()[axis_] - 1, "index"}};
  }
  bool is_arranged() const noexcept override { return true; }
  /// Which update replaces which position: the last of those that name it.
  void arrange(std::vector<std::int64_t>& places) const override {
    std::vector<std::int64_t> order(places.size());
    std::iota(order.begin(), order.end(), 0);
    const auto position = [&](std::int64_t k) { return places[static_cast<std::size_t>(k)]; };
    std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      return std::pair(position(a), a) < std::pair(position(b), b);
    });
    std::vector<Stretch> runs;
    std::int64_t replaced = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::int64_t update = order[i], x = position(update);
      if (i + 1 < order.size() && position(order[i + 1]) == x) continue;
      ++replaced;
      Stretch* const last = runs.empty() ? nullptr : &runs.back();
      if (last && x == last->x + last->count && update == last->value + last->count) ++last->count;
      else runs.push_back({x, update, 1});
    }
    runs_ = std::move(runs);  // whole or not at all, where memory runs out
    replaces_all_ = replaced == shape()[axis_];
    places.clear();
  }

  // So many runs are cut out of data.
  static constexpr std::int64_t most_cuts = 16;

  std::size_t axis_;
  // Of the indices, made once, when those are read.
  mutable std::vector<Stretch> runs_;
  mutable bool replaces_all_ = false;
};

struct Put {
  static constexpr std::string_view name = "index_put";
  static constexpr const Op& op = index_put_op;
  static constexpr std::tuple fields{
      operand("data", "what is copied"), index_operand("indices", "the positions, a list"),
      operand("updates", "what replaces them"),
      parameter("axis", "the axis that the positions count along", 0)};

  /// That of data; where its rank is not known, that of updates but for the axis.
  static KnownType infer(const KnownType& data, const KnownType& indices, const KnownType& updates,
                         const Ints& axis) {
    check_index(name, "indices", indices.dtype);
    if (updates.dtype != data.dtype)
      throw DtypeError(fmt::format("index_put: updates are {}, expected {} as data",
                                   updates.dtype.name(), data.dtype.name()));
    if (indices.shape.has_rank() && indices.shape.rank() != 1)
      throw ParameterError("bad_rank", fmt::format("index_put: indices have rank {}, expected 1",
                                                   indices.shape.rank()));
    check_one(name, "axis", axis);
    const Extents& known = data.shape.has_rank() ? data.shape : updates.shape;
    if (!known.has_rank()) return data;
    if (axis.is_open())
      return {data.dtype, data.shape.has_rank() ? data.shape : Extents::of_rank(known.rank())};
    const std::size_t at = check_axis(name, axis, 0, known);
    KnownType result{data.dtype, known};
    if (!data.shape.has_rank()) {
      result.shape[at] = Extent();
      return result;
    }
    Extents expected = data.shape;
    expected[at] = indices.shape.has_rank() ? indices.shape[0] : Extent();
    if (!can_be_equal(updates.shape, expected))
      throw ShapeError(fmt::format("index_put: updates have shape {}, expected {}",
                                   to_string(updates.shape), to_string(expected)));
    return result;
  }

  static Tensor make(const TensorType& type, const Tensor& data, const Tensor& indices,
                     const Tensor& updates, const Ints& axis) {
    return make_indexed<IndexPut>(indices, data, indices, updates,
                                  check_axis(name, axis, 0, type.shape));
  }
};

}  // namespace

constinit const Op index_put_op = op_of<Put>();

Tensor index_put(const Tensor& data, const Tensor& indices, const Tensor& updates,
                 const Ints& axis) {
  return build<Put>(data, indices, updates, axis);
}

Tensor index_put(const Tensor& data, const Ints& indices, const Tensor& updates, const Ints& axis) {
  return index_put(data, index_tensor("index_put", "indices", indices), updates, axis);
}

Tensor index_put(Tensor&& data, const Tensor& indices, Tensor updates, const Ints& axis) {
  Tensor result = index_put(data, indices, updates, axis);
  const Tensor given_up = std::move(data),
               made_of = std::move(updates);  // not before what may throw
  return result;
}

Tensor index_put(Tensor&& data, const Ints& indices, Tensor updates, const Ints& axis) {
  return index_put(std::move(data), index_tensor("index_put", "indices", indices),
                   std::move(updates), axis);
}

Tensor Tensor::index_put(const Tensor& indices, const Tensor& updates, const Ints& axis) const& {
  return weft::index_put(*this, indices, updates, axis);
}
Tensor Tensor::index_put(const Ints& indices, const Tensor& updates, const Ints& axis) const& {
  return weft::index_put(*this, indices, updates, axis);
}
Tensor Tensor::index_put(const Tensor& indices, Tensor updates, const Ints& axis) && {
  return weft::index_put(std::move(*this), indices, std::move(updates), axis);
}
Tensor Tensor::index_put(const Ints& indices, Tensor updates, const Ints& axis) && {
  return weft::index_put(std::move(*this), indices, std::move(updates), axis);
}

}  // namespace weft
