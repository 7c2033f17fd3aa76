// SPDX-License-Identifier: Apache-2.0
// scatter_nd: what it refuses, and its computation.
#include <weft/ops/indexing/scatter_nd.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include <weft/graph/indexed.h>
#include <weft/graph/op.h>
#include <weft/ops/indexing/tuples.h>

namespace weft {
namespace {

class ScatterNd final : public Indexed {
 public:
  ScatterNd(const Tensor& data, const Tensor& indices, const Tensor& updates, std::size_t length,
            std::int64_t slice)
      : Indexed(data.dtype(), data.shape(), inputs_of(data, indices, updates)),
        updates_(updates.shape()),
        length_(length),
        slice_(slice) {}

  std::string_view op() const noexcept override { return "scatter_nd"; }

  void pull_back(const Box&, PullBack&) const override {}
  bool is_computed() const noexcept override { return true; }

  Computation computation() const override {
    return [places = places(), bytes = bytes(), slice = slice_ * dtype().size()](
               auto operands, std::byte* out, const ForParts& for_parts) {
      for_parts(bytes, [&](std::int64_t begin, std::int64_t end) {
        std::memcpy(out + begin, operands[0] + begin, static_cast<std::size_t>(end - begin));
      });
      // One after another, so that the last stays.
      for (std::size_t i = 0; i < places.size(); ++i)
        std::memcpy(out + places[i] * slice, operands[1] + static_cast<std::int64_t>(i) * slice,
                    static_cast<std::size_t>(slice));
    };
  }

  std::size_t trace(Index& index) const override {
    const std::int64_t position = linear_index(index, shape());
    std::int64_t i = static_cast<std::int64_t>(places().size()) - 1;
    while (i >= 0 && places()[static_cast<std::size_t>(i)] != position / slice_) --i;
    if (i < 0) return 0;
    index = unravel_index(i * slice_ + position % slice_, updates_);
    return 2;
  }

 private:
  std::vector<IndexBounds> bounds() const override { return tuple_bounds(shape(), length_); }
  bool is_arranged() const noexcept override { return true; }
  void arrange(std::vector<std::int64_t>& places) const override {
    join_tuples(shape(), length_, places);
  }

  Shape updates_;
  std::size_t length_;
  std::int64_t slice_;  // elements of one
};

}  // namespace

const Op scatter_nd_op{.name = "scatter_nd",
                       .operands = {"data", "indices", "updates"},
                       .parameters = {},
                       .build = call<weft::scatter_nd>,
                       .infer = first_shape,
                       .index = 1};

Tensor scatter_nd(const Tensor& data, const Tensor& indices, const Tensor& updates) {
  if (is_any_open(scatter_nd_op, data, indices, updates))
    return defer(scatter_nd_op, {{data, indices, updates}, {}});
  check_index("scatter_nd", "indices", indices);
  if (updates.dtype() != data.dtype())
    throw DtypeError(fmt::format("scatter_nd: updates are {}, expected {} as data",
                                 updates.dtype().name(), data.dtype().name()));
  const std::size_t length = tuple_length("scatter_nd", "data", data, indices);
  const Shape joined = joined_shape("scatter_nd", data.shape(), length);
  Shape expected;
  for (std::size_t k = 0; k + 1 < indices.rank(); ++k) expected.push_back(indices.shape()[k]);
  for (std::size_t k = length; k < data.rank(); ++k) expected.push_back(data.shape()[k]);
  if (!(updates.shape() == expected))
    throw ShapeError(fmt::format("scatter_nd: updates have shape {}, expected {}",
                                 to_string(updates.shape()), to_string(expected)));
  const std::int64_t slice = joined[0] == 0 ? 0 : data.size() / joined[0];
  return make_indexed<ScatterNd>(indices, data, indices, updates, length, slice);
}

Tensor Tensor::scatter_nd(const Tensor& indices, const Tensor& updates) const {
  return weft::scatter_nd(*this, indices, updates);
}

}  // namespace weft
