// transpose: what it refuses, and how a box is pulled back through it.
#include <weft/ops/transpose.h>

#include <fmt/format.h>

#include <weft/graph/box.h>
#include <weft/graph/pull_back.h>

namespace weft {
namespace {

using Order = SmallVector<std::int32_t, 8>;

Shape permuted(const Shape& shape, const Order& order) {
  Shape result;
  for (const std::int32_t axis : order) result.push_back(shape[static_cast<std::size_t>(axis)]);
  return result;
}

class Transpose final : public Node {
 public:
  Transpose(const Tensor& x, const Order& order)
      : Node(x.dtype(), permuted(x.shape(), order), {x.node_ptr()}),
        order_(order),
        inverse_(order.size()) {
    for (std::size_t k = 0; k < order.size(); ++k)
      inverse_[static_cast<std::size_t>(order[k])] = static_cast<std::int32_t>(k);
  }

  std::string_view op() const noexcept override { return "transpose"; }

  std::string parameters() const override {
    return fmt::format("order={}", to_string(Index(order_.begin(), order_.end())));
  }

  void pull_back(const Box& box, PullBack& to) const override {
    Box source = box;
    relabel(source, {inverse_.data(), inverse_.size()});
    to.add(0, std::move(source));
  }

  std::size_t trace(Index& index) const override {
    Index source(index.size());
    for (std::size_t k = 0; k < order_.size(); ++k)
      source[static_cast<std::size_t>(order_[k])] = index[k];
    index = source;
    return 0;
  }

 private:
  Order order_;
  Order inverse_;
};

}  // namespace

Tensor transpose(const Tensor& x, const Ints& order) {
  if (!order.is_none()) {
    check_integer("transpose", "order", order);
    check_list("transpose", "order", order);
  }
  const std::size_t rank = x.rank();
  if (order.size() != 0 && order.size() != rank)
    throw ParameterError("length_mismatch",
                         fmt::format("transpose: order {} has {} entries, expected {} (shape {})",
                                     order.text(), order.size(), rank, to_string(x.shape())));
  Order axes;
  SmallVector<bool, 16> seen(rank, false);
  for (std::size_t k = 0; k < rank; ++k) {
    const std::int64_t axis =
        order.size() == 0 ? static_cast<std::int64_t>(rank - 1 - k) : order[k];
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank) || seen[static_cast<std::size_t>(axis)])
      throw AxisError(
          "not_a_permutation",
          fmt::format("transpose: order {} is not a permutation of 0 to {} (shape {})",
                      order.text(), static_cast<std::int64_t>(rank) - 1, to_string(x.shape())));
    seen[static_cast<std::size_t>(axis)] = true;
    axes.push_back(static_cast<std::int32_t>(axis));
  }
  return make_tensor<Transpose>(x, axes);
}

Tensor Tensor::transpose(const Ints& order) const { return weft::transpose(*this, order); }

}  // namespace weft
