// SPDX-License-Identifier: Apache-2.0
// The planner: demands walk from the output to stored tensors, merged at every node on the way.
#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <optional>

#include <weft/graph/elementwise.h>
#include <weft/graph/expression.h>
#include <weft/graph/indexed.h>
#include <weft/graph/map/cyclic_map.h>
#include <weft/graph/map/pull_back.h>
#include <weft/graph/plan/by_kind.h>
#include <weft/graph/plan/computed.h>
#include <weft/graph/plan/computed_whole.h>
#include <weft/graph/plan/cut_operands.h>
#include <weft/graph/plan/demand.h>
#include <weft/graph/plan/linear_order.h>
#include <weft/graph/plan/multiplied.h>
#include <weft/graph/plan/plain_program.h>
#include <weft/graph/plan/plan.h>
#include <weft/graph/plan/reads.h>
#include <weft/graph/plan/reduced.h>
#include <weft/graph/plan/run_order.h>
#include <weft/graph/plan/staging.h>
#include <weft/graph/plan/strided_operand.h>
#include <weft/graph/value/error.h>

#ifndef WEFT_CHECK_INVARIANTS
#define WEFT_CHECK_INVARIANTS 0
#endif

namespace weft {
namespace {

constexpr bool check_invariants = WEFT_CHECK_INVARIANTS != 0;

// So many boxes are never counted as work: a few are what fusion is for, however long the chain.
constexpr std::size_t uncounted_boxes = 16;

// What a byte takes that is moved, in nanoseconds.
constexpr double byte_cost = 0.0275;

// Room for the sources of small plans, at once.
constexpr std::size_t few_sources = 4;

std::size_t counted(std::size_t boxes) {
  return boxes > uncounted_boxes ? boxes - uncounted_boxes : 0;
}

class Planner {
 public:
  Planner(const Expression& expression, const PlanLimits& limits, const Indices& indices,
          const PlanningCheck& check, const StoredVertices& stored, std::size_t& at,
          bool may_compute_parts)
      : expression_(expression),
        indices_(indices),
        check_(check),
        stored_(stored),
        budget_(limits.planning_bytes),
        at_(at),
        demands_(expression.size(), arena_) {
    plan_.limits = limits;
    plan_.sources.reserve(std::min(expression.size(), few_sources));
    plan_.tables.max_phases = limits.phases;
    plan_.tables.budget = &budget_;
    if (!may_compute_parts) slots_.compute_no_parts();
  }

  /// None where parts that are computed apart do not fit together.
  std::optional<Plan> run() {
    for (const std::uint32_t root : expression_.roots()) {
      const std::size_t base = order_base(expression_, root);
      demands_[base].is_output = true;
      bases_.push_back(base);
    }
    for (const std::uint32_t v : expression_.order()) {
      at_ = v;
      if (check_) check_();
      if (demands_.is_output(v)) start_output(v);
      if (!demands_.has(v) || demands_[v].is_empty()) continue;
      visit(v);
      demands_.clear(v);
    }
    if (!finish()) return {};
    plan_.tables.budget = nullptr;
    return std::move(plan_);
  }

 private:
  /// The pass that makes an output; whoever else asks for the vertex reads that, or what is stored.
  void start_output(std::size_t v) {
    const Node& node = *expression_[v].node;
    const Region whole = whole_region(node);
    outputs_.add(v, plan_.passes.size());
    if (!demands_[v].is_empty() && !expression_[v].is_stored) store(v, whole, "result");
    else start_pass(v, whole, "result");
  }

  /// A new pass that stores `region` of vertex v, starting from its densest demand.
  void start_pass(std::size_t v, const Region& region, std::string what) {
    const std::size_t pass = plan_.passes.size();
    const DType dtype = expression_[v].node->dtype();
    plan_.passes.emplace_back(std::move(what), TensorType{dtype, region.shape},
                              element_count(region.shape));
    Demand& demand = demands_[v];
    WriteTarget target{pass};
    target.part = Part::whole(dtype.size());
    demand.boxes.push_back({target, Boxes(&arena_), true});
    demand.boxes.back().boxes.push_back(dense_box(region.shape, region.origin, &plan_.tables));
    demand.is_whole = true;
  }

  void visit(std::size_t v) {
    Demand& demand = demands_[v];
    if (demand.boxes.size() > 1) slots_.find_equal(plan_.passes, demand.boxes);
    // What reaches memory is joined there, in linear order.
    const bool is_stored = expression_[v].is_stored;
    for (TargetBoxes& own : demand.boxes) {
      if (!own.is_merged && !is_stored) merge(own.boxes);
      if constexpr (check_invariants)
        for (const Box& box : own.boxes) check_box(box, expression_[v].node->shape());
    }
    if (is_stored) return read_stored(v);
    const Node& node = *expression_[v].node;
    const IndexedMovement* const indexed = node.operation().as<IndexedMovement>();
    if (indexed) plan_.index_bytes += indices_.of(node).copied_bytes();
    const bool is_computed = by_kind::is_computed(node), keeps_order = by_kind::keeps_order(node);
    const bool may_be_computed = indexed && indexed->may_be_computed();
    const Elementwise* const elementwise = node.operation().as<Elementwise>();
    if (is_computed && !demand.is_whole) {
      store(v);
    } else if (may_be_computed && !demand.is_whole && is_better_computed(v, *indexed)) {
      refuse(v, fmt::format("it is computed, in place of more than {} boxes", limits_.boxes));
      store(v, whole_region(node), std::string(node.op()));
    } else if (!demand.whole_readers.empty()) {
      if (keeps_order && demand.boxes.empty() && demand.linear.empty())
        return pass_on_whole_readers(v, order_base(expression_, v));
      store(v);
    } else if (by_kind::must_be_stored(node) && !demand.is_whole) {
      refuse(v, "stored() was asked for");
      store(v);
    } else if (is_to_be_stored(v) && !demand.is_whole) {
      refuse(v, "all at once would be moved in pieces that are too small");
      store(v);
    } else if (!demand.linear.empty() ||
               (elementwise && !demand.is_whole && !is_computed_where_asked(v))) {
      store(v);
    } else if (!demand.is_whole && count_boxes(demand.boxes) > limits_.boxes && can_store(v)) {
      refuse(v, fmt::format("{} boxes ask for it, at most {} are carried on",
                            count_boxes(demand.boxes), limits_.boxes));
      store(v);
    }
    if (expression_[v].uses > 1 && !demand.is_whole)
      plan_.shared.push_back(
          {std::string(node.op()), node.shape(), expression_[v].uses, count_boxes(demand.boxes)});
    if (is_computed || (may_be_computed && is_better_computed(v, *indexed))) compute(v);
    else if (elementwise) define(v, *elementwise);
    else if (keeps_order) pull_through_order(v);
    else {
      if (indexed) indices_.checked(node);
      pull(v);
    }
  }

  bool is_to_be_stored(std::size_t v) const {
    return std::find(stored_.begin(), stored_.end(), v) != stored_.end();
  }

  /// Whether every pass that asks for v can compute it, and that is better than to store it: each
  /// asks for v alone, and for no more of it than is stored.
  bool is_computed_where_asked(std::size_t v) {
    const BoxesByTarget& all = demands_[v].boxes;
    const std::int64_t element = expression_[v].node->dtype().size();
    const std::int64_t stored = element_count(asked_region(v).shape);
    if (!slots_.can_define(plan_.passes, expression_, v, all, stored)) return false;
    if (all.size() == 1)
      return !limits_.may_spend(stored * element) || !cuts_operands(expression_, v, all[0], stored);
    // Those that ask for different parts compute nothing twice.
    std::int64_t asked = 0;
    for (const TargetBoxes& own : all) asked += count_of(own);
    const double again = static_cast<double>(asked - stored) / static_cast<double>(stored);
    return again * costs_.of(v) <= 2 * byte_cost * static_cast<double>(element);
  }

  /// Each pass that asks for v computes it; what it computes it of is asked for by slots.
  void define(std::size_t v, const Elementwise& operation) {
    const Node& node = *expression_[v].node;
    const bool is_step = step_of(expression_, v) != nullptr;
    for (const TargetBoxes& own : demands_[v].boxes) {
      const std::size_t p = own.target.pass;
      if (!slots_.has(p)) slots_.add(p, p, node.dtype(), plan_.passes[p].count);
      const std::size_t owner = slots_[p].owner;
      ++slots_[owner].steps;
      SlotDefinition definition{&operation.instruction(), {}};
      for (std::size_t k = 0; k < operation.operand_count(); ++k)
        definition.operands.push_back(operand_of(v, k, operation, own, owner, is_step));
      slots_[p].definitions.push_back(std::move(definition));
    }
  }

  SlotOperand operand_of(std::size_t v, std::size_t k, const Elementwise& operation,
                         const TargetBoxes& own, std::size_t owner, bool is_step) {
    const std::size_t operand = expression_.operand(v, k);
    const Expression::Vertex& vertex = expression_[operand];
    const std::int64_t count = count_of(own);
    // Where one element of several is computed, what is read tells which.
    const bool may_be_constant = is_step && (count > 1 || plan_.passes[owner].count == 1);
    if (may_be_constant && vertex.is_stored && vertex.node->count() == 1)
      return {source_of_constant(plan_, expression_, operand), true};
    const Node& node = *expression_[v].node;
    const DType type = vertex.node->dtype();
    const std::size_t pass = plan_.passes.size();
    plan_.passes.push_back({{}, {type, plan_.passes[owner].type.shape}, count, {}, false});
    slots_.add(pass, owner, type, count).may_compute = is_step;
    WriteTarget target{pass};
    target.part = Part::whole(type.size());
    Boxes boxes(&arena_);
    boxes.reserve(own.boxes.size());
    for (const Box& box : own.boxes) {
      boxes.push_back(operation.pull_back(k, node.shape(), box));
      canonicalise(boxes.back());
    }
    BoxesByTarget asked(&arena_);
    asked.push_back({target, std::move(boxes), false});
    propagate(v, operand, asked);
    return {pass, false};
  }

  bool is_better_computed(std::size_t v, const IndexedMovement& operation) const {
    return weft::is_better_computed(expression_, v, operation, demands_[v],
                                    element_count(asked_region(v).shape), limits_);
  }

  /// The pass that stores v is a computation, and its operands are asked for whole.
  void compute(std::size_t v) {
    const std::size_t p = demands_[v].boxes[0].target.pass;
    const Node& node = *expression_[v].node;
    std::vector<OperandLayout> layouts;
    for (std::size_t k = 0; k < expression_[v].operand_count; ++k) {
      if (k == index_of(node)) continue;
      const std::size_t operand = expression_.operand(v, k);
      const Node& of = *expression_[operand].node;
      PassOperand& read = plan_.passes[p].operands.emplace_back();
      read.bytes = of.bytes();
      if (of.count() > 0) {
        layouts.push_back(ask_whole(v, operand, p));
      } else {  // there is nothing to store, nor to read
        layouts.push_back({Shape(of.rank(), 0)});
        read.source = plan_.sources.size();
        plan_.sources.push_back({nullptr, type_of(operand), 0, PlanSource::stored, operand});
      }
    }
    Pass& pass = plan_.passes[p];
    if (const auto* const reduction = node.operation().as<Reduction>())
      pass.reduction = reduction_of(*reduction, type_of(expression_.operand(v, 0)), layouts[0]);
    else if (const auto* const product = node.operation().as<Product>())
      pass.product = product_of(*product, type_of(v), layouts);
    else pass.computation = by_kind::computation(node, indices_, layouts);
  }

  /// Asks for the next operand of a computation where it lies, or else for it to be stored.
  OperandLayout ask_whole(std::size_t v, std::size_t operand, std::size_t p) {
    const Shape& shape = expression_[operand].node->shape();
    const auto* const indexed = expression_[v].node->operation().as<IndexedMovement>();
    std::vector<PassOperand>& operands = plan_.passes[p].operands;
    const Demand::WholeReader whole{p, operands.size() - 1};  // whose source is told later
    const std::optional<StridedOperand> found = operand_in_place(expression_, v, operand, arena_);
    const bool is_in_order = found && follow_one_another(shape, found->strides);
    if (indexed && indexed->writes_over_first() && whole.operand == 0 && !is_in_order) {
      BoxesByTarget asked(&arena_);
      asked.push_back(demands_[v].boxes[0]);
      propagate(v, operand, asked);
      return {{}, true};
    }
    demands_[found ? found->vertex : operand].whole_readers.push_back(whole);
    if (!found) return {row_major_strides(shape)};
    operands.back().offset = found->offset * expression_[operand].node->dtype().size();
    if (!is_in_order) operands.back().strides = found->strides;
    return {found->strides};
  }

  void pass_on_whole_readers(std::size_t v, std::size_t base) {
    for (const Demand::WholeReader& whole : demands_[v].whole_readers)
      demands_[base].whole_readers.push_back(whole);
  }

  /// Tells the computations that read v which source it is.
  void tell_whole_readers(std::size_t v, std::size_t source) {
    for (const auto& [pass, operand] : demands_[v].whole_readers)
      plan_.passes[pass].operands[operand].source = source;
  }

  void read_stored(std::size_t v) {
    const Node& node = *expression_[v].node;
    const std::size_t source = plan_.sources.size();
    plan_.sources.push_back({node.value(), type_of(v), node.count(), PlanSource::stored, v});
    tell_whole_readers(v, source);
    for (TargetBoxes& own : demands_[v].boxes) {
      for (Box& box : own.boxes) linearise(box, node.shape());
      read(source, own, node.dtype().size());
    }
    for (TargetBoxes& own : demands_[v].linear) read(source, own);
  }

  void read(std::size_t source, TargetBoxes& lines) {
    reads_.add({lines.target.pass, lines.target.layer, source, lines.target.part.unit,
                std::move(lines.boxes)});
  }
  /// Of linear boxes of elements.
  void read(std::size_t source, TargetBoxes& own, std::int64_t element) {
    for (Box& box : own.boxes) count_in_units(box, own.target.part, element);
    read(source, own);
  }

  /// One op, or a run of rolls and transposes: its boxes become boxes of its operands, or it is
  /// stored where they would be too many.
  void pull(std::size_t v) {
    CyclicMap map;
    const std::size_t end = end_of_run(v, map);
    const CyclicMap* const run = end == v ? nullptr : &map;
    const bool fits = try_pull(v, run);
    if (!fits && !demands_[v].is_whole) {
      refuse(v, fmt::format("its boxes would be cut into more than {}, or into more than storing "
                            "it costs",
                            limits_.boxes));
      store(v);
      try_pull(v, run);
    }
    if (run) return propagate(v, end, asked_[0]);
    for (std::size_t k = 0; k < asked_.size(); ++k)
      propagate(v, expression_.operand(v, k), asked_[k]);
  }

  /// The operand behind a run of two or more rolls and transposes that starts at v and is used by
  /// nobody else, with the map to it; v itself where there is no such run.
  std::size_t end_of_run(std::size_t v, CyclicMap& map) const {
    const auto goes_on = [&](std::size_t w) {
      return !expression_[w].is_stored && expression_[w].uses == 1 && !demands_.is_output(w) &&
             by_kind::composes(*expression_[w].node) && !is_to_be_stored(w);
    };
    if (!by_kind::composes(*expression_[v].node) || !goes_on(expression_.operand(v, 0))) return v;
    map = CyclicMap::identity(expression_[v].node->rank());
    std::size_t end = v;
    do {
      by_kind::compose(*expression_[end].node, map);
      end = expression_.operand(end, 0);
    } while (goes_on(end));
    return end;
  }

  void propagate(std::size_t v, std::size_t operand, BoxesByTarget& asked) {
    Demand& demand = demands_[operand];
    demand.work = std::max(demand.work, demands_[v].work + counted(count_boxes(asked)));
    if (demand.boxes.empty()) return demand.boxes.swap(asked);
    for (TargetBoxes& own : asked) add_boxes(demand.boxes, std::move(own));
  }

  /// False where the operands would be asked for too many boxes and storing v could help.
  bool try_pull(std::size_t v, const CyclicMap* run) {
    const Node& node = *expression_[v].node;
    const Demand& demand = demands_[v];
    // Asked once: what is asked for is looked through for it.
    std::optional<bool> forced;
    const auto is_forced = [&] {
      if (!forced) forced = demand.is_whole || !can_store(v);
      return *forced;
    };
    asked_.resize(expression_[v].operand_count, BoxesByTarget(&arena_));
    for (BoxesByTarget& asked : asked_) asked.clear();
    std::size_t count = 0;
    for (const TargetBoxes& own : demand.boxes) {
      // Layers of one node under several targets would double at every op that paints.
      pull_.reset(asked_.size(), demand.boxes.size() == 1 &&
                                     own.target.depth < WriteTarget::max_depth &&
                                     !slots_.is_operand(own.target.pass));
      try {
        for (const Box& box : own.boxes) {
          if (run) pull_back(*run, node.shape(), box, pull_);
          else by_kind::pull_back(node, indices_, box, pull_);
          if (pull_.count() > 16 * limits_.boxes && !is_forced()) return false;
        }
      } catch (const TooManyBoxes&) {
        if (is_forced()) throw_too_large(v);
        return false;
      }
      const std::size_t made = pull_.finish();
      count += made;
      distribute(own, made == own.boxes.size());
    }
    if (count <= limits_.boxes && (demand.is_whole || fits_budget(v, v, count))) return true;
    if (is_forced()) return true;
    count = 0;
    for (BoxesByTarget& all : asked_)
      for (TargetBoxes& own : all) {
        merge(own.boxes);
        count += own.boxes.size();
      }
    return count <= limits_.boxes && fits_budget(v, v, count);
  }

  /// Whether pulling v's demand on, which makes `count` boxes, is cheaper than storing `stored`
  /// first.
  bool fits_budget(std::size_t v, std::size_t stored, std::size_t count) const {
    if (counted(count) == 0 || limits_.bytes_per_box == 0) return true;
    const Node& node = *expression_[stored].node;
    const std::int64_t bytes =
        stored == v ? element_count(asked_region(v).shape) * node.dtype().size() : node.bytes();
    return static_cast<std::int64_t>(demands_[v].work + counted(count)) <=
           bytes / limits_.bytes_per_box;
  }

  /// From what the op asked for one target to the targets of its operands. An op that cuts nothing
  /// makes nothing joinable that was not so before, but where it drops an axis; that is left to the
  /// last joining, in front of the stored tensors.
  void distribute(const TargetBoxes& from, bool is_merged) {
    const auto add = [&](BoxesByTarget& all, const WriteTarget& target, Boxes& boxes) {
      if (!boxes.empty()) add_boxes(all, {target, std::move(boxes), is_merged});
    };
    for (std::size_t k = 0; k < asked_.size(); ++k) {
      auto& [plain, below, above] = pull_.asked()[k];
      if (!pull_.is_painted()) {
        add(asked_[k], from.target, plain);
        continue;
      }
      // Once one box is painted all of them move to the layers, so that they still merge.
      add(asked_[k], from.target.painted(!above.empty()), plain);
      add(asked_[k], from.target.painted(false), below);
      add(asked_[k], from.target.painted(true), above);
    }
  }

  /// Reshapes and the like: the whole run of them in one step, in linear order over what is stored.
  void pull_through_order(std::size_t v) {
    const std::size_t base = order_base(expression_, v);
    const Shape& from = expression_[v].node->shape();
    BoxesByTarget lines(&arena_), asked(&arena_);
    for (const TargetBoxes& own : demands_[v].boxes) add_lines(v, base, own, lines);
    if (!expression_[base].is_stored && demands_[base].linear.empty()) {
      const std::size_t count = to_coordinates(lines, type_of(base), limits_.boxes, arena_, asked);
      if (count > 0 && fits_budget(v, base, count)) return propagate(v, base, asked);
      refuse(base,
             fmt::format("reshaping it to {} would cut it into more boxes than storing it costs",
                         to_string(from)));
    }
    for (TargetBoxes& own : lines)
      for (Box& box : own.boxes) add_box(demands_[base].linear, own.target, std::move(box));
  }

  /// Adds boxes of v in linear order, in units that an element of the base has a whole number of.
  void add_lines(std::size_t v, std::size_t base, const TargetBoxes& own,
                 BoxesByTarget& lines) const {
    const Node& node = *expression_[v].node;
    const std::int64_t unit = own.target.part.unit;
    const std::int64_t common = std::gcd(unit, expression_[base].node->dtype().size());
    WriteTarget target = own.target;
    target.part = Part::whole(common);
    for (Box box : own.boxes) {
      linearise(box, node.shape());
      count_in_units(box, own.target.part, node.dtype().size());
      refine(box, unit / common);
      add_box(lines, target, std::move(box));
    }
  }

  TensorType type_of(std::size_t v) const {
    const Node& node = *expression_[v].node;
    return {node.dtype(), node.shape()};
  }

  static Region whole_region(const Node& node) { return {Index(node.rank(), 0), node.shape()}; }

  Region asked_region(std::size_t v) const {
    const Node& node = *expression_[v].node;
    if (by_kind::is_computed(node) || !demands_[v].whole_readers.empty()) return whole_region(node);
    return weft::asked_region(demands_[v], type_of(v));
  }

  bool can_store(std::size_t v) const {
    const Region region = asked_region(v);
    return element_count(region.shape) * expression_[v].node->dtype().size() <=
           limits_.stored_bytes;
  }

  /// Whether a pass that reduces reads all of it: that may make it piece by piece, so that memory
  /// is looked at when it runs.
  bool is_reduced(std::size_t v) const {
    const auto& readers = demands_[v].whole_readers;
    return std::any_of(readers.begin(), readers.end(), [&](const Demand::WholeReader& reader) {
      return plan_.passes[reader.pass].reduction.reducer != nullptr;
    });
  }

  void store(std::size_t v) {
    if (!can_store(v) && !is_reduced(v)) throw_too_large(v);
    store(v, asked_region(v), std::string(expression_[v].node->op()));
  }

  /// Turns the demand on v into reads of a pass of its own, which v's operands are then asked for.
  void store(std::size_t v, const Region& region, std::string what) {
    const Node& node = *expression_[v].node;
    const Shape& shape = node.shape();
    const std::int64_t element = node.dtype().size();
    const std::size_t source = plan_.sources.size();
    plan_.sources.push_back(
        {nullptr, {node.dtype(), region.shape}, element_count(region.shape), plan_.passes.size()});
    tell_whole_readers(v, source);
    const std::int64_t first = linear_index(region.origin, shape);
    for (TargetBoxes& own : demands_[v].boxes) {
      for (Box& box : own.boxes) {
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
          affine(box, static_cast<std::int32_t>(axis), -region.origin[axis], 1);
        linearise(box, region.shape);
      }
      read(source, own, element);
    }
    for (TargetBoxes& own : demands_[v].linear) {
      for (Box& box : own.boxes) box.origin[0] -= first * (element / own.target.part.unit);
      read(source, own);
    }
    demands_[v] = Demand(arena_);
    start_pass(v, region, std::move(what));
  }

  void refuse(std::size_t v, const std::string& reason) {
    const Node& node = *expression_[v].node;
    plan_.refusals.push_back(
        fmt::format("{} {} is stored: {}", node.op(), to_string(node.shape()), reason));
  }

  [[noreturn]] void throw_too_large(std::size_t v) const {
    const Node& node = *expression_[v].node;
    throw MemoryError(
        fmt::format("{}: {} elements of shape {} would have to be stored on the way, at most {} "
                    "bytes are allowed",
                    node.op(), element_count(asked_region(v).shape), to_string(node.shape()),
                    limits_.stored_bytes));
  }

  /// Passes were found from the result on; they run the other way round.
  bool finish() {
    reads_.finish(plan_.passes);
    if (!slots_.is_empty()) {
      const auto number = meet_operands(plan_, slots_, budget_);
      if (!number) return false;
      outputs_.renumber(*number);
    }
    outputs_.reverse(plan_);
    outputs_.tell(bases_, plan_);
    for (std::size_t k = 0; k < bases_.size(); ++k)
      find_alias(plan_, plan_.outputs[k], expression_[expression_.roots()[k]].node->dtype());
    stage_copies(plan_);
    if constexpr (check_invariants)
      if (const std::string flaw = flaw_of_cover(plan_); !flaw.empty()) throw InternalError(flaw);
    return true;
  }

  const Expression& expression_;
  const Indices& indices_;
  const PlanningCheck& check_;
  const StoredVertices& stored_;
  PlanBudget budget_;
  Arena arena_{budget_};  // outlives all lists below
  std::size_t& at_;       // what is being planned
  Plan plan_;
  const PlanLimits& limits_ = plan_.limits;
  Demands demands_;
  SmallVector<std::size_t, 2> bases_;  // of the roots
  Outputs outputs_;
  Slots slots_;
  StepCosts costs_{expression_};
  // Of the op at hand; kept so that their memory serves the next.
  PullBack pull_{arena_};
  std::vector<BoxesByTarget, ArenaAllocator<BoxesByTarget>> asked_{&arena_};
  Reads reads_{arena_, budget_};
};

}  // namespace

Plan make_plan(const Expression& expression, const PlanLimits& limits, const Indices& indices,
               const PlanningCheck& check, const StoredVertices& stored) {
  if (const PlainProgram plain(expression); plain.exists()) return plain.plan(limits);
  std::size_t at = expression.root();
  try {
    std::optional<Plan> plan = Planner(expression, limits, indices, check, stored, at, true).run();
    return plan ? std::move(*plan)
                : *Planner(expression, limits, indices, check, stored, at, false).run();
  } catch (const PlanTooLarge&) {
    const Node& node = *expression[at].node;
    throw MemoryError(fmt::format("{} {}: the plan takes more than the {} bytes that are allowed",
                                  node.op(), to_string(node.shape()), limits.planning_bytes));
  }
}

}  // namespace weft
