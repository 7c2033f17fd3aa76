// SPDX-License-Identifier: Apache-2.0
// pad: what it refuses, and how a box is pulled back through it.
#include <weft/ops/grow/pad.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <weft/graph/define.h>
#include <weft/graph/map/box.h>
#include <weft/ops/create/fills.h>

namespace weft {
namespace {

enum class Mode { constant, edge, reflect, symmetric, wrap };
constexpr std::array<std::string_view, 5> mode_names{"constant", "edge", "reflect", "symmetric",
                                                     "wrap"};
std::string_view to_string(Mode mode) { return mode_names[static_cast<std::size_t>(mode)]; }

Mode mode_named(const std::string& name) {
  const auto found = std::find(mode_names.begin(), mode_names.end(), name);
  if (found == mode_names.end())
    throw ParameterError("bad_mode", fmt::format("pad: mode is \"{}\", expected one of {}", name,
                                                 fmt::join(mode_names, ", ")));
  return static_cast<Mode>(found - mode_names.begin());
}

/// A coordinate of x: `offset + slope * i`.
struct Line {
  std::int64_t offset, slope;
};

/// Types, ranks and lengths of both.
void check_widths(const Ints& before, const Ints& after, const Extents& shape) {
  const std::pair<std::string_view, const Ints&> both[] = {{"before", before}, {"after", after}};
  for (const auto& [name, widths] : both) check_integer("pad", name, widths);
  for (const auto& [name, widths] : both) check_scalar_or_list("pad", name, widths);
  for (const auto& [name, widths] : both) {
    const std::int64_t length = known_length(widths);
    if (shape.has_rank() && widths.rank() == 1 && length >= 0 &&
        length != static_cast<std::int64_t>(shape.rank()))
      throw ParameterError("length_mismatch",
                           fmt::format("pad: {} has {} entries, expected {}, one for each axis",
                                       name, length, shape.rank()));
  }
  for (const auto& [name, widths] : both)
    for (std::size_t i = 0; i < widths.size(); ++i)
      if (widths[i] < 0)
        throw ShapeError(fmt::format("pad: {} is {}, expected none below 0", name, widths.text()));
}

/// The width on axis k, or -1 where it is not known.
std::int64_t width_on(const Ints& widths, std::size_t k) {
  return widths.is_open() ? -1 : widths[widths.rank() == 0 ? 0 : k];
}

/// What is wrong with the widths of an axis of extent n, before or after it.
void check_width(std::string_view parameter, const Ints& widths, std::size_t k, std::int64_t n,
                 Mode mode) {
  const std::size_t i = widths.rank() == 0 ? 0 : k;
  const std::int64_t most = mode == Mode::constant || (mode == Mode::edge && n > 0) ? INT64_MAX
                            : mode == Mode::reflect ? std::max<std::int64_t>(n - 1, 0)
                                                    : n;
  if (widths[i] > most)
    throw ShapeError(
        fmt::format("pad: {} is {} on axis {} of extent {}, in mode {} at most {} is possible",
                    parameter, widths.text(i), k, n, to_string(mode), most));
  if (widths.exceeds_int64(i))
    throw OverflowError(
        fmt::format("pad: {} is {}, more than int64 holds", parameter, widths.text(i)));
}

struct Pad {
  Shape before, after;
  Mode mode;
  Shape source;

  static constexpr std::string_view name = "pad";
  static constexpr const Op& op = pad_op;
  static constexpr std::tuple fields{
      operand("x", "what gets more positions"),
      parameter("before", &Pad::before, "how many before each axis, or one number for all"),
      parameter("after", &Pad::after, "how many after each axis, or one number for all"),
      operand("value", "what is there, in mode constant"),
      parameter("mode", &Pad::mode, "what is there: constant, edge, reflect, symmetric or wrap",
                "constant"),
      derived(&Pad::source)};

  static KnownType infer(const KnownType& x, const Ints& before, const Ints& after,
                         const KnownType& value, const std::string& mode) {
    if (value.dtype != x.dtype)
      throw DtypeError(
          fmt::format("pad: value is {}, expected {} as x", value.dtype.name(), x.dtype.name()));
    if (value.shape.has_rank() && value.shape.rank() != 0)
      throw ParameterError("bad_rank",
                           fmt::format("pad: value has rank {}, expected 0", value.shape.rank()));
    check_widths(before, after, x.shape);
    const Mode checked = mode_named(mode);
    if (!x.shape.has_rank()) return x;
    for (std::size_t k = 0; k < x.shape.rank() && !before.is_open(); ++k)
      if (x.shape[k].is_known()) check_width("before", before, k, x.shape[k].low, checked);
    for (std::size_t k = 0; k < x.shape.rank() && !after.is_open(); ++k)
      if (x.shape[k].is_known()) check_width("after", after, k, x.shape[k].low, checked);
    KnownType padded = x;
    for (std::size_t k = 0; k < x.shape.rank(); ++k) {
      const std::int64_t low = width_on(before, k), high = width_on(after, k);
      const Extent extent = x.shape[k];
      if (low < 0 || high < 0) {
        padded.shape.set(k, Extent());
        continue;
      }
      std::int64_t least = extent.low;
      if (__builtin_add_overflow(least, low, &least) ||
          __builtin_add_overflow(least, high, &least)) {
        if (extent.is_known())
          throw OverflowError(fmt::format("pad: axis {} of {} gets longer than int64 holds", k,
                                          to_string(x.shape)));
        padded.shape.set(k, Extent());
        continue;
      }
      padded.shape.set(k, extent + low + high);
    }
    return padded;
  }

  static Tensor make(const TensorType& type, const Tensor& x, const Ints& before, const Ints& after,
                     const Tensor& value, const std::string& mode) {
    Pad pad{{}, {}, mode_named(mode), x.shape()};
    for (std::size_t k = 0; k < x.rank(); ++k) {
      pad.before.push_back(width_on(before, k));
      pad.after.push_back(width_on(after, k));
    }
    return pad.mode == Mode::constant ? tensor_of(Pad(pad), type, x, value)
                                      : pad.in_turn(type, x, value);
  }

  /// Some axes at a time: each that is mirrored or wrapped makes three boxes of one.
  Tensor in_turn(const TensorType& type, const Tensor& x, const Tensor& value) const {
    constexpr int at_a_time = 5;
    const Shape none_yet(x.rank(), 0);
    Tensor padded = x;
    TensorType grown{type.dtype, x.shape()};
    Pad some{none_yet, none_yet, mode, x.shape()};
    int axes = 0;
    for (std::size_t k = 0; k < x.rank(); ++k) {
      axes += grown.shape[k] != type.shape[k];
      grown.shape[k] = type.shape[k];
      some.before[k] = before[k];
      some.after[k] = after[k];
      if (axes < at_a_time && k + 1 < x.rank()) continue;
      padded = tensor_of(std::move(some), grown, padded, value);
      some = {none_yet, none_yet, mode, grown.shape};
      axes = 0;
    }
    return padded;
  }

  void pull_back(const Shape& shape, const Box& box, PullBack& to) const {
    Boxes inside = to.list(), next = to.list(), below = to.list(), rest = to.list(),
          above = to.list();
    inside.push_back(box);
    for (std::size_t k = 0; k < shape.size(); ++k) {
      if (source[k] == shape[k]) continue;
      const std::int32_t axis = static_cast<std::int32_t>(k);
      next.clear();
      for (const Box& part : inside) {
        below.clear();
        rest.clear();
        above.clear();
        split(part, axis, before[k], below, rest);
        const std::size_t first = next.size();
        for (const Box& upper : rest) split(upper, axis, before[k] + source[k], next, above);
        for (std::size_t i = first; i < next.size(); ++i) affine(next[i], axis, -before[k], 1);
        for (Box& outer : below) add_outside(std::move(outer), axis, line_below(k), next, to);
        for (Box& outer : above) add_outside(std::move(outer), axis, line_above(k), next, to);
      }
      std::swap(inside, next);
    }
    to.add(0, std::move(inside));
  }

  std::size_t trace(const Shape& shape, Index& index) const {
    for (std::size_t k = 0; k < shape.size(); ++k) {
      std::int64_t& i = index[k];
      const std::int64_t end = before[k] + source[k];
      if (i >= before[k] && i < end) {
        i -= before[k];
        continue;
      }
      if (mode == Mode::constant) {
        index.clear();
        return 1;
      }
      const auto [offset, slope] = i < end ? line_below(k) : line_above(k);
      i = offset + slope * i;
    }
    return 0;
  }

  Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensors& operands) const {
    Index end = before;
    for (std::size_t k = 0; k < source.size(); ++k) end[k] += source[k];
    const DType type = cotangent.dtype();
    if (mode == Mode::constant) {
      if (source.empty()) return {cotangent, {}};
      const Tensor outside = cotangent.slice_scatter(zeros_like(operands[0]), before, end);
      return {cotangent.slice(before, end), outside.sum().astype(type)};
    }
    Tensor folded = cotangent;
    for (std::size_t k = 0; k < source.size(); ++k) folded = fold(folded, k);
    return {folded, {}};
  }

  /// Adds what lies outside on axis k to where it was taken from.
  Tensor fold(const Tensor& x, std::size_t k) const {
    const std::int64_t low = before[k], n = source[k], high = after[k];
    if (low == 0 && high == 0) return x;
    const auto axis = static_cast<std::int64_t>(k);
    const auto cut = [&](const Tensor& from, std::int64_t start, std::int64_t count) {
      return from.slice({start}, {start + count}, none, {axis});
    };
    Tensor folded = cut(x, low, n);
    const auto add_side = [&](std::int64_t start, std::int64_t count, const Line& line) {
      if (count == 0) return;
      const bool is_edge = line.slope == 0;
      Tensor side = cut(x, start, count);
      if (is_edge) side = side.sum(axis, true).astype(x.dtype());
      if (line.slope < 0) side = side.flip(axis);
      const std::int64_t last = line.offset + line.slope * (start + count - 1);
      const std::int64_t to = line.slope < 0 ? last : line.offset + line.slope * start;
      const std::int64_t width = is_edge ? 1 : count;
      folded =
          folded.slice_scatter(cut(folded, to, width).add(side), {to}, {to + width}, none, {axis});
    };
    add_side(0, low, line_below(k));
    add_side(low + n, high, line_above(k));
    return folded;
  }

  Line line_below(std::size_t k) const {
    switch (mode) {
      case Mode::reflect:
        return {before[k], -1};
      case Mode::symmetric:
        return {before[k] - 1, -1};
      case Mode::wrap:
        return {source[k] - before[k], 1};
      default:
        return {0, 0};
    }
  }
  Line line_above(std::size_t k) const {
    const std::int64_t n = source[k];
    switch (mode) {
      case Mode::reflect:
        return {before[k] + 2 * (n - 1), -1};
      case Mode::symmetric:
        return {before[k] + 2 * n - 1, -1};
      case Mode::wrap:
        return {-before[k] - n, 1};
      default:
        return {n - 1, 0};
    }
  }

  void add_outside(Box&& box, std::int32_t axis, const Line& line, Boxes& inside,
                   PullBack& to) const {
    if (mode == Mode::constant) {
      relabel(box, {});
      to.plain(1).push_back(std::move(box));
    } else {
      affine(box, axis, line.offset, line.slope);
      if (line.slope == 0) canonicalise(box);
      inside.push_back(std::move(box));
    }
  }
};

}  // namespace

constinit const Op pad_op = op_of<Pad>();

Tensor pad(const Tensor& x, const Ints& before, const Ints& after, const Tensor& value,
           const std::string& mode) {
  return build<Pad>(x, before, after, value, mode);
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
