// SPDX-License-Identifier: Apache-2.0
// reshape: what it refuses, and how a box is pulled back through it.
#include <weft/ops/shape/reshape.h>

#include <fmt/format.h>

#include <weft/graph/map/box.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/op.h>

namespace weft {
namespace {

class Reshape final : public Node {
 public:
  Reshape(const Tensor& x, const Shape& shape)
      : Node(x.dtype(), shape, inputs_of(x)), source_(x.shape()) {}

  std::string_view op() const noexcept override { return "reshape"; }
  std::string parameters() const override { return fmt::format("shape={}", to_string(shape())); }
  bool keeps_order() const noexcept override { return true; }

  void pull_back(const Box& box, PullBack& to) const override {
    refactor(box, shape(), source_, to.plain(0));
  }

  bool add_parameters(Structure&) const override { return true; }  // the shapes tell all

  std::size_t trace(Index& index) const override {
    index = unravel_index(linear_index(index, shape()), source_);
    return 0;
  }

 private:
  Shape source_;
};

/// The extent for which `known` (without the -1) makes `count` elements.
std::int64_t inferred_extent(const Tensor& x, const Shape& known, const Ints& asked) {
  std::int64_t product = element_count(known);
  if (product == 0 || x.size() % product != 0)
    throw ShapeError(
        fmt::format("reshape: no extent for -1 makes shape {} hold the {} elements of {}",
                    asked.text(), x.size(), to_string(x.shape())));
  return x.size() / product;
}

PartialShape infer(const Arguments& arguments) {
  const Ints& asked = arguments.ints(0);
  const std::int64_t length = known_length(asked);
  if (length < 0) return PartialShape::any();
  PartialShape shape = PartialShape::of_rank(static_cast<std::size_t>(length));
  if (asked.is_open()) return shape;
  for (std::size_t k = 0; k < asked.size(); ++k) shape[k] = asked[k] < 0 ? Dim() : Dim(asked[k]);
  return shape;
}

}  // namespace

const Op reshape_op{"reshape", {"x"}, {"shape"}, call<weft::reshape>, infer};

Tensor reshape(const Tensor& x, const Ints& shape) {
  if (is_any_open(reshape_op, x, shape)) return defer(reshape_op, {{x}, {shape}});
  check_integer("reshape", "shape", shape);
  check_scalar_or_list("reshape", "shape", shape);
  Shape known;
  std::size_t inferred = shape.size();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape.exceeds_int64(i))
      throw OverflowError(fmt::format("reshape: an extent in {} is beyond int64", shape.text()));
    if (shape[i] < -1 || (shape[i] == -1 && inferred < shape.size()))
      throw ShapeError(fmt::format("reshape: extent {} in shape {}, expected 0 or more, or one -1",
                                   shape[i], shape.text()));
    if (shape[i] == -1) inferred = i;
    known.push_back(shape[i] == -1 ? 1 : shape[i]);
  }
  check_shape("reshape", known, x.dtype());
  if (inferred < shape.size()) known[inferred] = inferred_extent(x, known, shape);
  if (element_count(known) != x.size())
    throw ShapeError(fmt::format("reshape: shape {} has {} elements, expected the {} of {}",
                                 to_string(known), element_count(known), x.size(),
                                 to_string(x.shape())));
  return make_tensor<Reshape>(x, known);
}

Tensor Tensor::reshape(const Ints& shape) const { return weft::reshape(*this, shape); }

}  // namespace weft
