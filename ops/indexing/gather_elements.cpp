// SPDX-License-Identifier: Apache-2.0
// gather_elements: what it refuses, and its computation.
#include <weft/ops/indexing/gather_elements.h>

#include <fmt/format.h>

#include <weft/graph/indexed.h>
#include <weft/graph/op.h>
#include <weft/graph/value/unit.h>
#include <weft/ops/indexing/rows.h>

namespace weft {
namespace {

/// Neighbours are `along` elements apart before their places are added, each of `step` elements.
template <std::int64_t along, class Unit>
void gather(Unit unit, const std::byte* row, const std::int64_t* places, std::int64_t step,
            std::byte* to, std::int64_t count) {
  for (std::int64_t j = 0; j < count; ++j)
    unit.move(to + j * unit.size(), row + (j * along + places[j] * step) * unit.size());
}

class GatherElements final : public Indexed {
 public:
  GatherElements(const Tensor& x, const Tensor& indices, std::size_t axis)
      : Indexed(x.dtype(), indices.shape(), inputs_of(x, indices)),
        axis_(axis),
        source_(x.shape()) {}

  std::string_view op() const noexcept override { return "gather_elements"; }
  std::string parameters() const override { return fmt::format("axis={}", axis_); }

  void pull_back(const Box&, PullBack&) const override {}
  bool is_computed() const noexcept override { return true; }

  Computation computation() const override {
    return [places = places(), shape = shape(), strides = row_major_strides(source_), axis = axis_,
            size = dtype().size()](auto operands, std::byte* out, const ForParts& for_parts) {
      const std::byte* const x = operands[0];
      const std::int64_t step = strides[axis];
      for_parts(element_count(shape), [&](std::int64_t begin, std::int64_t end) {
        with_unit(size, [&](auto unit) {
          for_rows(shape, begin, end, [&](Index at, std::int64_t first, std::int64_t count) {
            at[axis] = 0;
            const std::byte* const row = x + dot(at, strides) * unit.size();
            std::byte* const to = out + first * unit.size();
            const std::int64_t* const place = places.data() + first;
            if (axis + 1 == shape.size()) gather<0>(unit, row, place, 1, to, count);
            else gather<1>(unit, row, place, step, to, count);
          });
        });
      });
    };
  }

  std::size_t trace(Index& index) const override {
    index[axis_] = places()[static_cast<std::size_t>(linear_index(index, shape()))];
    return 0;
  }

 private:
  std::vector<IndexBounds> bounds() const override {
    return {{-source_[axis_], source_[axis_] - 1, "index"}};
  }

  std::size_t axis_;
  Shape source_;
};

PartialShape infer(const Arguments& arguments) {
  const PartialShape x = arguments.operands[0].partial_shape();
  const PartialShape indices = arguments.operands[1].partial_shape();
  return indices.has_rank() || !x.has_rank() ? indices : PartialShape::of_rank(x.rank());
}

}  // namespace

namespace detail {

std::size_t check_element_axis(std::string_view op, std::string_view operand, const Tensor& x,
                               const Tensor& indices, const Ints& axis) {
  if (x.rank() == 0 || indices.rank() != x.rank())
    throw ParameterError(
        "bad_rank",
        fmt::format("{}: indices have rank {} and {} has rank {}, expected the same of at least 1",
                    op, indices.rank(), operand, x.rank()));
  check_single(op, "axis", axis);
  return check_axis(op, axis, 0, x.shape());
}

void check_element_extents(std::string_view op, const Tensor& x, const Tensor& indices,
                           std::size_t axis) {
  for (std::size_t k = 0; k < x.rank(); ++k)
    if (k != axis && indices.shape()[k] > x.shape()[k])
      throw ShapeError(fmt::format("{}: indices have shape {}, expected at most {} but on axis {}",
                                   op, to_string(indices.shape()), to_string(x.shape()), axis));
}

}  // namespace detail

const Op gather_elements_op{.name = "gather_elements",
                            .operands = {"x", "indices"},
                            .parameters = {"axis"},
                            .build = call<weft::gather_elements>,
                            .infer = infer,
                            .index = 1};

Tensor gather_elements(const Tensor& x, const Tensor& indices, const Ints& axis) {
  if (is_any_open(gather_elements_op, x, indices, axis))
    return defer(gather_elements_op, {{x, indices}, {axis}});
  check_index("gather_elements", "indices", indices);
  const std::size_t at = detail::check_element_axis("gather_elements", "x", x, indices, axis);
  check_shape("gather_elements", indices.shape(), x.dtype());
  detail::check_element_extents("gather_elements", x, indices, at);
  return make_indexed<GatherElements>(indices, x, indices, at);
}

Tensor Tensor::gather_elements(const Tensor& indices, const Ints& axis) const {
  return weft::gather_elements(*this, indices, axis);
}

}  // namespace weft
