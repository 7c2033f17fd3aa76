// SPDX-License-Identifier: Apache-2.0
// reverse_sequence: what it refuses, and how a box is pulled back through it.
#include <weft/ops/rearrange/reverse_sequence.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/graph/indexed.h>
#include <weft/graph/map/box.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/op.h>
#include <weft/graph/value/unit.h>
#include <weft/ops/indexing/rows.h>

namespace weft {
namespace {

class ReverseSequence final : public Indexed {
 public:
  ReverseSequence(const Tensor& x, const Tensor& lengths, std::size_t batch_axis,
                  std::size_t seq_axis)
      : Indexed(x.dtype(), x.shape(), inputs_of(x, lengths)),
        batch_axis_(batch_axis),
        seq_axis_(seq_axis) {}

  std::string_view op() const noexcept override { return "reverse_sequence"; }
  std::string parameters() const override {
    return fmt::format("batch_axis={}, seq_axis={}", batch_axis_, seq_axis_);
  }

  void pull_back(const Box& box, PullBack& to) const override {
    const std::int32_t seq = static_cast<std::int32_t>(seq_axis_);
    Boxes sequences = to.list(), reversed = to.list();
    isolate(box, static_cast<std::int32_t>(batch_axis_), sequences);
    for (const Box& sequence : sequences) {
      const std::int64_t length = places()[static_cast<std::size_t>(sequence.origin[batch_axis_])];
      reversed.clear();
      split(sequence, seq, length, reversed, to.plain(0));
      for (Box& part : reversed) affine(to.add(0, part), seq, length - 1, -1);
    }
  }

  bool may_be_computed() const noexcept override { return true; }
  std::int64_t cuts(const Box& box) const override {
    std::int64_t count = 2;
    for (const Digit& digit : box.digits)
      if (digit.axis == static_cast<std::int32_t>(batch_axis_)) count *= digit.extent;
    return count;
  }

  Computation computation() const override {
    return [lengths = places(), shape = shape(), batch = batch_axis_, seq = seq_axis_,
            size = dtype().size()](auto operands, std::byte* out, const ForParts& for_parts) {
      // A row: what goes on where neither axis changes.
      const std::size_t outer = std::max(batch, seq) + 1;
      const Shape rows(shape.begin(), shape.begin() + outer), strides = row_major_strides(shape);
      const std::int64_t row = strides[outer - 1] * size;
      for_parts(element_count(rows), [&](std::int64_t begin, std::int64_t end) {
        with_unit(row, [&](auto unit) {
          for_rows(rows, begin, end, [&](Index at, std::int64_t first, std::int64_t count) {
            for (std::int64_t j = 0; j < count; ++j, ++at.back()) {
              const std::int64_t length = lengths[static_cast<std::size_t>(at[batch])];
              const std::int64_t turn = at[seq] < length ? length - 1 - 2 * at[seq] : 0;
              unit.move(out + (first + j) * unit.size(),
                        operands[0] + (first + j) * unit.size() + turn * strides[seq] * size);
            }
          });
        });
      });
    };
  }

  std::size_t trace(Index& index) const override {
    const std::int64_t length = places()[static_cast<std::size_t>(index[batch_axis_])];
    if (index[seq_axis_] < length) index[seq_axis_] = length - 1 - index[seq_axis_];
    return 0;
  }

 private:
  std::vector<IndexBounds> bounds() const override { return {{0, shape()[seq_axis_], "length"}}; }

  std::size_t batch_axis_, seq_axis_;
};

}  // namespace

const Op reverse_sequence_op{
    .name = "reverse_sequence",
    .operands = {"x", "lengths"},
    .parameters = {"batch_axis", "seq_axis"},
    .build = call<static_cast<Tensor (*)(const Tensor&, const Tensor&, const Ints&, const Ints&)>(
        weft::reverse_sequence)>,
    .infer = first_shape,
    .index = 1};

Tensor reverse_sequence(const Tensor& x, const Tensor& lengths, const Ints& batch_axis,
                        const Ints& seq_axis) {
  if (is_any_open(reverse_sequence_op, x, lengths, batch_axis, seq_axis))
    return defer(reverse_sequence_op, {{x, lengths}, {batch_axis, seq_axis}});
  check_index("reverse_sequence", "lengths", lengths);
  if (lengths.rank() != 1)
    throw ParameterError(
        "bad_rank",
        fmt::format("reverse_sequence: lengths have rank {}, expected 1", lengths.rank()));
  check_single("reverse_sequence", "batch_axis", batch_axis);
  check_single("reverse_sequence", "seq_axis", seq_axis);
  const std::size_t batch = check_axis("reverse_sequence", batch_axis, 0, x.shape());
  const std::size_t seq = check_axis("reverse_sequence", seq_axis, 0, x.shape());
  if (batch == seq)
    throw AxisError("duplicate_axes",
                    fmt::format("reverse_sequence: axis {} is both batch_axis and seq_axis", seq));
  if (lengths.size() != x.shape()[batch])
    throw ShapeError(
        fmt::format("reverse_sequence: there are {} lengths, expected {}, one for "
                    "each position of axis {} (shape {})",
                    lengths.size(), x.shape()[batch], batch, to_string(x.shape())));
  return make_indexed<ReverseSequence>(lengths, x, lengths, batch, seq);
}

Tensor reverse_sequence(const Tensor& x, const Ints& lengths, const Ints& batch_axis,
                        const Ints& seq_axis) {
  return reverse_sequence(x, index_tensor("reverse_sequence", "lengths", lengths), batch_axis,
                          seq_axis);
}

Tensor Tensor::reverse_sequence(const Tensor& lengths, const Ints& batch_axis,
                                const Ints& seq_axis) const {
  return weft::reverse_sequence(*this, lengths, batch_axis, seq_axis);
}
Tensor Tensor::reverse_sequence(const Ints& lengths, const Ints& batch_axis,
                                const Ints& seq_axis) const {
  return weft::reverse_sequence(*this, lengths, batch_axis, seq_axis);
}

}  // namespace weft
