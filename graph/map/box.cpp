// SPDX-License-Identifier: Apache-2.0
// The form of boxes: ranges, canonical order, invariants.
#include <weft/graph/map/box.h>

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace weft {

bool operator==(const Digit& a, const Digit& b) {
  return a.extent == b.extent && a.out_stride == b.out_stride && a.in_stride == b.in_stride &&
         a.axis == b.axis && (a.table == b.table || (a.table && b.table && *a.table == *b.table));
}

Range digit_range(const Digit& digit) {
  if (digit.table) {
    const auto [low, high] = std::minmax_element(digit.table->in.begin(), digit.table->in.end());
    return {*low, *high};
  }
  const std::int64_t span = digit.in_stride * (digit.extent - 1);
  return {std::min<std::int64_t>(0, span), std::max<std::int64_t>(0, span)};
}

Range coordinate_range(const Box& box, std::int32_t axis) {
  const std::int64_t c = box.origin[static_cast<std::size_t>(axis)];
  Range range{c, c};
  for (const Digit& digit : box.digits) {
    if (digit.axis != axis) continue;
    if (digit.table) {
      const Range own = digit_range(digit);
      range.low += own.low;
      range.high += own.high;
    } else {
      const std::int64_t span = digit.in_stride * (digit.extent - 1);
      (span < 0 ? range.low : range.high) += span;
    }
  }
  return range;
}

std::int64_t element_count(const Box& box) {
  std::int64_t count = 1;
  for (const Digit& digit : box.digits) count *= digit.extent;
  return count;
}

namespace {

const Table* scaled(const Table& table, std::int64_t factor, Tables& tables) {
  Table& result = tables.emplace_back(table);
  for (std::int64_t& entry : result.in) entry *= factor;
  return &result;
}

}  // namespace

void affine(Box& box, std::int32_t axis, std::int64_t p, std::int64_t q) {
  std::int64_t& c = box.origin[static_cast<std::size_t>(axis)];
  c = p + q * c;
  if (q == 1) return;
  for (Digit& digit : box.digits) {
    if (digit.axis != axis) continue;
    digit.in_stride *= q;
    if (digit.table) digit.table = scaled(*digit.table, q, *box.tables);
  }
}

void scale_out(Box& box, std::int64_t k) {
  box.out_offset *= k;
  for (Digit& digit : box.digits) {
    digit.out_stride *= k;
    if (!digit.table || digit.table->out.empty()) continue;
    Table& table = box.tables->emplace_back(*digit.table);
    for (std::int64_t& entry : table.out) entry *= k;
    digit.table = &table;
  }
}

void undivide(Box& box, std::int32_t axis, std::int64_t n) {
  const std::int32_t last = static_cast<std::int32_t>(box.origin.size()) - 1;
  affine(box, last, 0, n);
  for (Digit& digit : box.digits)
    if (digit.axis == last) digit.axis = axis;
  box.origin[static_cast<std::size_t>(axis)] += box.origin.back();
  box.origin.pop_back();
}

namespace {

void replicate(Digit& digit, Tables* tables) {
  digit.axis = replicated;
  digit.in_stride = 0;
  if (!digit.table) return;
  // A table with out offsets still says where to write, so it stays, adding nothing to reads.
  if (digit.table->out.empty()) {
    digit.table = nullptr;
  } else {
    Table silent{std::vector<std::int64_t>(digit.table->in.size(), 0), digit.table->out};
    digit.table = &tables->emplace_back(std::move(silent));
  }
}

}  // namespace

void drop_last_axis(Box& box) {
  box.origin.pop_back();
  for (Digit& digit : box.digits)
    if (digit.axis == static_cast<std::int32_t>(box.origin.size())) replicate(digit, box.tables);
}

void relabel(Box& box, std::span<const std::int32_t> source) {
  const Index from = box.origin;
  box.origin.resize(source.size());
  for (std::size_t k = 0; k < source.size(); ++k)
    box.origin[k] = source[k] == replicated ? 0 : from[static_cast<std::size_t>(source[k])];
  for (Digit& digit : box.digits) {
    if (digit.axis == replicated) continue;
    const auto at = std::find(source.begin(), source.end(), digit.axis);
    if (at == source.end()) replicate(digit, box.tables);
    else digit.axis = static_cast<std::int32_t>(at - source.begin());
  }
}

void reverse(Box& box, Digit& digit) {
  box.out_offset += digit.out_stride * (digit.extent - 1);
  digit.out_stride = -digit.out_stride;
  if (digit.axis == replicated) return;
  box.origin[static_cast<std::size_t>(digit.axis)] += digit.in_stride * (digit.extent - 1);
  digit.in_stride = -digit.in_stride;
}

namespace {

/// One digit over the steps of an outer and an inner one that continue each other.
bool can_coalesce(const Digit& outer, const Digit& inner) {
  return !outer.table && !inner.table && outer.axis == inner.axis &&
         outer.out_stride == inner.out_stride * inner.extent &&
         outer.in_stride == inner.in_stride * inner.extent;
}

/// Makes one digit of both.
void coalesce(Digit& outer, const Digit& inner) {
  outer.out_stride = inner.out_stride;
  outer.in_stride = inner.in_stride;
  outer.extent *= inner.extent;
}

/// A table that turned out to follow a stride is a plain digit.
void straighten(Box& box, Digit& digit) {
  if (!digit.table->out.empty() || digit.extent < 2) return;
  const std::vector<std::int64_t>& in = digit.table->in;
  const std::int64_t step = in[1] - in[0];
  for (std::size_t i = 2; i < in.size(); ++i)
    if (in[i] - in[i - 1] != step) return;
  if (digit.axis != replicated) box.origin[static_cast<std::size_t>(digit.axis)] += in[0];
  digit.in_stride = digit.axis == replicated ? 0 : step;
  digit.table = nullptr;
}

/// Drops digits of one step, makes out strides positive, names those that stand still, and
/// coalesces neighbours; whether the digits are sorted then.
bool normalise(Box& box) {
  bool is_sorted = true;
  Digit* const first = box.digits.begin();
  Digit* kept = first;
  for (Digit& digit : box.digits) {
    if (digit.table) straighten(box, digit);
    if (digit.extent == 1) {
      box.out_offset += digit.out_at(0);
      if (digit.axis != replicated)
        box.origin[static_cast<std::size_t>(digit.axis)] += digit.in_at(0);
      continue;
    }
    if (digit.in_stride == 0 && !digit.table) digit.axis = replicated;
    if (digit.out_stride < 0) reverse(box, digit);
    if (kept != first) {
      if (can_coalesce(kept[-1], digit)) {
        coalesce(kept[-1], digit);
        continue;
      }
      is_sorted &= kept[-1].out_stride >= digit.out_stride;
    }
    if (kept != &digit) *kept = digit;
    ++kept;
  }
  box.digits.truncate(static_cast<std::size_t>(kept - first));
  return is_sorted;
}

}  // namespace

void canonicalise(Box& box) {
  if (normalise(box)) return;
  std::sort(box.digits.begin(), box.digits.end(),
            [](const Digit& a, const Digit& b) { return a.out_stride > b.out_stride; });
  normalise(box);
}

bool is_nested(const Box& box) {
  std::int64_t span = 0;
  for (std::size_t k = box.digits.size(); k-- > 0;) {
    const Digit& digit = box.digits[k];
    if (digit.out_stride <= span) return false;
    span += digit.out_span();
  }
  return true;
}

bool is_nested_on_axis(const Box& box, std::int32_t axis) {
  struct Steps {
    std::int64_t stride, extent;
  };
  SmallVector<Steps, 8> steps;
  for (const Digit& digit : box.digits) {
    if (digit.axis != axis) continue;
    if (digit.table) return true;  // tables follow no order; split and divmod ask for none
    steps.push_back({std::abs(digit.in_stride), digit.extent});
  }
  std::sort(steps.begin(), steps.end(),
            [](const Steps& a, const Steps& b) { return a.stride < b.stride; });
  std::int64_t span = 0;
  for (const auto& [stride, extent] : steps) {
    if (stride <= span) return false;
    span += stride * (extent - 1);
  }
  return true;
}

void check_box(const Box& box, const Shape& shape) {
  const auto fail = [&](const char* what) {
    throw InternalError(fmt::format("box invariant broken: {}: {} in shape {}", what,
                                    to_string(box), to_string(shape)));
  };
  if (box.origin.size() != shape.size()) fail("rank");
  for (const Digit& digit : box.digits) {
    if (digit.axis < replicated || digit.axis >= static_cast<std::int32_t>(shape.size()))
      fail("axis");
    if (digit.extent < 2) fail("extent of a canonical digit");
    if (digit.table && digit.table->in.size() != static_cast<std::size_t>(digit.extent))
      fail("table size");
    if (digit.table && !digit.table->out.empty() &&
        !std::is_sorted(digit.table->out.begin(), digit.table->out.end(), std::less_equal<>()))
      fail("table not increasing");
  }
  if (!is_nested(box)) fail("not nested");
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const Range range = coordinate_range(box, static_cast<std::int32_t>(axis));
    if (range.low < 0 || range.high >= shape[axis]) fail("coordinate outside its axis");
  }
}

Box dense_box(const Shape& shape, const Index& origin, Tables* tables) {
  Box box{0, origin, {}, tables};
  const Shape strides = row_major_strides(shape);
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (shape[axis] > 1)
      box.digits.push_back({shape[axis], strides[axis], 1, static_cast<std::int32_t>(axis)});
  return box;
}

void linearise(Box& box, const Shape& shape) {
  Shape strides = shape;
  std::int64_t line = 0, stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0; stride *= shape[axis]) {
    line += box.origin[axis] * stride;
    strides[axis] = stride;
  }
  box.origin.resize(1);
  box.origin[0] = line;
  for (Digit& digit : box.digits) {
    if (digit.axis == replicated) continue;
    const std::int64_t step = strides[static_cast<std::size_t>(digit.axis)];
    digit.in_stride *= step;
    digit.axis = 0;
    if (digit.table && step != 1) digit.table = scaled(*digit.table, step, *box.tables);
  }
  canonicalise(box);
}

void refactor(const Box& box, const Shape& from, const Shape& to, Boxes& out) {
  // Peel the extents off from the last: axis k holds to[last - k], the new last axis what is left.
  Boxes boxes(out.get_allocator()), next(out.get_allocator());
  boxes.push_back(box);
  linearise(boxes.front(), from);
  std::int32_t line = 0;
  for (std::size_t axis = to.size(); axis-- > 1; ++line) {
    next.clear();
    for (const Box& part : boxes) divmod(part, line, to[axis], next);
    std::swap(boxes, next);
  }
  SmallVector<std::int32_t, 16> reversed(to.size());
  for (std::size_t axis = 0; axis < to.size(); ++axis)
    reversed[axis] = static_cast<std::int32_t>(to.size() - 1 - axis);
  for (Box& part : boxes) {
    relabel(part, {reversed.data(), reversed.size()});
    out.push_back(std::move(part));
  }
}

std::string to_string(const Box& box) {
  std::string text = fmt::format("out {} at {}", box.out_offset, to_string(box.origin));
  for (const Digit& digit : box.digits) {
    text += fmt::format(" {{{}: out {}", digit.extent, digit.out_stride);
    if (digit.axis == replicated) text += ", replicated";
    else text += fmt::format(", axis {} step {}", digit.axis, digit.in_stride);
    text += digit.table ? ", table}" : "}";
  }
  return text;
}

}  // namespace weft
