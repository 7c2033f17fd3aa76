// SPDX-License-Identifier: Apache-2.0
// einsum: axes by number, and two operands at a time as matrices.
#include <weft/ops/product/einsum.h>

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <numeric>
#include <vector>

#include <weft/graph/define.h>
#include <weft/ops/elementwise/astype.h>
#include <weft/ops/elementwise/types.h>
#include <weft/ops/grow/broadcast_to.h>
#include <weft/ops/pattern/pattern_text.h>
#include <weft/ops/pick/diagonal.h>
#include <weft/ops/product/contraction.h>
#include <weft/ops/product/products.h>
#include <weft/ops/reduce/sums.h>
#include <weft/ops/shape/permute_dims.h>

namespace weft {
namespace {

using namespace pattern;

using Axes = std::vector<std::size_t>;

/// An operand of which each axis has a number; axes of extent 1 that stand for nothing have none.
struct Term {
  Tensor tensor{};
  Axes axes{};
  AxisSet set() const {
    AxisSet all = 0;
    for (const std::size_t axis : axes) all |= AxisSet{1} << axis;
    return all;
  }
};

/// The pattern, and what it says of operands of certain shapes.
class Einsum {
 public:
  Einsum(std::string_view text, const KnownTypes& types) : source_{"einsum", text} {
    const std::size_t arrow = text.find("->");
    if (arrow == text.npos) source_.refuse("there is no \"->\"", text.size());
    if (const std::size_t second = text.find("->", arrow + 2); second != text.npos)
      source_.refuse("there is a second \"->\"", second);
    std::size_t begin = 0;
    for (bool has_more = true; has_more;) {
      const std::size_t comma = std::min(text.find(',', begin), arrow);
      has_more = comma < arrow;
      sides_.push_back(side("left", begin, comma));
      ends_.push_back(comma);
      begin = comma + 1;
    }
    if (const std::size_t comma = text.find(',', arrow); comma != text.npos)
      source_.refuse("there is one result", comma);
    right_ = side("right", arrow + 2, text.size());
    if (sides_.size() != types.size())
      throw ParameterError("length_mismatch",
                           source_.message(fmt::format("{} operands are named, {} are given",
                                                       sides_.size(), types.size())));
    for (std::size_t k = 0; k < sides_.size(); ++k) add(k, types[k].shape);
    check_right();
  }

  /// The number of each axis of operand k, or of the result; `none` for those that are 1.
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  const std::vector<Axes>& operands() const { return operands_; }
  const Axes& result() const { return result_; }
  Extents shape() const {
    Extents shape;
    for (const std::size_t axis : result_)
      shape.push_back(axis == none ? Extent(1) : extents_[axis]);
    return shape;
  }
  std::vector<std::int64_t> extents() const {
    std::vector<std::int64_t> known;
    for (const Extent& extent : extents_) known.push_back(extent.low);
    return known;
  }
  /// "b i j".
  std::string names_of(const Axes& axes) const {
    std::string text;
    for (const std::size_t axis : axes) text += (text.empty() ? "" : " ") + names_[axis];
    return text;
  }

 private:
  Side side(std::string_view where, std::size_t begin, std::size_t end) const {
    Side made = parse_side(source_, where, begin, end, where == "left");
    for (const Group& group : made.groups)
      if (group.is_composed)
        source_.refuse("parentheses are for rearrange(), before or after this", group.at);
    return made;
  }

  /// The number of an axis, a new one where it has none.
  std::size_t number_of(const std::string& name, std::size_t at) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
    if (names_.size() == 64) source_.refuse_rank("more than 64 axes have names", at);
    names_.push_back(name);
    extents_.push_back(Extent());
    return names_.size() - 1;
  }

  void add(std::size_t k, const Extents& shape) {
    const Side& own = sides_[k];
    const std::size_t count = own.group_count();
    const bool is_exact = !own.find_ellipsis();
    if (!shape.has_rank()) throw InternalError("einsum: an operand of any rank");
    if (is_exact ? shape.rank() != count : shape.rank() < count)
      source_.refuse_rank(
          fmt::format("operand {} has rank {}, expected {}{} (shape {})", k, shape.rank(),
                      is_exact ? "" : "at least ", count, to_string(shape)),
          own.groups.empty() ? ends_[k] : own.groups[0].at);
    Axes axes;
    std::size_t axis = 0;
    for (const Group& group : own.groups) {
      if (group.is_ellipsis()) {
        const std::size_t dots = shape.rank() - count;
        most_dots_ = std::max(most_dots_, dots);
        for (std::size_t d = dots; d > 0; --d, ++axis)
          axes.push_back(meet_dots(number_of(dot_name(d), group.at), shape[axis], group.at, k));
      } else if (group.axes.empty()) {
        if (!shape[axis].contains(1))
          throw ShapeError(source_.message(
              fmt::format("axis {} of operand {} has extent {}, expected 1 (shape {})", axis, k,
                          to_string(shape[axis]), to_string(shape)),
              group.at));
        axes.push_back(none);
        ++axis;
      } else {
        const std::size_t number = number_of(std::string(group.axes[0].text), group.at);
        meet(number, shape[axis], group.at, k, axis);
        axes.push_back(number);
        ++axis;
      }
    }
    operands_.push_back(std::move(axes));
  }

  /// Of the axes that an ellipsis stands for, from the last one on.
  static std::string dot_name(std::size_t d) { return fmt::format("...{}", d); }

  void meet(std::size_t number, const Extent& own, std::size_t at, std::size_t k,
            std::size_t axis) {
    Extent& known = extents_[number];
    const std::int64_t low = std::max(known.low, own.low), high = std::min(known.high, own.high);
    if (low > high)
      throw ShapeError(source_.message(
          fmt::format("axis {} of operand {} has extent {}, expected {} = {} as in another", axis,
                      k, to_string(own), names_[number], to_string(known)),
          at));
    known = Extent(low, high, known.name ? known.name : own.name);
  }
  /// Broadcast: an axis of extent 1 stands for none.
  std::size_t meet_dots(std::size_t number, const Extent& own, std::size_t at, std::size_t k) {
    Extent& known = extents_[number];
    if (own.is(1)) {
      if (known == Extent()) known = own;
      return none;
    }
    if (known.is(1) || known == Extent()) known = own;
    else if (own.is_known() && known.is_known() && known.low != own.low)
      throw ShapeError(
          source_.message(fmt::format("extent {} of operand {} under the ellipsis meets {}",
                                      to_string(own), k, to_string(known)),
                          at));
    return number;
  }

  void check_right() {
    for (const Group& group : right_.groups) {
      if (group.axes.empty()) {
        result_.push_back(none);
      } else if (group.is_ellipsis()) {
        if (std::none_of(sides_.begin(), sides_.end(),
                         [](const Side& each) { return each.find_ellipsis(); }))
          source_.refuse("the ellipsis is only on the right", group.at);
        for (std::size_t d = most_dots_; d > 0; --d)
          result_.push_back(number_of(dot_name(d), group.at));
      } else {
        const auto found = std::find(names_.begin(), names_.end(), group.axes[0].text);
        if (found == names_.end())
          source_.refuse(fmt::format("{} is only on the right", to_string(group.axes[0])),
                         group.at);
        result_.push_back(static_cast<std::size_t>(found - names_.begin()));
      }
    }
  }

  Source source_;
  std::vector<Side> sides_;
  std::vector<std::size_t> ends_;
  Side right_;
  std::vector<std::string> names_;
  std::vector<Extent> extents_;
  std::vector<Axes> operands_;
  Axes result_;
  std::size_t most_dots_ = 0;
};

/// Of axes that are named several times their diagonal.
Term without_repeats(Term x) {
  for (std::size_t k = 0; k < x.axes.size();) {
    const std::size_t axis = x.axes[k];
    const auto begin = x.axes.begin() + static_cast<std::ptrdiff_t>(k);
    const auto again = std::find(begin + 1, x.axes.end(), axis);
    if (again == x.axes.end()) {
      ++k;
      continue;
    }
    x.tensor = diagonal(x.tensor, 0, k, again - x.axes.begin());
    x.axes.erase(again);
    x.axes.erase(begin);
    x.axes.push_back(axis);
  }
  return x;
}

/// Sums out the axes that are not in `needed`.
Term summed(const Term& x, AxisSet needed, DType type) {
  Term left;
  Index gone;
  for (std::size_t k = 0; k < x.axes.size(); ++k) {
    if (needed >> x.axes[k] & 1) left.axes.push_back(x.axes[k]);
    else gone.push_back(static_cast<std::int64_t>(k));
  }
  left.tensor = gone.empty() ? x.tensor : astype(sum(x.tensor, gone), type);
  return left;
}

/// With its axes in that order.
Tensor in_order(const Term& x, const Axes& order) {
  Index places;
  for (const std::size_t axis : order)
    places.push_back(std::find(x.axes.begin(), x.axes.end(), axis) - x.axes.begin());
  return std::is_sorted(places.begin(), places.end()) ? x.tensor : permute_dims(x.tensor, places);
}

/// Two operands, of which the axes in `needed` are left.
Term multiplied(const Einsum& all, Term x, Term y, AxisSet needed, DType type) {
  x = summed(x, needed | y.set(), type);
  y = summed(y, needed | x.set(), type);
  const AxisSet left = x.set(), right = y.set(), both = left & right;
  const auto some = [](const Axes& axes, AxisSet set) {
    Axes chosen;
    for (const std::size_t axis : axes)
      if (set >> axis & 1) chosen.push_back(axis);
    return chosen;
  };
  const Axes batch = some(x.axes, both & needed), inner = some(x.axes, both & ~needed),
             rows = some(x.axes, left & ~right), columns = some(y.axes, right & ~left);
  const std::vector<std::int64_t> extents = all.extents();
  const auto count = [&](const Axes& axes) {
    std::int64_t n = 1;
    for (const std::size_t axis : axes) n *= extents[axis];
    return n;
  };
  const auto matrices = [&](const Term& own, const Axes& first, const Axes& second) {
    Axes order = batch;
    Shape shape;
    for (const std::size_t axis : batch) shape.push_back(extents[axis]);
    for (const Axes* axes : {&first, &second}) {
      order.insert(order.end(), axes->begin(), axes->end());
      shape.push_back(count(*axes));
    }
    return read_as(in_order(own, order), shape);
  };
  Term made;
  for (const Axes* axes : {&batch, &rows, &columns})
    made.axes.insert(made.axes.end(), axes->begin(), axes->end());
  Shape shape;
  for (const std::size_t axis : made.axes) shape.push_back(extents[axis]);
  const std::string told = fmt::format("{}, {} -> {}", all.names_of(x.axes), all.names_of(y.axes),
                                       all.names_of(made.axes));
  made.tensor = read_as(multiply_matrices("einsum", type, matrices(x, rows, inner),
                                          matrices(y, inner, columns), told),
                        shape);
  return made;
}

struct EinsumCall {
  static constexpr std::string_view name = "einsum";
  static constexpr const Op& op = einsum_op;
  static constexpr std::tuple fields{
      operands("tensors", "what is multiplied"),
      parameter("pattern", "the axes of each, and those of the result")};

  static KnownType infer(const KnownTypes& tensors, const std::string& pattern) {
    if (tensors.empty())
      throw ParameterError("length_mismatch", "einsum: there are no tensors, expected 1 or more");
    DType type = tensors[0].dtype;
    for (const KnownType& each : tensors) type = product_type(name, type, each.dtype);
    for (const KnownType& each : tensors)
      if (!each.shape.has_rank()) return {type, Extents::any()};
    return {type, Einsum(pattern, tensors).shape()};
  }

  static Tensor make(const TensorType& type, const Tensors& tensors, const std::string& pattern) {
    KnownTypes types;
    for (const Tensor& each : tensors) types.push_back(known_type(each));
    const Einsum all(pattern, types);
    std::vector<Term> terms;
    std::vector<AxisSet> sets;
    for (std::size_t k = 0; k < tensors.size(); ++k) {
      Term& term = terms.emplace_back();
      Shape shape;
      for (std::size_t axis = 0; axis < tensors[k].rank(); ++axis) {
        if (all.operands()[k][axis] == Einsum::none) continue;
        term.axes.push_back(all.operands()[k][axis]);
        shape.push_back(tensors[k].shape()[axis]);
      }
      term.tensor = read_as(astype(tensors[k], type.dtype), shape);
      term = without_repeats(std::move(term));
      sets.push_back(term.set());
    }
    AxisSet kept = 0;
    for (const std::size_t axis : all.result())
      if (axis != Einsum::none) kept |= AxisSet{1} << axis;
    for (const auto& [a, b] : contraction_order(sets, kept, all.extents())) {
      const Term x = terms[a], y = terms[b];
      terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(b));
      terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(a));
      AxisSet needed = kept;
      for (const Term& other : terms) needed |= other.set();
      terms.push_back(multiplied(all, x, y, needed, type.dtype));
    }
    const Term last = summed(terms[0], kept, type.dtype);
    Axes order;
    for (const std::size_t axis : all.result())
      if (axis != Einsum::none &&
          std::find(last.axes.begin(), last.axes.end(), axis) != last.axes.end())
        order.push_back(axis);
    return read_as(in_order(last, order), type.shape);
  }
};

}  // namespace

constinit const Op einsum_op = op_of<EinsumCall>();

Tensor einsum(const Tensors& tensors, const std::string& pattern) {
  return build<EinsumCall>(tensors, pattern);
}

}  // namespace weft
