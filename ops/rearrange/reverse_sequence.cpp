// SPDX-License-Identifier: Apache-2.0
// reverse_sequence: what it refuses, and how a box is pulled back through it.
#include <weft/ops/rearrange/reverse_sequence.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/graph/define.h>
#include <weft/graph/map/box.h>
#include <weft/graph/value/unit.h>
#include <weft/ops/indexing/rows.h>

namespace weft {
namespace {

struct ReverseSequence {
  std::size_t batch_axis, seq_axis;

  static constexpr std::string_view name = "reverse_sequence";
  static constexpr const Op& op = reverse_sequence_op;
  static constexpr std::tuple fields{
      operand("x", "sequences"), index_operand("lengths", "how much of each is reversed"),
      parameter("batch_axis", &ReverseSequence::batch_axis, "the axis that counts sequences", 0),
      parameter("seq_axis", &ReverseSequence::seq_axis, "the axis along a sequence", 1)};

  static KnownType infer(const KnownType& x, const KnownType& lengths, const Ints& batch_axis,
                         const Ints& seq_axis) {
    check_index(name, "lengths", lengths.dtype);
    if (lengths.shape.has_rank() && lengths.shape.rank() != 1)
      throw ParameterError(
          "bad_rank",
          fmt::format("reverse_sequence: lengths have rank {}, expected 1", lengths.shape.rank()));
    check_one(name, "batch_axis", batch_axis);
    check_one(name, "seq_axis", seq_axis);
    if (!x.shape.has_rank()) return x;
    for (const Ints* axis : {&batch_axis, &seq_axis})
      if (!axis->is_open()) check_axis(name, *axis, 0, x.shape);
    if (is_any_open(batch_axis, seq_axis)) return x;
    const std::size_t batch = check_axis(name, batch_axis, 0, x.shape);
    const std::size_t seq = check_axis(name, seq_axis, 0, x.shape);
    if (batch == seq)
      throw AxisError(
          "duplicate_axes",
          fmt::format("reverse_sequence: axis {} is both batch_axis and seq_axis", seq));
    if (lengths.shape.has_rank() && !can_be_equal(lengths.shape, one_axis(x.shape[batch])))
      throw ShapeError(fmt::format(
          "reverse_sequence: there are {} lengths, expected {}, one for "
          "each position of axis {} (shape {})",
          to_string(lengths.shape[0]), to_string(x.shape[batch]), batch, to_string(x.shape)));
    return x;
  }

  static Extents one_axis(const Extent& extent) {
    Extents shape;
    shape.push_back(extent);
    return shape;
  }

  static Tensor make(TensorType type, const Tensor& x, const Tensor& lengths,
                     const Ints& batch_axis, const Ints& seq_axis) {
    const std::size_t batch = check_axis(name, batch_axis, 0, type.shape),
                      seq = check_axis(name, seq_axis, 0, type.shape);
    return tensor_of(ReverseSequence{batch, seq}, std::move(type), x, lengths);
  }

  std::vector<IndexBounds> bounds(const Shape& shape) const {
    return {{0, shape[seq_axis], "length"}};
  }

  void pull_back(const Places& lengths, const Shape&, const Box& box, PullBack& to) const {
    const std::int32_t seq = static_cast<std::int32_t>(seq_axis);
    Boxes sequences = to.list(), reversed = to.list();
    isolate(box, static_cast<std::int32_t>(batch_axis), sequences);
    for (const Box& sequence : sequences) {
      const std::int64_t length = lengths[static_cast<std::size_t>(sequence.origin[batch_axis])];
      reversed.clear();
      split(sequence, seq, length, reversed, to.plain(0));
      for (Box& part : reversed) affine(to.add(0, part), seq, length - 1, -1);
    }
  }

  std::int64_t cuts(const Shape&, const Box& box) const {
    std::int64_t count = 2;
    for (const Digit& digit : box.digits)
      if (digit.axis == static_cast<std::int32_t>(batch_axis)) count *= digit.extent;
    return count;
  }

  Computation computation(const Places& places, const TensorType& type) const {
    return [lengths = places, shape = type.shape, batch = batch_axis, seq = seq_axis,
            size = type.dtype.size()](auto operands, std::byte* out, const ForParts& for_parts) {
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

  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors& operands) const {
    return {cotangent.reverse_sequence(operands[1], batch_axis, seq_axis), {}};
  }

  std::size_t trace(const Places& lengths, const Shape&, Index& index) const {
    const std::int64_t length = lengths[static_cast<std::size_t>(index[batch_axis])];
    if (index[seq_axis] < length) index[seq_axis] = length - 1 - index[seq_axis];
    return 0;
  }
};

}  // namespace

constinit const Op reverse_sequence_op = op_of<ReverseSequence>();

Tensor reverse_sequence(const Tensor& x, const Tensor& lengths, const Ints& batch_axis,
                        const Ints& seq_axis) {
  return build<ReverseSequence>(x, lengths, batch_axis, seq_axis);
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
