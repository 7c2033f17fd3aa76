// SPDX-License-Identifier: Apache-2.0
// Which slots are the same, and what can be computed where it is asked for.
#include <weft/graph/plan/slots.h>

#include <algorithm>

namespace weft {
namespace {

// Lists longer than this are not compared.
constexpr std::size_t most_compared = 32;

// So many parts of a value are computed apart at most.
constexpr std::size_t most_definitions = 8;

bool is_same(const Boxes& a, const Boxes& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Box& x, const Box& y) {
    return x.out_offset == y.out_offset && x.origin == y.origin &&
           std::equal(x.digits.begin(), x.digits.end(), y.digits.begin(), y.digits.end());
  });
}

/// Whether neighbours in the output are neighbours in a value of that shape. Where they are not it
/// is turned once it is made; its operands would be each.
bool is_in_rows(const TargetBoxes& asked, const Shape& shape) {
  return std::all_of(asked.boxes.begin(), asked.boxes.end(), [&](Box box) {
    linearise(box, shape);
    canonicalise(box);
    if (box.digits.empty()) return true;
    const Digit& inner = box.digits.back();
    return !inner.table && inner.in_stride == 1;
  });
}

}  // namespace

Slot& Slots::add(std::size_t pass, std::size_t owner, DType type, std::int64_t count) {
  if (of_.size() <= pass) of_.resize(pass + 1);
  of_[pass].owner = owner;
  of_[pass].type = type;
  of_[pass].count = count;
  return of_[pass];
}

bool Slots::is_same(const std::vector<Pass>& passes, const TargetBoxes& a,
                    const TargetBoxes& b) const {
  const Slot &one = of_[a.target.pass], &other = of_[b.target.pass];
  return a.target.part == b.target.part && one.owner == other.owner && one.type == other.type &&
         is_all_of(passes[a.target.pass], a, a.target.part.size) &&
         is_all_of(passes[b.target.pass], b, b.target.part.size) && weft::is_same(a.boxes, b.boxes);
}

void Slots::find_equal(const std::vector<Pass>& passes, BoxesByTarget& asked) {
  if (asked.size() > most_compared) return;
  for (std::size_t k = 1; k < asked.size(); ++k) {
    const std::size_t own = asked[k].target.pass;
    if (!is_operand(own)) continue;
    const auto end = asked.begin() + static_cast<std::ptrdiff_t>(k);
    const auto same = std::find_if(asked.begin(), end, [&](const TargetBoxes& other) {
      return is_operand(other.target.pass) && is_same(passes, other, asked[k]);
    });
    if (same == end) continue;
    of_[own].same_as = same->target.pass;
    asked.erase(asked.begin() + static_cast<std::ptrdiff_t>(k--));
  }
}

bool Slots::can_define(const std::vector<Pass>& passes, const Expression& expression, std::size_t v,
                       const BoxesByTarget& asked, std::int64_t stored) const {
  const DType type = expression[v].node->dtype();
  return std::all_of(asked.begin(), asked.end(), [&](const TargetBoxes& own) {
    const std::size_t p = own.target.pass;
    const Pass& pass = passes[p];
    if (pass.is_of_whole() || own.target.depth > 0 || pass.element() != type.size() ||
        own.target.part != Part::whole(type.size()) || count_of(own) > stored)
      return false;
    const bool is_part = count_of(own) != pass.count;
    if (is_part && (!may_compute_parts_ || !step_of(expression, v) ||
                    !is_in_rows(own, expression[v].node->shape())))
      return false;
    if (!has(p)) return true;
    const Slot& slot = of_[p];
    if (slot.type != type || slot.definitions.size() == most_definitions) return false;
    return !is_operand(p) ||
           (slot.may_compute && step_of(expression, v) && of_[slot.owner].steps < most_steps);
  });
}

std::int64_t count_of(const TargetBoxes& asked) {
  std::int64_t count = 0;
  for (const Box& box : asked.boxes) count += element_count(box);
  return count;
}

bool is_all_of(const Pass& pass, const TargetBoxes& asked, std::int64_t element) {
  if (asked.target.depth > 0 || pass.element() != element ||
      asked.target.part != Part::whole(element))
    return false;
  return count_of(asked) == pass.count;
}

const Elementwise* step_of(const Expression& expression, std::size_t v) {
  const auto* const operation = expression[v].node->operation().as<Elementwise>();
  if (!operation || !operation->instruction().may_be_in_programs() ||
      !is_in_programs(expression[v].node->dtype()))
    return nullptr;
  for (std::size_t k = 0; k < expression[v].operand_count; ++k)
    if (!is_in_programs(expression[expression.operand(v, k)].node->dtype())) return nullptr;
  return operation;
}

std::size_t source_of_constant(Plan& plan, const Expression& expression, std::size_t v) {
  for (std::size_t s = 0; s < plan.sources.size() && s < most_compared; ++s) {
    const PlanSource& source = plan.sources[s];
    if (source.pass == PlanSource::stored && source.vertex == v && source.count == 1) return s;
  }
  const Node& node = *expression[v].node;
  plan.sources.push_back({node.value(), {node.dtype(), node.shape()}, 1, PlanSource::stored, v});
  return plan.sources.size() - 1;
}

double StepCosts::of(std::size_t v) {
  if (!costs_.empty()) return costs_[v];
  costs_.resize(expression_.size());
  const auto& order = expression_.order();
  for (std::size_t k = order.size(); k-- > 0;) {
    const std::uint32_t w = order[k];
    if (expression_[w].is_stored) continue;
    double cost = 0;
    for (std::size_t i = 0; i < expression_[w].operand_count; ++i)
      cost += costs_[expression_.operand(w, i)];
    if (const auto* const own = expression_[w].node->operation().as<Elementwise>())
      cost += static_cast<double>(own->instruction().cost);
    costs_[w] = cost;
  }
  return costs_[v];
}

}  // namespace weft
