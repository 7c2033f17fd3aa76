// SPDX-License-Identifier: Apache-2.0
// view_as: what it refuses, and the elements that hold the same bytes.
#include <weft/ops/shape/view_as.h>

#include <fmt/format.h>

#include <weft/graph/map/box.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/op.h>

namespace weft {
namespace {

class ViewAs final : public Node {
 public:
  ViewAs(const Tensor& x, DType dtype, Shape shape)
      : Node(dtype, std::move(shape), inputs_of(x)), source_(x.shape()), from_(x.dtype().size()) {}

  std::string_view op() const noexcept override { return "view_as"; }
  std::string parameters() const override { return "dtype=" + dtype().name(); }
  bool keeps_order() const noexcept override { return true; }
  bool add_parameters(Structure&) const override { return true; }  // types and shapes tell all

  // Where sizes differ an element is no box of elements: who carries order through asks for parts.
  void pull_back(const Box& box, PullBack& to) const override {
    if (dtype().size() == from_) to.add(0, box);
  }

  /// The element that holds the first byte.
  std::size_t trace(Index& index) const override {
    index = unravel_index(linear_index(index, shape()) * dtype().size() / from_, source_);
    return 0;
  }

 private:
  Shape source_;
  std::int64_t from_;  // bytes of an element of the operand
};

void check_types(DType from, DType to) {
  if (to == bool_ && from != bool_)
    throw DtypeError(
        fmt::format("view_as: dtype is bool, of which an element is 0 or 1 alone, "
                    "expected another for x of {}",
                    from.name()));
  if (to.size() < from.size() && from.size() % to.size() != 0)
    throw DtypeError(
        fmt::format("view_as: dtype {} has {} bytes, expected a divisor of the {} of "
                    "x, {}, or more than those",
                    to.name(), to.size(), from.size(), from.name()));
}

Shape viewed_shape(const Tensor& x, DType to) {
  const DType from = x.dtype();
  Shape shape = x.shape();
  if (to.size() == from.size()) return shape;
  if (x.rank() == 0)
    throw ShapeError(
        fmt::format("view_as: x is a scalar of {}, expected dtype {} to have {} bytes "
                    "as well, not {}",
                    from.name(), to.name(), from.size(), to.size()));
  std::int64_t& last = shape.back();
  if (to.size() < from.size()) {
    if (__builtin_mul_overflow(last, from.size() / to.size(), &last))
      throw OverflowError(fmt::format("view_as: the last axis of shape {} would be beyond int64",
                                      to_string(x.shape())));
    return shape;
  }
  // Beside an extent of 0 the bytes of the axis may be beyond int64. Whole groups of `to` elements
  // make `from` new ones each; sizes are below 2^32, so the rest has bytes that can be counted.
  const std::int64_t groups = last / to.size();
  const auto rest =
      static_cast<std::uint64_t>(last % to.size()) * static_cast<std::uint64_t>(from.size());
  const auto size = static_cast<std::uint64_t>(to.size());
  if (rest % size != 0)
    throw ShapeError(
        fmt::format("view_as: the last axis of x, of shape {}, has {} elements of {} "
                    "bytes, expected a multiple of the {} of dtype {}",
                    to_string(x.shape()), last, from.size(), to.size(), to.name()));
  last = groups * from.size() + static_cast<std::int64_t>(rest / size);
  return shape;
}

DType dtype_argument(const Arguments& arguments) {
  const std::optional<DType> dtype = parse_dtype(arguments.text(0));
  if (!dtype)
    throw DtypeError(fmt::format("view_as: dtype is \"{}\", expected the name of an element type",
                                 arguments.text(0)));
  return *dtype;
}

PartialShape infer(const Arguments& arguments) {
  PartialShape shape = arguments.operands[0].partial_shape();
  const std::int64_t from = arguments.operands[0].dtype().size();
  const std::int64_t to = dtype_argument(arguments).size();
  if (!shape.has_rank() || to == from || shape.rank() == 0) return shape;
  Dim& last = shape[shape.rank() - 1];
  if (to < from) last = last * (from / to);
  else last = Dim(0, last.high() == Dim::unbounded ? Dim::unbounded : last.high());
  return shape;
}

}  // namespace

const Op view_as_op{.name = "view_as",
                    .operands = {"x"},
                    .parameters = {"dtype"},
                    .build =
                        [](const Arguments& arguments) {
                          const Tensor& x = arguments.operands[0];
                          if (is_any_open(view_as_op, x)) return defer(view_as_op, arguments);
                          return view_as(x, dtype_argument(arguments));
                        },
                    .infer = infer,
                    .texts = {"dtype"},
                    .dtype = dtype_argument};

Tensor view_as(const Tensor& x, DType dtype) {
  if (is_any_open(view_as_op, x)) return defer(view_as_op, {{x}, {dtype.name()}});
  check_types(x.dtype(), dtype);
  Shape shape = viewed_shape(x, dtype);
  if (dtype == x.dtype()) return x;
  return make_tensor<ViewAs>(x, dtype, std::move(shape));
}

Tensor Tensor::view_as(DType dtype) const { return weft::view_as(*this, dtype); }

}  // namespace weft
