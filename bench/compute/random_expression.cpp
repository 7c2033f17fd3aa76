// SPDX-License-Identifier: Apache-2.0
// Drawing from the result to what is stored: what has that shape and that type?
#include "compute/random_expression.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <weft/engine/memory/buffer.h>
#include <weft/graph/op.h>
#include <weft/graph/plan/plan.h>
#include <weft/weft.h>

#include "support/computed_graph.h"
#include "support/random.h"

namespace weft::bench {
namespace {

using testing::Random;

constexpr double least_bytes = 4 << 10, most_bytes = 8 << 20;
constexpr std::int64_t most_elements = 4 << 20;  // of what is moved to that
constexpr std::size_t most_ops = 14;

/// One op that computes, by the types that it takes and makes.
struct Choice {
  const Op* op;
  DType taken, made;
  bool is_cheap;
};

const std::vector<Choice>& choices() {
  static const std::vector<Choice> all = [] {
    static constexpr std::string_view cheap[] = {
        "add",        "subtract", "multiply",    "divide",    "minimum",     "maximum",
        "fma",        "clip",     "negative",    "abs",       "square",      "sqrt",
        "relu",       "less",     "equal",       "greater",   "logical_and", "logical_or",
        "bitwise_or", "round",    "bitwise_and", "reciprocal"};
    std::vector<Choice> found;
    for (const testing::ComputingOp& each : testing::computing_ops())
      for (const DType type : each.taken) {
        const Tensor x = zeros({1}, type);
        const Tensor made = each.op->build({std::vector<Tensor>(each.op->operands.size(), x), {}});
        if (type != c64 && type != c128)
          found.push_back(
              {each.op, type, made.dtype(),
               std::find(std::begin(cheap), std::end(cheap), each.op->name) != std::end(cheap)});
      }
    return found;
  }();
  return all;
}

/// Where a value of the way in stages lies, or what its last op was.
enum class Kind : std::uint8_t { stored, moved, computed };

struct Value {
  Tensor fused, staged;
  Kind kind;
};
using Number = std::size_t;

class Drawing {
 public:
  explicit Drawing(std::uint64_t seed) : random_(seed) {}

  RandomExpression run() {
    const DType type = any_type();
    const double bytes =
        least_bytes * std::pow(most_bytes / least_bytes, random_.in(0, 1000) / 1000.0);
    const Shape shape = shape_of(static_cast<std::int64_t>(bytes) / type.size());
    const Number last = random_.one_in(3) ? move(shape, type) : compute(shape, type);
    RandomExpression made{values_[last].fused, std::move(stages_), moves_, computes_};
    if (values_[last].kind != Kind::stored)
      made.stages.push_back({values_[last].staged, allocate(made.fused.bytes())});
    return made;
  }

 private:
  DType any_type() {
    static constexpr DType types[] = {f32, f32, f32, f32, f16, bf16, bf16, f64,  u8,
                                      u8,  i32, i32, i16, u16, i8,   i64,  bool_};
    return types[random_.below(std::size(types))];
  }

  /// Of about so many elements.
  Shape shape_of(std::int64_t count) {
    const std::size_t rank = 1 + random_.below(4);
    std::vector<double> shares(rank);
    double all = 0;
    for (double& share : shares) all += share = static_cast<double>(random_.in(1, 20));
    Shape shape;
    for (const double share : shares)
      shape.push_back(std::max<std::int64_t>(
          1, std::llround(std::pow(static_cast<double>(count), share / all))));
    if (rank > 1 && random_.one_in(5)) {  // channels last
      shape[rank - 2] = std::max<std::int64_t>(1, shape[rank - 2] * shape.back() / 3);
      shape.back() = 3;
    }
    return shape;
  }

  Number add(Tensor fused, Tensor staged, Kind kind) {
    values_.push_back({std::move(fused), std::move(staged), kind});
    return values_.size() - 1;
  }

  Number leaf(const Shape& shape, DType type) {
    std::vector<float> elements(static_cast<std::size_t>(element_count(shape)));
    std::uint64_t state = random_.bits() | 1;
    for (float& element : elements) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      element = static_cast<float>(state >> 40) / (1 << 21) - 2.0f;
    }
    const Tensor drawn = from_vector(elements, shape);
    const Tensor stored = (type == bool_       ? drawn > 0
                           : type.is_integer() ? (drawn * 50.0f).astype(type)
                                               : drawn.astype(type))
                              .eval();
    return add(stored, stored, Kind::stored);
  }

  /// Anything of that shape and type.
  Number make(const Shape& shape, DType type) {
    if (random_.one_in(4))
      for (std::size_t tries = 0; tries < 3 && !values_.empty(); ++tries) {
        const Number k = random_.below(values_.size());
        if (values_[k].fused.dtype() == type && values_[k].fused.shape() == shape) return k;
      }
    const std::size_t ops = moves_ + computes_;
    if (ops < most_ops && random_.below(most_ops) >= ops / 2) {
      if (random_.one_in(2)) return move(shape, type);
      if (!random_.one_in(3)) return compute(shape, type);
    }
    return leaf(shape, type);
  }

  /// What is of that kind, or stored, in the way of stages; it is stored where it is not.
  const Tensor& staged(Number k, Kind kind) {
    Value& value = values_[k];
    if (value.kind == Kind::stored || value.kind == kind) return value.staged;
    const Plan plan = make_plan(value.staged.node_ptr());
    if (plan.is_alias()) {  // nothing moves
      value.staged = value.staged.eval();
    } else {
      const Stage& stage =
          stages_.emplace_back(Stage{value.staged, allocate(value.staged.bytes())});
      value.staged = borrow(stage.memory.get(), value.staged.dtype(), value.staged.shape());
    }
    value.kind = Kind::stored;
    return value.staged;
  }

  template <class Function>
  Number moved(Number x, const Function& function) {
    const Tensor& of = staged(x, Kind::moved);
    return add(function(values_[x].fused), function(of), Kind::moved);
  }

  Number compute(const Shape& shape, DType type) {
    ++computes_;
    if (random_.one_in(6)) {
      const DType from = any_type();
      if (from != type) return computed(type, {make(shape, from)});
    }
    if (random_.one_in(10)) {
      const Number holds = make(shape, bool_), x = make(shape, type), y = beside(shape, type);
      staged(holds, Kind::computed), staged(x, Kind::computed), staged(y, Kind::computed);
      return add(where(values_[holds].fused, values_[x].fused, values_[y].fused),
                 where(values_[holds].staged, values_[x].staged, values_[y].staged),
                 Kind::computed);
    }
    const bool is_cheap = !random_.one_in(4);
    std::vector<const Choice*> fitting;
    for (const Choice& choice : choices())
      if (choice.made == type && (choice.is_cheap || !is_cheap)) fitting.push_back(&choice);
    const Choice& choice = *fitting[random_.below(fitting.size())];
    std::vector<Number> operands{make(shape, choice.taken)};
    while (operands.size() < choice.op->operands.size())
      operands.push_back(beside(shape, choice.taken));
    if (random_.one_in(2)) std::reverse(operands.begin(), operands.end());
    return computed(*choice.op, operands);
  }
  /// What is broadcast to that shape.
  Number beside(const Shape& shape, DType type) {
    if (random_.one_in(5)) return leaf({}, type);
    Shape own = shape;
    if (random_.one_in(4))
      for (std::int64_t& extent : own)
        if (random_.one_in(2)) extent = 1;
    return make(own, type);
  }
  Number computed(const Op& op, const std::vector<Number>& operands) {
    std::vector<Tensor> fused, apart;
    for (const Number k : operands) {
      apart.push_back(staged(k, Kind::computed));
      fused.push_back(values_[k].fused);
    }
    return add(op.build({std::move(fused), {}}), op.build({std::move(apart), {}}), Kind::computed);
  }
  Number computed(DType type, const std::vector<Number>& operand) {
    const Tensor& x = staged(operand[0], Kind::computed);
    return add(values_[operand[0]].fused.astype(type), x.astype(type), Kind::computed);
  }

  Number move(const Shape& shape, DType type) {
    ++moves_;
    const auto axis = static_cast<std::int64_t>(random_.below(shape.size()));
    const std::int64_t extent = shape[static_cast<std::size_t>(axis)];
    const auto with = [&](std::int64_t own) {
      Shape other = shape;
      other[static_cast<std::size_t>(axis)] = own;
      return other;
    };
    const bool may_grow = element_count(shape) * 2 <= most_elements;
    switch (random_.below(12)) {
      case 0: {
        const std::int64_t shift = random_.in(1, std::max<std::int64_t>(1, extent - 1));
        return moved(make(shape, type), [&](const Tensor& x) { return x.roll(shift, axis); });
      }
      case 1:
        return moved(make(shape, type), [&](const Tensor& x) { return x.flip(axis); });
      case 2: {
        const std::int64_t more = random_.in(1, std::max<std::int64_t>(1, extent / 4));
        const std::int64_t start = random_.in(0, more);
        return moved(make(with(extent + more), type), [&](const Tensor& x) {
          return x.slice({start}, {start + extent}, {1}, {axis});
        });
      }
      case 3:
        if (!may_grow) break;
        return moved(make(with(2 * extent), type),
                     [&](const Tensor& x) { return x.slice({0}, {2 * extent}, {2}, {axis}); });
      case 4:
        if (extent < 3) break;
        return padded(make(with(extent - 2), type), axis, shape.size());
      case 5:
        if (extent % 2 == 1) break;
        return moved(make(with(extent / 2), type), [&](const Tensor& x) {
          Shape repeats(shape.size(), 1);
          repeats[static_cast<std::size_t>(axis)] = 2;
          return x.tile(repeats);
        });
      case 6:
        if (extent < 2) break;
        return joined(make(with(extent / 2), type), make(with(extent - extent / 2), type), axis);
      case 7:
        if (extent % 2 == 1) break;
        return moved(make(with(extent / 2), type),
                     [&](const Tensor& x) { return x.repeat(2, axis); });
      case 8:
        if (extent < 2) break;
        return moved(make(with(1), type), [&](const Tensor& x) { return x.broadcast_to(shape); });
      case 9:
        if (extent < 4) break;
        return written(make(shape, type), make(with(extent / 2), type), axis);
      default:
        return turned(shape, type);
    }
    return turned(shape, type);
  }
  Number padded(Number x, std::int64_t axis, std::size_t rank) {
    Shape beside(rank, 0);
    beside[static_cast<std::size_t>(axis)] = 1;
    const bool by_edge = random_.one_in(2);
    return moved(x, [&](const Tensor& t) {
      return by_edge ? t.pad(beside, beside, "edge") : t.pad(beside, beside);
    });
  }
  Number joined(Number x, Number y, std::int64_t axis) {
    staged(x, Kind::moved), staged(y, Kind::moved);
    return add(concat({values_[x].fused, values_[y].fused}, axis),
               concat({values_[x].staged, values_[y].staged}, axis), Kind::moved);
  }
  Number written(Number x, Number y, std::int64_t axis) {
    staged(x, Kind::moved), staged(y, Kind::moved);
    const auto over = [&](const Tensor& data, const Tensor& updates) {
      return data.slice_scatter(updates, {1}, {1 + updates.extent(axis)}, {1}, {axis});
    };
    return add(over(values_[x].fused, values_[y].fused), over(values_[x].staged, values_[y].staged),
               Kind::moved);
  }
  Number turned(const Shape& shape, DType type) {
    Shape order;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      order.push_back(static_cast<std::int64_t>(axis));
    random_.shuffle(order);
    Shape own = shape;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      own[static_cast<std::size_t>(order[axis])] = shape[axis];
    return moved(make(own, type), [&](const Tensor& x) { return x.transpose(order); });
  }

  Random random_;
  std::vector<Value> values_;
  std::vector<Stage> stages_;
  std::size_t moves_ = 0, computes_ = 0;
};

}  // namespace

void Stage::run() const { eval_into(expression, memory.get(), expression.bytes()); }

RandomExpression random_expression(std::uint64_t seed) {
  for (Random random(seed);;) {
    RandomExpression made = Drawing(random.bits()).run();
    if (made.stages.size() > 1 && made.moves > 0 && made.computes > 0) return made;
  }
}

}  // namespace weft::bench
