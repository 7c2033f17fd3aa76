// expand_dims: what it refuses, and how a box is pulled back through it.
#include <weft/ops/expand_dims.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/graph/box.h>
#include <weft/graph/pull_back.h>

namespace weft {
namespace {

class ExpandDims final : public Node {
 public:
  /// `kept[k]` is where axis k of `x` stands in `shape`.
  ExpandDims(const Tensor& x, const Shape& shape, const Ints& axes,
             SmallVector<std::int32_t, 16> kept)
      : Node(x.dtype(), shape, {x.node_ptr()}), kept_(std::move(kept)), axes_(axes.text()) {}

  std::string_view op() const noexcept override { return "expand_dims"; }
  std::string parameters() const override { return fmt::format("axes={}", axes_); }
  bool keeps_order() const noexcept override { return true; }

  void pull_back(const Box& box, PullBack& to) const override {
    Box source = box;
    relabel(source, {kept_.data(), kept_.size()});
    to.add(0, std::move(source));
  }

  std::size_t trace(Index& index) const override {
    Index source;
    for (const std::int32_t axis : kept_) source.push_back(index[static_cast<std::size_t>(axis)]);
    index = source;
    return 0;
  }

 private:
  SmallVector<std::int32_t, 16> kept_;
  std::string axes_;
};

}  // namespace

Tensor expand_dims(const Tensor& x, const Ints& axes) {
  check_integer("expand_dims", "axes", axes);
  check_scalar_or_list("expand_dims", "axes", axes);
  Shape shape(x.rank() + axes.size(), 0);
  if (shape.size() > max_rank)
    throw ParameterError(
        "bad_rank", fmt::format("expand_dims: the result would have rank {}, at most {} is allowed",
                                shape.size(), max_rank));
  const SmallVector<std::size_t, 8> added =
      check_unique_axes("expand_dims", axes, shape.size(),
                        fmt::format("shape {} with {} more", to_string(x.shape()), axes.size()));
  SmallVector<std::int32_t, 16> kept;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (std::find(added.begin(), added.end(), axis) != added.end()) {
      shape[axis] = 1;
    } else {
      shape[axis] = x.shape()[kept.size()];
      kept.push_back(static_cast<std::int32_t>(axis));
    }
  }
  return make_tensor<ExpandDims>(x, shape, axes, std::move(kept));
}

Tensor Tensor::expand_dims(const Ints& axes) const { return weft::expand_dims(*this, axes); }

}  // namespace weft
