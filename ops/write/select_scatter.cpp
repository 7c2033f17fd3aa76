// SPDX-License-Identifier: Apache-2.0
// select_scatter: what it refuses, and which slice_scatter it is.
#include <weft/ops/write/select_scatter.h>

#include <fmt/format.h>

#include <weft/graph/op.h>
#include <weft/ops/shape/expand_dims.h>
#include <weft/ops/write/slice_scatter.h>

namespace weft {
namespace {

constexpr std::string_view name = "select_scatter";

[[noreturn]] void throw_other_shape(const std::string& updates, const std::string& expected,
                                    const std::string& data) {
  throw ShapeError(fmt::format("{}: updates have shape {}, expected {} (shape {})", name, updates,
                               expected, data));
}

/// That of data; where its rank is not known, one more than that of updates.
PartialShape infer(const Arguments& arguments) {
  const PartialShape data = arguments.operands[0].partial_shape();
  const PartialShape updates = arguments.operands[1].partial_shape();
  const Ints& axis = arguments.ints(0);
  if (!data.has_rank())
    return updates.has_rank() ? PartialShape::of_rank(updates.rank() + 1) : data;
  PartialShape expected = PartialShape::of_rank(data.rank() - 1);
  if (!axis.is_open()) {
    std::vector<Dim> others = data.dims();
    others.erase(others.begin() +
                 static_cast<std::ptrdiff_t>(check_axis(name, axis, 0, data.lowest())));
    expected = PartialShape(std::move(others));
  }
  if (!can_be_equal(updates, expected))
    throw_other_shape(to_string(updates), to_string(expected), to_string(data));
  return data;
}

}  // namespace

const Op select_scatter_op{
    "select_scatter",
    {"data", "updates"},
    {"axis", "index"},
    call<static_cast<Tensor (*)(const Tensor&, const Tensor&, const Ints&, const Ints&)>(
        weft::select_scatter)>,
    infer};

Tensor select_scatter(const Tensor& data, const Tensor& updates, const Ints& axis,
                      const Ints& index) {
  if (is_any_open(select_scatter_op, data, updates, axis, index))
    return defer(select_scatter_op, {{data, updates}, {axis, index}});
  if (updates.dtype() != data.dtype())
    throw DtypeError(fmt::format("{}: updates are {}, expected {} as data", name,
                                 updates.dtype().name(), data.dtype().name()));
  if (data.rank() == 0)
    throw ParameterError("bad_rank", fmt::format("{}: data has rank 0, expected at least 1", name));
  check_integer(name, "axis", axis);
  check_integer(name, "index", index);
  check_scalar_or_list(name, "axis", axis);
  check_scalar_or_list(name, "index", index);
  check_single(name, "axis", axis);
  check_single(name, "index", index);
  const std::size_t at = check_axis(name, axis, 0, data.shape());
  const std::int64_t extent = data.shape()[at];
  if (index[0] < -extent || index[0] >= extent)
    throw IndexError(fmt::format("{}: index {} is out of range for extent {} of axis {} (shape {})",
                                 name, index.text(0), extent, at, to_string(data.shape())));
  Shape expected;
  for (std::size_t k = 0; k < data.rank(); ++k)
    if (k != at) expected.push_back(data.shape()[k]);
  if (!(updates.shape() == expected))
    throw_other_shape(to_string(updates.shape()), to_string(expected), to_string(data.shape()));

  const std::int64_t start = index[0] < 0 ? index[0] + extent : index[0];
  return slice_scatter(data, updates.expand_dims(at), {start}, {start + 1}, {1}, {at});
}

Tensor select_scatter(Tensor&& data, Tensor updates, const Ints& axis, const Ints& index) {
  Tensor result = select_scatter(data, updates, axis, index);
  const Tensor given_up = std::move(data),
               made_of = std::move(updates);  // not before what may throw
  return result;
}

Tensor Tensor::select_scatter(const Tensor& updates, const Ints& axis, const Ints& index) const& {
  return weft::select_scatter(*this, updates, axis, index);
}

Tensor Tensor::select_scatter(Tensor updates, const Ints& axis, const Ints& index) && {
  return weft::select_scatter(std::move(*this), std::move(updates), axis, index);
}

}  // namespace weft
