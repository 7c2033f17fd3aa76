// scatter_elements: what it refuses, and its computation.
#include <weft/ops/scatter_elements.h>

#include <cstring>
#include <fmt/format.h>

#include <weft/graph/indexed.h>
#include <weft/graph/op.h>
#include <weft/graph/unit.h>
#include <weft/ops/rows.h>

namespace weft {
namespace {

/// All that the computation needs, apart from the node.
struct Scattering {
  std::shared_ptr<const std::vector<std::int64_t>> places;
  Shape data, updates;
  std::size_t axis;
  std::int64_t size;

  /// Lines run along the axis; each is scattered from its first update to its last. Neighbours on
  /// another axis are taken together, in the order that suits memory.
  void run(std::span<const std::byte* const> operands, std::byte* out,
           const ForParts& for_parts) const {
    const std::byte *const from = operands[0], *const update = operands[1];
    for_parts(element_count(data) * size, [&](std::int64_t begin, std::int64_t end) {
      std::memcpy(out + begin, from + begin, static_cast<std::size_t>(end - begin));
    });
    if (element_count(updates) == 0) return;
    const std::int64_t steps = updates[axis];
    Shape lines = updates, to = row_major_strides(data), of = row_major_strides(updates);
    const std::int64_t to_step = to[axis], of_step = of[axis];
    lines.erase(lines.begin() + axis);
    to.erase(to.begin() + axis);
    of.erase(of.begin() + axis);
    const std::int64_t to_next = lines.size() == 0 ? 0 : to.back();
    const std::int64_t of_next = lines.size() == 0 ? 0 : of.back();
    const bool is_inner = axis + 1 == updates.size();
    for_parts(element_count(lines), [&](std::int64_t begin, std::int64_t end) {
      with_unit(size, [&](auto unit) {
        for_rows(lines, begin, end, [&](const Index& at, std::int64_t, std::int64_t count) {
          const std::int64_t to_base = dot(at, to), of_base = dot(at, of);
          const auto move = [&](std::int64_t line, std::int64_t step) {
            const std::int64_t k = of_base + line * of_next + step * of_step;
            const std::int64_t place = (*places)[static_cast<std::size_t>(k)];
            unit.move(out + (to_base + line * to_next + place * to_step) * unit.size(),
                      update + k * unit.size());
          };
          if (is_inner) {
            for (std::int64_t line = 0; line < count; ++line)
              for (std::int64_t step = 0; step < steps; ++step) move(line, step);
          } else {
            for (std::int64_t step = 0; step < steps; ++step)
              for (std::int64_t line = 0; line < count; ++line) move(line, step);
          }
        });
      });
    });
  }
};

class ScatterElements final : public Indexed {
 public:
  ScatterElements(const Tensor& data, const Tensor& indices, const Tensor& updates,
                  std::size_t axis)
      : Indexed(data.dtype(), data.shape(), inputs_of(data, updates, indices), indices),
        axis_(axis),
        updates_(updates.shape()) {}

  std::string_view op() const noexcept override { return "scatter_elements"; }
  std::string parameters() const override { return fmt::format("axis={}", axis_); }

  void pull_back(const Box&, PullBack&) const override {}
  std::size_t data() const noexcept override { return 2; }

  Computation computation() const override {
    return [scattering = Scattering{kept_places(), shape(), updates_, axis_, dtype().size()}](
               auto operands, std::byte* out, const ForParts& for_parts) {
      scattering.run(operands, out, for_parts);
    };
  }

  std::size_t trace(Index& index) const override {
    for (std::size_t k = 0; k < rank(); ++k)
      if (k != axis_ && index[k] >= updates_[k]) return 0;
    Index update = index;
    for (std::int64_t step = updates_[axis_]; step-- > 0;) {
      update[axis_] = step;
      if (places()[static_cast<std::size_t>(linear_index(update, updates_))] != index[axis_])
        continue;
      index = update;
      return 1;
    }
    return 0;
  }

 private:
  IndexBounds bounds(std::int64_t) const override {
    return {-shape()[axis_], shape()[axis_] - 1, "index"};
  }

  std::size_t axis_;
  Shape updates_;
};

PartialShape infer(const Arguments& arguments) {
  const PartialShape data = arguments.operands[0].partial_shape();
  if (data.has_rank()) return data;
  for (const Tensor& other : arguments.operands)  // all have the same rank
    if (other.partial_shape().has_rank())
      return PartialShape::of_rank(other.partial_shape().rank());
  return data;
}

}  // namespace

const Op scatter_elements_op{.name = "scatter_elements",
                             .operands = {"data", "indices", "updates"},
                             .parameters = {"axis"},
                             .build = call<weft::scatter_elements>,
                             .infer = infer,
                             .index = 1};

Tensor scatter_elements(const Tensor& data, const Tensor& indices, const Tensor& updates,
                        const Ints& axis) {
  if (is_any_open(data, indices, updates, axis))
    return defer(scatter_elements_op, {{data, indices, updates}, {axis}});
  check_index("scatter_elements", "indices", indices);
  if (updates.dtype() != data.dtype())
    throw DtypeError(fmt::format("scatter_elements: updates are {}, expected {} as data",
                                 updates.dtype().name(), data.dtype().name()));
  if (data.rank() == 0 || indices.rank() != data.rank())
    throw ParameterError("bad_rank",
                         fmt::format("scatter_elements: indices have rank {} and data has rank {}, "
                                     "expected the same of at least 1",
                                     indices.rank(), data.rank()));
  check_single("scatter_elements", "axis", axis);
  const std::size_t at = check_axis("scatter_elements", axis, 0, data.shape());
  if (!(indices.shape() == updates.shape()))
    throw ShapeError(fmt::format("scatter_elements: updates have shape {}, expected {} as indices",
                                 to_string(updates.shape()), to_string(indices.shape())));
  for (std::size_t k = 0; k < data.rank(); ++k)
    if (k != at && indices.shape()[k] > data.shape()[k])
      throw ShapeError(
          fmt::format("scatter_elements: indices have shape {}, expected at most {} but on axis {}",
                      to_string(indices.shape()), to_string(data.shape()), at));
  return make_indexed<ScatterElements>(data, indices, updates, at);
}

Tensor Tensor::scatter_elements(const Tensor& indices, const Tensor& updates,
                                const Ints& axis) const {
  return weft::scatter_elements(*this, indices, updates, axis);
}

}  // namespace weft
