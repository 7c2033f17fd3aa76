// SPDX-License-Identifier: Apache-2.0
// pad: what it refuses, and how a box is pulled back through it.
#include <weft/ops/grow/pad.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <weft/graph/map/box.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/op.h>
#include <weft/graph/structure.h>

namespace weft {
namespace {

enum class Mode { constant, edge, reflect, symmetric, wrap };
constexpr std::array<std::string_view, 5> mode_names{"constant", "edge", "reflect", "symmetric",
                                                     "wrap"};

/// A coordinate of x: `offset + slope * i`.
struct Line {
  std::int64_t offset, slope;
};

class Pad final : public Node {
 public:
  Pad(const Tensor& x, const Tensor& value, const Shape& shape, const Shape& before, Mode mode)
      : Node(x.dtype(), shape, inputs_of(x, value)),
        before_(before),
        source_(x.shape()),
        mode_(mode) {}

  std::string_view op() const noexcept override { return "pad"; }
  std::string parameters() const override {
    Index after;
    for (std::size_t k = 0; k < rank(); ++k) after.push_back(shape()[k] - source_[k] - before_[k]);
    return fmt::format("before={}, after={}, mode={}", to_string(before_), to_string(after),
                       mode_names[static_cast<std::size_t>(mode_)]);
  }

  void pull_back(const Box& box, PullBack& to) const override {
    Boxes inside = to.list(), next = to.list(), below = to.list(), rest = to.list(),
          above = to.list();
    inside.push_back(box);
    for (std::size_t k = 0; k < rank(); ++k) {
      if (source_[k] == shape()[k]) continue;
      const std::int32_t axis = static_cast<std::int32_t>(k);
      next.clear();
      for (const Box& part : inside) {
        below.clear();
        rest.clear();
        above.clear();
        split(part, axis, before_[k], below, rest);
        const std::size_t first = next.size();
        for (const Box& upper : rest) split(upper, axis, before_[k] + source_[k], next, above);
        for (std::size_t i = first; i < next.size(); ++i) affine(next[i], axis, -before_[k], 1);
        for (Box& outer : below) add_outside(std::move(outer), axis, line_below(k), next, to);
        for (Box& outer : above) add_outside(std::move(outer), axis, line_above(k), next, to);
      }
      std::swap(inside, next);
    }
    to.add(0, std::move(inside));
  }

  bool add_parameters(Structure& to) const override {
    to.add(static_cast<std::int64_t>(mode_));
    to.add_all(before_);
    return true;
  }

  std::size_t trace(Index& index) const override {
    for (std::size_t k = 0; k < rank(); ++k) {
      std::int64_t& i = index[k];
      const std::int64_t end = before_[k] + source_[k];
      if (i >= before_[k] && i < end) {
        i -= before_[k];
        continue;
      }
      if (mode_ == Mode::constant) {
        index.clear();
        return 1;
      }
      const auto [offset, slope] = i < end ? line_below(k) : line_above(k);
      i = offset + slope * i;
    }
    return 0;
  }

 private:
  Line line_below(std::size_t k) const {
    switch (mode_) {
      case Mode::reflect:
        return {before_[k], -1};
      case Mode::symmetric:
        return {before_[k] - 1, -1};
      case Mode::wrap:
        return {source_[k] - before_[k], 1};
      default:
        return {0, 0};
    }
  }
  Line line_above(std::size_t k) const {
    const std::int64_t n = source_[k];
    switch (mode_) {
      case Mode::reflect:
        return {before_[k] + 2 * (n - 1), -1};
      case Mode::symmetric:
        return {before_[k] + 2 * n - 1, -1};
      case Mode::wrap:
        return {-before_[k] - n, 1};
      default:
        return {n - 1, 0};
    }
  }

  void add_outside(Box&& box, std::int32_t axis, const Line& line, Boxes& inside,
                   PullBack& to) const {
    if (mode_ == Mode::constant) {
      relabel(box, {});
      to.plain(1).push_back(std::move(box));
    } else {
      affine(box, axis, line.offset, line.slope);
      if (line.slope == 0) canonicalise(box);
      inside.push_back(std::move(box));
    }
  }

  Shape before_, source_;
  Mode mode_;
};

Mode mode_named(const std::string& name) {
  const auto found = std::find(mode_names.begin(), mode_names.end(), name);
  if (found == mode_names.end())
    throw ParameterError("bad_mode", fmt::format("pad: mode is \"{}\", expected one of {}", name,
                                                 fmt::join(mode_names, ", ")));
  return static_cast<Mode>(found - mode_names.begin());
}

/// An entry for each axis.
void check_lengths(std::string_view parameter, const Ints& widths, std::size_t rank) {
  if (widths.rank() == 1 && widths.size() != rank)
    throw ParameterError("length_mismatch",
                         fmt::format("pad: {} has {} entries, expected {}, one for each axis",
                                     parameter, widths.size(), rank));
}

void check_not_negative(std::string_view parameter, const Ints& widths) {
  for (std::size_t i = 0; i < widths.size(); ++i)
    if (widths[i] < 0)
      throw ShapeError(
          fmt::format("pad: {} is {}, expected none below 0", parameter, widths.text()));
}

Shape widths_of(std::string_view parameter, const Ints& widths, const Shape& shape, Mode mode) {
  Shape result;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const std::size_t i = widths.rank() == 0 ? 0 : k;
    const std::int64_t width = widths[i], n = shape[k];
    const std::int64_t most = mode == Mode::constant || (mode == Mode::edge && n > 0) ? INT64_MAX
                              : mode == Mode::reflect ? std::max<std::int64_t>(n - 1, 0)
                                                      : n;
    if (width > most)
      throw ShapeError(fmt::format(
          "pad: {} is {} on axis {} of extent {}, in mode {} at most {} is possible", parameter,
          widths.text(i), k, n, mode_names[static_cast<std::size_t>(mode)], most));
    if (widths.exceeds_int64(i))
      throw OverflowError(
          fmt::format("pad: {} is {}, more than int64 holds", parameter, widths.text(i)));
    result.push_back(width);
  }
  return result;
}

Shape padded_shape(const Shape& shape, const Shape& before, const Shape& after) {
  Shape padded = shape;
  for (std::size_t k = 0; k < shape.size(); ++k)
    if (__builtin_add_overflow(padded[k], before[k], &padded[k]) ||
        __builtin_add_overflow(padded[k], after[k], &padded[k]))
      throw OverflowError(
          fmt::format("pad: axis {} of {} gets longer than int64 holds", k, to_string(shape)));
  return padded;
}

/// Some axes at a time: each that is mirrored or wrapped makes three boxes of one.
Tensor padded_in_turn(const Tensor& x, const Tensor& value, const Shape& shape, const Shape& before,
                      Mode mode) {
  constexpr int at_a_time = 5;
  Tensor padded = x;
  Shape grown = x.shape(), widths(x.rank(), 0);
  int axes = 0;
  for (std::size_t k = 0; k < x.rank(); ++k) {
    axes += grown[k] != shape[k];
    grown[k] = shape[k];
    widths[k] = before[k];
    if (axes < at_a_time && k + 1 < x.rank()) continue;
    padded = make_tensor<Pad>(padded, value, grown, widths, mode);
    widths = Shape(x.rank(), 0);
    axes = 0;
  }
  return padded;
}

PartialShape infer(const Arguments& arguments) {
  const PartialShape x = arguments.operands[0].partial_shape();
  if (!x.has_rank()) return PartialShape::any();
  PartialShape padded = PartialShape::of_rank(x.rank());
  const Ints &before = arguments.ints(0), &after = arguments.ints(1);
  const auto width = [&](const Ints& widths, std::size_t k) {
    if (widths.is_open()) return std::int64_t{-1};
    if (widths.rank() == 0) return widths[0];
    return k < widths.size() ? widths[k] : -1;
  };
  for (std::size_t k = 0; k < x.rank(); ++k) {
    std::int64_t low = x[k].low(), high = x[k].high();
    const std::int64_t first = width(before, k), last = width(after, k);
    if (first == 0 && last == 0) padded[k] = x[k];
    if (first < 0 || last < 0 || (first == 0 && last == 0)) continue;
    if (__builtin_add_overflow(low, first, &low) || __builtin_add_overflow(low, last, &low))
      continue;
    if (__builtin_add_overflow(high, first, &high) || __builtin_add_overflow(high, last, &high))
      high = Dim::unbounded;
    padded[k] = Dim(low, high);
  }
  return padded;
}

Tensor build(const Arguments& arguments) {
  return pad(arguments.operands[0], arguments.ints(0), arguments.ints(1), arguments.operands[1],
             arguments.text(2));
}

}  // namespace

const Op pad_op{.name = "pad",
                .operands = {"x", "value"},
                .parameters = {"before", "after", "mode"},
                .build = build,
                .infer = infer,
                .texts = {"mode"}};

Tensor pad(const Tensor& x, const Ints& before, const Ints& after, const Tensor& value,
           const std::string& mode) {
  if (is_any_open(pad_op, x, before, after, value))
    return defer(pad_op, {{x, value}, {before, after, mode}});
  if (value.dtype() != x.dtype())
    throw DtypeError(
        fmt::format("pad: value is {}, expected {} as x", value.dtype().name(), x.dtype().name()));
  if (value.rank() != 0)
    throw ParameterError("bad_rank",
                         fmt::format("pad: value has rank {}, expected 0", value.rank()));
  check_integer("pad", "before", before);
  check_integer("pad", "after", after);
  check_scalar_or_list("pad", "before", before);
  check_scalar_or_list("pad", "after", after);
  check_lengths("before", before, x.rank());
  check_lengths("after", after, x.rank());
  check_not_negative("before", before);
  check_not_negative("after", after);
  const Mode checked = mode_named(mode);
  const Shape low = widths_of("before", before, x.shape(), checked);
  const Shape high = widths_of("after", after, x.shape(), checked);
  const Shape shape = padded_shape(x.shape(), low, high);
  check_shape("pad", shape, x.dtype());
  return checked == Mode::constant ? make_tensor<Pad>(x, value, shape, low, checked)
                                   : padded_in_turn(x, value, shape, low, checked);
}

Tensor pad(const Tensor& x, const Ints& before, const Ints& after, const Scalar& value) {
  return pad(x, before, after, value.as(x.held("pad").dtype(), "pad"));
}

Tensor Tensor::pad(const Ints& before, const Ints& after, const Scalar& value) const {
  return weft::pad(*this, before, after, value);
}
Tensor Tensor::pad(const Ints& before, const Ints& after) const {
  return weft::pad(*this, before, after);
}
Tensor Tensor::pad_by_mode(const Ints& before, const Ints& after, const std::string& mode) const {
  return weft::pad(*this, before, after, mode);
}

}  // namespace weft
