// expand_dims: what it refuses, and how a box is pulled back through it.
#include <weft/ops/expand_dims.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/ops/axis_map.h>

namespace weft {
namespace {

class ExpandDims final : public AxisMap {
 public:
  ExpandDims(const Tensor& x, const Shape& shape, const Axes& kept, std::string added)
      : AxisMap(x, shape, kept), added_(std::move(added)) {}

  std::string_view op() const noexcept override { return "expand_dims"; }
  std::string parameters() const override { return fmt::format("axes={}", added_); }
  bool keeps_order() const noexcept override { return true; }

 private:
  std::string added_;
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
      check_unique_axes("expand_dims", axes, x.shape(), axes.size());
  AxisMap::Axes kept;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (std::find(added.begin(), added.end(), axis) != added.end()) {
      shape[axis] = 1;
    } else {
      shape[axis] = x.shape()[kept.size()];
      kept.push_back(static_cast<std::int32_t>(axis));
    }
  }
  return make_tensor<ExpandDims>(x, shape, kept, axes.text());
}

Tensor Tensor::expand_dims(const Ints& axes) const { return weft::expand_dims(*this, axes); }

}  // namespace weft
