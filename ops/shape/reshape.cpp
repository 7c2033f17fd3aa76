// SPDX-License-Identifier: Apache-2.0
// reshape: what it refuses, and how a box is pulled back through it.
#include <weft/ops/shape/reshape.h>

#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/graph/map/box.h>

namespace weft {
namespace {

struct Reshape {
  Shape source;

  static constexpr std::string_view name = "reshape";
  static constexpr const Op& op = reshape_op;
  static constexpr bool keeps_order = true;
  static constexpr std::tuple fields{
      operand("x", "whose elements are read in row-major order"),
      parameter("shape", result_shape, "that of the result; one entry may be -1 and is inferred"),
      derived(&Reshape::source)};

  static KnownType infer(const KnownType& x, const Ints& shape) {
    check_integer(name, "shape", shape);
    check_scalar_or_list(name, "shape", shape);
    const std::int64_t length = known_length(shape);
    if (length < 0) return {x.dtype, Extents::any()};
    if (shape.is_open()) return {x.dtype, Extents::of_rank(static_cast<std::size_t>(length))};
    // What is wrong with the extents of an open tensor is told when the program runs.
    const bool is_closed = x.shape.is_closed();
    Shape known;
    std::size_t inferred = shape.size();
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (shape.exceeds_int64(i))
        throw OverflowError(fmt::format("reshape: an extent in {} is beyond int64", shape.text()));
      if (is_closed && (shape[i] < -1 || (shape[i] == -1 && inferred < shape.size())))
        throw ShapeError(
            fmt::format("reshape: extent {} in shape {}, expected 0 or more, or one -1", shape[i],
                        shape.text()));
      if (shape[i] == -1) inferred = i;
      known.push_back(shape[i] < 0 ? 1 : shape[i]);
    }
    check_shape(name, known, x.dtype);
    KnownType result{x.dtype, known};
    if (!is_closed) {
      for (std::size_t i = 0; i < shape.size(); ++i)
        if (shape[i] < 0) result.shape.set(i, Extent());
      return result;
    }
    const bool is_inferred = inferred < shape.size();
    const Shape source = x.shape.lowest();
    const std::int64_t count = element_count(source), product = element_count(known);
    if (is_inferred) {
      if (product == 0 || count % product != 0)
        throw ShapeError(
            fmt::format("reshape: no extent for -1 makes shape {} hold the {} elements of {}",
                        shape.text(), count, to_string(source)));
      result.shape.set(inferred, count / product);
    } else if (product != count) {
      throw ShapeError(fmt::format("reshape: shape {} has {} elements, expected the {} of {}",
                                   to_string(known), product, count, to_string(source)));
    }
    return result;
  }

  static Tensor make(TensorType type, const Tensor& x, const Ints&) {
    return tensor_of(Reshape{x.shape()}, std::move(type), x);
  }

  void pull_back(const Shape& shape, const Box& box, PullBack& to) const {
    refactor(box, shape, source, to.plain(0));
  }

  std::size_t trace(const Shape& shape, Index& index) const {
    index = unravel_index(linear_index(index, shape), source);
    return 0;
  }

  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors&) const {
    return {cotangent.reshape(source)};
  }
};

}  // namespace

constinit const Op reshape_op = op_of<Reshape>();

Tensor reshape(const Tensor& x, const Ints& shape) { return build<Reshape>(x, shape); }

Tensor Tensor::reshape(const Ints& shape) const { return weft::reshape(*this, shape); }

}  // namespace weft
