// SPDX-License-Identifier: Apache-2.0
// Patterns of axes: resolved against a shape, and carried out.
#include <weft/ops/pattern/pattern.h>

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <vector>

#include <weft/ops/grow/broadcast_to.h>
#include <weft/ops/pattern/pattern_text.h>
#include <weft/ops/shape/expand_dims.h>
#include <weft/ops/shape/reshape.h>
#include <weft/ops/shape/transpose.h>

namespace weft {
namespace {

using namespace pattern;

/// Refuses a tensor that has not one axis for each group on the left.
void check_rank(const Pattern& pattern, const PartialShape& x) {
  const std::size_t count = pattern.left.group_count();
  const bool is_exact = !pattern.left.find_ellipsis();
  if (is_exact ? x.rank() == count : x.rank() >= count) return;
  std::size_t at = pattern.arrow, axis = 0;  // under what x has no axis for, or too few are named
  for (const Group& group : pattern.left.groups)
    if (!group.is_ellipsis() && axis++ == x.rank()) at = group.at;
  pattern.source.refuse_rank(fmt::format("x has rank {}, expected {}{} (shape {})", x.rank(),
                                         is_exact ? "" : "at least ", count, to_string(x)),
                             at);
}

/// The names in a text that separates them by spaces.
std::vector<std::string_view> names_in(std::string_view text) {
  std::vector<std::string_view> names;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) names.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

/// An axis of the pattern, one of those that an ellipsis stands for, or a number.
struct Factor {
  Axis axis;
  std::optional<Dim> extent;
};
/// An axis of x or of the result, as numbers of its factors.
struct Part {
  std::size_t at;
  std::vector<std::size_t> factors;
};

/// What is known of a product, or nothing where the least that it can be is beyond int64.
std::optional<Dim> product(const std::vector<Dim>& dims) {
  std::vector<Dim> factors;
  for (const Dim& dim : dims)
    if (!(dim.is_known() && dim.low() == 1)) factors.push_back(dim);
  if (factors.empty()) return Dim(1);
  if (factors.size() == 1) return factors[0];  // with its name
  const auto is_zero = [](const Dim& dim) { return dim.high() == 0; };
  const auto may_be_zero = [](const Dim& dim) { return dim.low() == 0; };
  if (std::any_of(factors.begin(), factors.end(), is_zero)) return Dim(0);
  std::int64_t low = std::none_of(factors.begin(), factors.end(), may_be_zero), high = 1;
  for (const Dim& dim : factors) {
    if (low != 0 && __builtin_mul_overflow(low, dim.low(), &low)) return std::nullopt;
    if (__builtin_mul_overflow(high, dim.high(), &high)) high = Dim::unbounded;
  }
  return Dim(low, high);
}

/// What is known of dim / divisor where that is a whole number, or nothing where it cannot be one.
std::optional<Dim> quotient(const Dim& dim, const Dim& divisor) {
  if (divisor.is_known() && divisor.low() == 1) return dim;
  const std::int64_t low = dim.low() / divisor.high() + (dim.low() % divisor.high() == 0 ? 0 : 1);
  const bool is_unbounded = dim.high() == Dim::unbounded && !dim.is_known();
  const std::int64_t high = is_unbounded ? Dim::unbounded : dim.high() / divisor.low();
  if (low > high) return std::nullopt;
  return Dim(low, high);
}

/// A pattern for tensors of a certain shape, which may be known in part.
class Resolver {
 public:
  Resolver(const Pattern& pattern, const PartialShape& x)
      : pattern_(pattern), source_(pattern.source), x_(x) {
    add_left();
    add_right();
  }

  void set_sizes(std::string_view text, const Ints& sizes) {
    const std::vector<std::string_view> names = names_in(text);
    if (!sizes.is_open()) {
      check_integer(source_.op, "sizes", sizes);
      check_scalar_or_list(source_.op, "sizes", sizes);
    }
    const std::int64_t count = known_length(sizes);
    if (count >= 0 && count != std::ssize(names))
      throw ParameterError(
          "length_mismatch",
          source_.message(fmt::format("sizes has {} entries, expected one for each name ({})",
                                      count, shown(text))));
    std::vector<Factor*> sized;
    for (const std::string_view name : names) sized.push_back(&give_size(name));
    check_sizes_are_enough();
    if (sizes.is_open()) return;
    for (std::size_t k = 0; k < sized.size(); ++k) check_size(*sized[k], sizes, k);
    for (std::size_t k = 0; k < sized.size(); ++k) set_size(*sized[k], sizes, k);
  }

  /// Finds the extents of all factors.
  void match() {
    std::vector<Dim> known;
    for (const Part& part : left_) known.push_back(known_product(part));
    for (std::size_t axis = 0; axis < left_.size(); ++axis) match(axis, known[axis]);
  }

  /// The axes of x, taken apart.
  std::vector<Dim> split() const {
    std::vector<Dim> dims;
    for (std::size_t k = 0; k < old_count_; ++k) dims.push_back(*factors_[k].extent);
    return dims;
  }
  /// Those as they follow each other in the result.
  Index order() const {
    Index order;
    for (const Part& part : right_)
      for (const std::size_t k : part.factors)
        if (k < old_count_) order.push_back(static_cast<std::int64_t>(k));
    return order;
  }
  /// The axes of x, taken apart, that the result lacks.
  Index dropped() const {
    const Index kept = order();
    Index dropped;
    for (std::size_t k = 0; k < old_count_; ++k)
      if (const auto axis = static_cast<std::int64_t>(k);
          std::find(kept.begin(), kept.end(), axis) == kept.end())
        dropped.push_back(axis);
    return dropped;
  }
  /// Where new axes stand among them.
  Index added() const {
    Index added;
    std::int64_t place = 0;
    for (const Part& part : right_)
      for (const std::size_t k : part.factors) {
        if (k >= old_count_) added.push_back(place);
        ++place;
      }
    return added;
  }
  /// All of the axes of the result before they are merged, and after.
  std::vector<Dim> spread() const {
    std::vector<Dim> dims;
    for (const Part& part : right_)
      for (const Dim& dim : extents(part)) dims.push_back(dim);
    return dims;
  }
  std::vector<Dim> merged() const {
    std::vector<Dim> dims;
    for (const Part& part : right_) {
      const std::optional<Dim> dim = product(extents(part));
      if (!dim) throw_overflow(part);
      dims.push_back(*dim);
    }
    return dims;
  }

 private:
  void add_left() {
    for (const Group& group : pattern_.left.groups) {
      if (group.is_ellipsis()) {
        first_dot_ = factors_.size();
        dot_count_ = x_.rank() - pattern_.left.group_count();
        for (std::size_t k = 0; k < dot_count_; ++k) {
          left_.push_back({group.at, {factors_.size()}});
          factors_.push_back({group.axes[0], std::nullopt});
        }
      } else {
        Part& part = left_.emplace_back(Part{group.at, {}});
        for (const Axis& axis : group.axes) {
          part.factors.push_back(factors_.size());
          factors_.push_back({axis, std::nullopt});
          if (axis.kind == Axis::number) factors_.back().extent = Dim(axis.value);
        }
      }
    }
    old_count_ = factors_.size();
    if (old_count_ > max_rank) refuse_count(old_count_, pattern_.left);
  }

  void add_right() {
    std::size_t count = 0;
    for (const Group& group : pattern_.right.groups) {
      std::vector<std::size_t> factors;
      for (const Axis& axis : group.axes) add_right(axis, factors);
      count += factors.size();
      if (group.is_ellipsis())
        for (const std::size_t k : factors) right_.push_back({group.at, {k}});
      else right_.push_back({group.at, std::move(factors)});
    }
    count = std::max(count, right_.size());
    if (count > max_rank) refuse_count(count, pattern_.right);
  }

  [[noreturn]] void refuse_count(std::size_t count, const Side& side) const {
    source_.refuse_rank(
        fmt::format("{} axes on the {}, at most {} are allowed", count, side.where, max_rank),
        side.find_ellipsis()->at);
  }

  void add_right(const Axis& axis, std::vector<std::size_t>& factors) {
    if (axis.kind == Axis::dots) {
      for (std::size_t k = 0; k < dot_count_; ++k) factors.push_back(first_dot_ + k);
    } else if (const Factor* const old = find(axis.text); old && axis.kind == Axis::name) {
      factors.push_back(static_cast<std::size_t>(old - factors_.data()));
    } else {
      factors.push_back(factors_.size());
      factors_.push_back({axis, std::nullopt});
      if (axis.kind == Axis::number) factors_.back().extent = Dim(axis.value);
    }
  }

  Factor* find(std::string_view name) {
    for (Factor& factor : factors_)
      if (factor.axis.kind == Axis::name && factor.axis.text == name) return &factor;
    return nullptr;
  }

  /// Of 1 or more: what is certain before the number is known.
  Factor& give_size(std::string_view name) {
    Factor* const factor = find(name);
    if (!factor)
      throw ParameterError(
          "bad_pattern",
          source_.message(fmt::format("a size is given for axis {}, which is not in the pattern",
                                      shown(name))));
    if (factor->extent)
      source_.refuse(fmt::format("the size of axis {} is given twice", shown(name)),
                     factor->axis.at);
    factor->extent = Dim(1, Dim::unbounded);
    return *factor;
  }

  void check_sizes_are_enough() const {
    for (const Part& part : left_) {
      std::vector<const Axis*> unknown;
      for (const std::size_t k : part.factors)
        if (!factors_[k].extent) unknown.push_back(&factors_[k].axis);
      if (unknown.size() < 2) continue;
      std::string others;
      for (std::size_t k = 1; k < unknown.size(); ++k)
        others += (k > 1 ? ", " : "") + shown(unknown[k]->text);
      source_.refuse(fmt::format("no size is known for axis {}, nor for {} beside it",
                                 shown(unknown[0]->text), others),
                     unknown[0]->at);
    }
    for (std::size_t k = old_count_; k < factors_.size(); ++k)
      if (!factors_[k].extent)
        source_.refuse(
            fmt::format("no size is given for the new axis {}", shown(factors_[k].axis.text)),
            factors_[k].axis.at);
  }

  void check_size(const Factor& factor, const Ints& sizes, std::size_t k) const {
    if (sizes[k] < 1)
      source_.refuse(
          fmt::format("size {} of axis {}, expected 1 or more", sizes[k], shown(factor.axis.text)),
          factor.axis.at);
  }
  void set_size(Factor& factor, const Ints& sizes, std::size_t k) const {
    if (sizes.exceeds_int64(k))
      throw OverflowError(source_.message(
          fmt::format("size {} of axis {} is beyond int64", sizes.text(k), shown(factor.axis.text)),
          factor.axis.at));
    factor.extent = Dim(sizes[k]);
  }

  std::vector<Dim> extents(const Part& part) const {
    std::vector<Dim> dims;
    for (const std::size_t k : part.factors)
      if (factors_[k].extent) dims.push_back(*factors_[k].extent);
    return dims;
  }
  Dim known_product(const Part& part) const {
    const std::optional<Dim> known = product(extents(part));
    if (!known) throw_overflow(part);
    return *known;
  }

  /// "h * p", of the factors that are known.
  std::string text(const Part& part) const {
    std::string text;
    for (const std::size_t k : part.factors) {
      if (!factors_[k].extent) continue;
      const Axis& axis = factors_[k].axis;
      text += (text.empty() ? "" : " * ") +
              (axis.kind == Axis::dots ? to_string(*factors_[k].extent) : shown(axis.text));
    }
    return text;
  }
  [[noreturn]] void throw_overflow(const Part& part) const {
    throw OverflowError(source_.message(fmt::format("{} is beyond int64", text(part)), part.at));
  }

  /// Makes the product of the factors the extent of that axis of x, of which `known` are known.
  void match(std::size_t axis, const Dim& known) {
    const Part& part = left_[axis];
    const Dim& extent = x_[axis];
    const auto unknown = std::find_if(part.factors.begin(), part.factors.end(),
                                      [&](std::size_t k) { return !factors_[k].extent; });
    if (unknown != part.factors.end()) {
      const std::optional<Dim> rest = quotient(extent, known);
      if (!rest)
        throw ShapeError(source_.message(
            fmt::format("extent {} of axis {} is not divisible by {} = {} (shape {})",
                        to_string(extent), axis, text(part), to_string(known), to_string(x_)),
            part.at));
      factors_[*unknown].extent = *rest;
      return;
    }
    const std::int64_t low = std::max(known.low(), extent.low());
    const std::int64_t high = std::min(known.high(), extent.high());
    if (low > high)
      throw ShapeError(source_.message(
          fmt::format("axis {} has extent {}, expected {}{}{} (shape {})", axis, to_string(extent),
                      text(part), part.factors.empty() ? "" : " = ", to_string(known),
                      to_string(x_)),
          part.at));
    if (part.factors.size() == 1) factors_[part.factors[0]].extent = Dim(low, high, extent.name());
  }

  const Pattern& pattern_;
  const Source& source_;
  const PartialShape& x_;
  std::vector<Factor> factors_;  ///< those of x, then the new ones
  std::size_t old_count_ = 0, first_dot_ = 0, dot_count_ = 0;
  std::vector<Part> left_, right_;
};

bool is_ellipsis_merged(const Side& side) {
  return side.find_ellipsis() && std::none_of(side.groups.begin(), side.groups.end(),
                                              [](const Group& g) { return g.is_ellipsis(); });
}

Shape known_shape(const std::vector<Dim>& dims) { return PartialShape(dims).lowest(); }

/// The same extents, with names that x lends.
Extents with_names_of(const Extents& x, const PartialShape& result) {
  Extents extents;
  for (const Dim& dim : result.dims()) {
    Extent extent(dim.low(), dim.high());
    for (std::size_t axis = 0; axis < x.rank(); ++axis)
      if (const Extent own = x[axis]; own.name && *own.name == dim.name()) extent.name = own.name;
    extents.push_back(extent);
  }
  return extents;
}

Tensor reshaped(const Tensor& x, const Shape& shape) {
  return shape == x.shape() ? x : reshape(x, shape);
}

}  // namespace

AxisSizes::AxisSizes(std::initializer_list<std::pair<std::string, AnyInteger>> sizes) {
  std::vector<std::int64_t> bits;
  DType dtype = i64;
  for (const auto& [name, size] : sizes) {
    names_ += (names_.empty() ? "" : " ") + name;
    bits.push_back(size.bits);
    if (size.exceeds_int64) dtype = u64;
  }
  sizes_ = Ints(dtype, 1, bits);
}

Tensor follow_pattern(std::string_view op, const Tensor& x, const std::string& pattern,
                      const std::string& names, const Ints& sizes, OneSided one_sided,
                      const ReduceAxes& reduce) {
  const Pattern parsed = parse(op, pattern, one_sided);
  const PartialShape shape = x.shape();
  check_rank(parsed, shape);
  Resolver resolver(parsed, shape);
  resolver.set_sizes(names, sizes);
  resolver.match();
  const Shape split = known_shape(resolver.split()), spread = known_shape(resolver.spread());
  const Shape merged = known_shape(resolver.merged());
  Index order = resolver.order();
  const Index added = resolver.added(), dropped = resolver.dropped();
  check_shape(op, split, x.dtype());
  check_shape(op, spread, x.dtype());
  Tensor result = reshaped(x, split);
  if (!dropped.empty()) {
    result = reduce(result, dropped);
    for (std::int64_t& axis : order)
      axis -= std::count_if(dropped.begin(), dropped.end(),
                            [&](std::int64_t gone) { return gone < axis; });
  }
  if (!std::is_sorted(order.begin(), order.end())) result = transpose(result, order);
  if (!added.empty()) result = expand_dims(result, added);
  if (!(spread == result.shape())) result = broadcast_to(result, spread);
  return reshaped(result, merged);
}

KnownType infer_pattern(std::string_view op, const KnownType& type, const std::string& pattern,
                        const std::string& names, const Ints& sizes, OneSided one_sided) {
  const Pattern parsed = parse(op, pattern, one_sided);
  PartialShape x = type.shape.partial();
  bool has_result_rank = true;
  if (!x.has_rank()) {
    // An ellipsis that is merged is as good as one axis, unless there is room for none.
    const bool is_merged = is_ellipsis_merged(parsed.right);
    const bool has_room = std::max(parsed.left.axis_count(), parsed.right.axis_count()) < max_rank;
    has_result_rank = is_merged || !parsed.left.find_ellipsis();
    x = PartialShape::of_rank(parsed.left.group_count() + (is_merged && has_room ? 1 : 0));
  }
  check_rank(parsed, x);
  Resolver resolver(parsed, x);
  resolver.set_sizes(names, sizes);
  resolver.match();
  if (!has_result_rank) return {type.dtype, Extents::any()};
  const PartialShape result(resolver.merged());
  check_shape(op, result.lowest(), type.dtype);
  return {type.dtype, with_names_of(type.shape, result)};
}

}  // namespace weft
