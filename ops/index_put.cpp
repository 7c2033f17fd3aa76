// index_put: what it refuses, and how a box is pulled back through it.
#include <weft/ops/index_put.h>

#include <fmt/format.h>

#include <weft/graph/box.h>
#include <weft/graph/indexed.h>
#include <weft/graph/op.h>
#include <weft/graph/pull_back.h>

namespace weft {
namespace {

class IndexPut final : public Indexed {
 public:
  IndexPut(const Tensor& data, const Tensor& indices, const Tensor& updates, std::size_t axis)
      : Indexed(data.dtype(), data.shape(), inputs_of(data, updates, indices), indices),
        axis_(axis) {}

  std::string_view op() const noexcept override { return "index_put"; }
  std::string parameters() const override { return fmt::format("axis={}", axis_); }

  void pull_back(const Box& box, PullBack& to) const override {
    const std::int32_t axis = static_cast<std::int32_t>(axis_);
    Boxes replaced = to.list(), kept = to.list();
    lookup(box, axis, places(), replaced, &kept);
    // One copy of all of data, painted over, has longer runs than what lies between many places.
    if (!replaced.empty() && kept.size() != 0 && to.may_paint() && is_cut_fine(kept)) {
      to.below(0).push_back(box);
      append(to.above(1), std::move(replaced));
      return;
    }
    to.add(0, std::move(kept));
    to.add(1, std::move(replaced));
  }

  std::size_t trace(Index& index) const override {
    const std::int64_t update = places()[static_cast<std::size_t>(index[axis_])];
    if (update < 0) return 0;
    index[axis_] = update;
    return 1;
  }

 private:
  IndexBounds bounds(std::int64_t) const override {
    return {-shape()[axis_], shape()[axis_] - 1, "index"};
  }
  /// For each position of data which update replaces it, or -1.
  void arrange(std::vector<std::int64_t>& places) const override {
    std::vector<std::int64_t> updates(static_cast<std::size_t>(shape()[axis_]), -1);
    for (std::size_t k = 0; k < places.size(); ++k)
      updates[static_cast<std::size_t>(places[k])] = static_cast<std::int64_t>(k);
    places = std::move(updates);
  }
  static bool is_cut_fine(const Boxes& kept) {
    for (const Box& box : kept)
      for (const Digit& digit : box.digits)
        if (digit.table) return true;
    return false;
  }

  std::size_t axis_;
};

PartialShape infer(const Arguments& arguments) { return arguments.operands[0].partial_shape(); }

}  // namespace

const Op index_put_op{
    .name = "index_put",
    .operands = {"data", "indices", "updates"},
    .parameters = {"axis"},
    .build = call<static_cast<Tensor (*)(const Tensor&, const Tensor&, const Tensor&, const Ints&)>(
        weft::index_put)>,
    .infer = infer,
    .index = 1};

Tensor index_put(const Tensor& data, const Tensor& indices, const Tensor& updates,
                 const Ints& axis) {
  if (is_any_open(data, indices, updates, axis))
    return defer(index_put_op, {{data, indices, updates}, {axis}});
  check_index("index_put", "indices", indices);
  if (updates.dtype() != data.dtype())
    throw DtypeError(fmt::format("index_put: updates are {}, expected {} as data",
                                 updates.dtype().name(), data.dtype().name()));
  if (indices.rank() != 1)
    throw ParameterError(
        "bad_rank", fmt::format("index_put: indices have rank {}, expected 1", indices.rank()));
  check_single("index_put", "axis", axis);
  const std::size_t at = check_axis("index_put", axis, 0, data.shape());
  Shape expected = data.shape();
  expected[at] = indices.size();
  if (!(updates.shape() == expected))
    throw ShapeError(fmt::format("index_put: updates have shape {}, expected {}",
                                 to_string(updates.shape()), to_string(expected)));
  return make_indexed<IndexPut>(data, indices, updates, at);
}

Tensor index_put(const Tensor& data, const Ints& indices, const Tensor& updates, const Ints& axis) {
  return index_put(data, index_tensor("index_put", "indices", indices), updates, axis);
}

Tensor index_put(Tensor&& data, const Tensor& indices, const Tensor& updates, const Ints& axis) {
  Tensor result = index_put(data, indices, updates, axis);
  const Tensor given_up = std::move(data);  // not before what may throw
  return result;
}

Tensor index_put(Tensor&& data, const Ints& indices, const Tensor& updates, const Ints& axis) {
  return index_put(std::move(data), index_tensor("index_put", "indices", indices), updates, axis);
}

Tensor Tensor::index_put(const Tensor& indices, const Tensor& updates, const Ints& axis) const& {
  return weft::index_put(*this, indices, updates, axis);
}
Tensor Tensor::index_put(const Ints& indices, const Tensor& updates, const Ints& axis) const& {
  return weft::index_put(*this, indices, updates, axis);
}
Tensor Tensor::index_put(const Tensor& indices, const Tensor& updates, const Ints& axis) && {
  return weft::index_put(std::move(*this), indices, updates, axis);
}
Tensor Tensor::index_put(const Ints& indices, const Tensor& updates, const Ints& axis) && {
  return weft::index_put(std::move(*this), indices, updates, axis);
}

}  // namespace weft
