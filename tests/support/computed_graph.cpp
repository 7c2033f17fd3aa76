// SPDX-License-Identifier: Apache-2.0
// Drawing graphs: the same choices for each way in which they are evaluated.
#include "support/computed_graph.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/executable.h>
#include <weft/ops/op_table.h>
#include <weft/weft.h>

#include "support/plain_loops.h"
#include "support/random.h"

namespace weft::testing {
namespace {

constexpr DType types[] = {bool_, i8,  i16,  i32, i64, u8,  u16, u32,
                           u64,   f16, bf16, f32, f64, c64, c128};

Tensor one_of_type(DType type) { return zeros({1}, type); }

Arguments reduce_arguments(const Op& op, std::vector<Tensor> operands, const Ints& axes,
                           bool keepdims) {
  Arguments arguments{std::move(operands), {}};
  for (std::size_t k = 0; k < op.parameters.size(); ++k) {
    if (op.type(k) == ArgumentType::integers) arguments.parameters.emplace_back(axes);
    else if (op.type(k) == ArgumentType::flag) arguments.parameters.emplace_back(keepdims);
    else arguments.parameters.emplace_back(0.0);
  }
  return arguments;
}

}  // namespace

const std::vector<ComputingOp>& computing_ops() {
  static const std::vector<ComputingOp> all = [] {
    std::vector<ComputingOp> found;
    for (const Op* const op : op_table()) {
      if (op->parameters.size() > 0 || op->is_variadic || op->index != Op::no_index) continue;
      ComputingOp computing{op, {}};
      for (const DType type : types) {
        try {
          const Tensor x = one_of_type(type);
          const Tensor made = op->build({std::vector<Tensor>(op->operands.size(), x), {}});
          if (made.shape() != x.shape()) continue;  // it pairs all with all
          const bool is_itself = op->name == "positive" && &made.node() == &x.node();
          if (is_itself || made.node().operation().kind() == Operation::Kind::elementwise)
            computing.taken.push_back(type);
        } catch (const Error&) {
        }
      }
      if (!computing.taken.empty()) found.push_back(std::move(computing));
    }
    return found;
  }();
  return all;
}

namespace {

/// Ops that reduce along axes, or are made of those, and the types that they take.
const std::vector<ComputingOp>& reducing_ops() {
  static const std::vector<ComputingOp> all = [] {
    std::vector<ComputingOp> found;
    for (const Op* const op : op_table()) {
      constexpr std::string_view composed[] = {"softmax",  "log_softmax",    "layer_norm",
                                               "rms_norm", "cumulative_sum", "cumulative_prod"};
      if (!op->parameters.contains("keepdims") &&
          std::find(std::begin(composed), std::end(composed), op->name) == std::end(composed))
        continue;
      ComputingOp reducing{op, {}};
      for (const DType type : types) {
        try {
          op->build(reduce_arguments(
              *op, std::vector<Tensor>(op->operands.size(), one_of_type(type)), 0, false));
          reducing.taken.push_back(type);
        } catch (const Error&) {
        }
      }
      found.push_back(std::move(reducing));
    }
    return found;
  }();
  return all;
}

/// What is done to each value on the way.
using Passing = std::function<Tensor(const Tensor&)>;

class Graph {
 public:
  Graph(std::uint64_t seed, Passing pass) : random_(seed), pass_(std::move(pass)) {}

  Tensor run() {
    const std::size_t rank = random_.below(5);
    for (std::size_t axis = 0; axis < rank; ++axis) shape_.push_back(random_.in(1, 6));
    if (rank > 0 && random_.one_in(4)) shape_.back() = random_.in(1, 700);
    if (rank > 1 && random_.one_in(20)) shape_.front() = random_.in(1, 120);
    const std::size_t leaves = 1 + random_.below(3), steps = 1 + random_.below(16);
    for (std::size_t k = 0; k < leaves; ++k) add_leaf(shape_);
    for (std::size_t k = 0; k < steps; ++k) step();
    return values_.back();
  }
  /// Those that were made last, the result first.
  std::vector<Tensor> last(std::size_t count) const {
    return {values_.rbegin(),
            values_.rbegin() + static_cast<std::ptrdiff_t>(std::min(count, values_.size()))};
  }
  /// What the last run was made of.
  const std::vector<Tensor>& leaves() const { return leaves_; }

 private:
  void add(const Tensor& value) { values_.push_back(pass_(value)); }

  /// Of a float with corners; what it is cast to says the type. Bools may be of any byte.
  void add_leaf(const Shape& shape) {
    std::vector<float> elements(static_cast<std::size_t>(element_count(shape)));
    for (float& element : elements) element = number();
    const DType type = types[random_.below(std::size(types))];
    const bool is_any_byte = type == bool_ && random_.one_in(2);
    const Tensor leaf = from_vector(elements, shape).astype(is_any_byte ? u8 : type).eval();
    values_.push_back(is_any_byte ? copy_from(leaf.data<std::uint8_t>(), bool_, shape) : leaf);
    leaves_.push_back(values_.back());
  }
  float number() {
    static constexpr float corners[] = {0.0f,
                                        -0.0f,
                                        1.0f,
                                        -1.0f,
                                        std::numeric_limits<float>::infinity(),
                                        -std::numeric_limits<float>::infinity(),
                                        std::numeric_limits<float>::quiet_NaN(),
                                        1e-40f,
                                        3e38f,
                                        -2147483648.0f,
                                        255.5f,
                                        0.5f};
    if (random_.one_in(8)) return corners[random_.below(std::size(corners))];
    const float scale = random_.one_in(3) ? 1e4f : 4.0f;
    return scale * (static_cast<float>(random_.below(1 << 20)) / (1 << 19) - 1.0f);
  }

  Tensor any_value() {
    const std::size_t recent = std::min<std::size_t>(values_.size(), 4);
    return random_.one_in(3) ? values_[random_.below(values_.size())]
                             : values_[values_.size() - 1 - random_.below(recent)];
  }
  /// A value that is broadcast with one of that shape.
  Tensor beside(const Shape& shape) {
    for (int tries = 0; tries < 4; ++tries) {
      const Tensor value = any_value();
      if (value.shape() == shape) return value;
    }
    Shape own = shape;
    for (std::int64_t& extent : own)
      if (random_.one_in(4)) extent = 1;
    if (own.size() > 0 && random_.one_in(4))
      own = Shape(own.begin() + static_cast<std::ptrdiff_t>(random_.below(own.size() + 1)),
                  own.end());
    add_leaf(own);
    return values_.back();
  }

  void step() {
    if (random_.one_in(3)) return move();
    const Tensor x = any_value();
    if (random_.one_in(6)) return add(cast(x, types[random_.below(std::size(types))]));
    if (random_.one_in(12)) return add(chosen(x));
    if (random_.one_in(24)) return add(multiplied(x));
    if (random_.one_in(6) && x.rank() > 0)
      return add(random_.one_in(8) ? reduced_by_pattern(x) : reduced(x));
    const auto& ops = computing_ops();
    const ComputingOp& computing = ops[random_.below(ops.size())];
    const bool takes_x = std::find(computing.taken.begin(), computing.taken.end(), x.dtype()) !=
                         computing.taken.end();
    const DType type = takes_x ? x.dtype() : computing.taken[random_.below(computing.taken.size())];
    std::vector<Tensor> operands{cast(x, type)};
    while (operands.size() < computing.op->operands.size())
      operands.push_back(cast(beside(x.shape()), type));
    if (random_.one_in(2)) std::reverse(operands.begin(), operands.end());
    if (computing.op->name == "signbit" || computing.op->name == "copysign")
      for (Tensor& operand : operands) operand = with_one_nan(operand);
    add(computing.op->build({std::move(operands), {}}));
  }
  Tensor chosen(const Tensor& x) {
    const DType type = types[random_.below(std::size(types))];
    const Tensor holds = cast(random_.one_in(2) ? x : beside(x.shape()), bool_);
    const Tensor first = cast(beside(x.shape()), type);
    if (random_.one_in(4)) return where(holds, first, zeros({1}, type));
    return random_.one_in(2) ? where(holds, first, cast(x, type))
                             : where(holds, cast(x, type), first);
  }
  Tensor reduced(const Tensor& x) {
    const ComputingOp& reducing = reducing_ops()[random_.below(reducing_ops().size())];
    const auto& taken = reducing.taken;
    const DType type = std::find(taken.begin(), taken.end(), x.dtype()) != taken.end()
                           ? x.dtype()
                           : taken[random_.below(taken.size())];
    const Ints axis = random_.in(0, static_cast<std::int64_t>(x.rank()) - 1);
    std::vector<Tensor> operands{cast(x, type)};
    while (operands.size() < reducing.op->operands.size())
      operands.push_back(cast(beside(x.shape()), type));
    return with_one_nan(reducing.op->build(
        reduce_arguments(*reducing.op, std::move(operands), axis, random_.one_in(2))));
  }
  /// Which NaN is made of two is not said, and signs tell them apart.
  static Tensor with_one_nan(const Tensor& x) {
    const bool has_nan =
        x.dtype() == f16 || x.dtype() == bf16 || x.dtype() == f32 || x.dtype() == f64;
    return has_nan ? where(isnan(x), Scalar(std::numeric_limits<double>::quiet_NaN()), x) : x;
  }
  /// Products of integers, some of them as floating-point numbers: those are exact however they are
  /// cut. What is not exact is made beside them, for who looks at each node.
  Tensor multiplied(const Tensor& x) {
    constexpr std::int64_t most = 2000;
    if (x.size() == 0 || x.size() > most) return x;
    constexpr DType all[] = {i32, i64, f16, bf16, f32, f64};
    const DType type = all[random_.below(std::size(all))];
    const bool is_whole = type == i32 || type == i64;
    const Tensor own = cast(x, type);
    if (!is_whole) pass_(product_of(cast(x, type), random_.below(5)));
    return product_of(is_whole ? own : pass_(small_whole(own)), random_.below(5));
  }
  /// Whose products add up to less than 2^24.
  static Tensor small_whole(const Tensor& x) {
    return trunc(where(isfinite(x), clip(x, -60, 60), zeros({1}, x.dtype())));
  }
  static Tensor product_of(const Tensor& x, std::size_t way) {
    constexpr std::int64_t fewest = 60;
    const Tensor m = x.reshape({-1, x.rank() > 0 ? x.extent(-1) : 1});
    switch (way) {
      case 0:
        return matmul(m, m.transpose());
      case 1:
        return vecdot(m, m.flip(0));
      case 2:
        return tensordot(m, m.roll(1, 0), {0}, {0});
      case 3:
        return x.size() > fewest ? m : outer(m.flatten(), m.flatten());
      default:
        return einsum({m, m.flip(1)}, "a b, c b -> c a");
    }
  }
  /// Its axes by names, of which one goes.
  Tensor reduced_by_pattern(const Tensor& x) {
    std::string left, right;
    const std::size_t gone = random_.below(x.rank());
    for (std::size_t axis = 0; axis < x.rank(); ++axis) {
      const std::string name(1, static_cast<char>('a' + axis));
      left += name + " ";
      if (axis != gone) right = random_.one_in(2) ? right + " " + name : name + " " + right;
    }
    constexpr const char* reductions[] = {"sum", "prod", "min", "max"};
    const bool is_real = x.dtype().is_integer() || x.dtype() == f32 || x.dtype() == f64;
    return with_one_nan(
        (is_real ? x : cast(x, f32)).reduce(left + "-> " + right, reductions[random_.below(4)]));
  }
  Tensor cast(const Tensor& x, DType type) {
    const bool is_complex = x.dtype() == c64 || x.dtype() == c128;
    if (x.dtype() == type) return x;
    return pass_((is_complex && type != c64 && type != c128 ? x.real() : x).astype(type));
  }

  void move() {
    const Tensor x = any_value();
    const auto rank = static_cast<std::int64_t>(x.rank());
    if (rank == 0) return add(x.expand_dims(0));
    const std::int64_t axis = random_.in(0, rank - 1), extent = x.extent(axis);
    switch (random_.below(13)) {
      case 0:
        return add(x.roll(random_.in(-3, 3), axis));
      case 1:
        return add(x.flip(axis));
      case 2:
        return add(x.transpose());
      case 3:
        return add(
            x.slice({random_.in(0, (extent - 1) / 2)}, {extent}, {random_.in(1, 2)}, {axis}));
      case 4:
        return add(x.reshape(Shape{x.size()}));
      case 5:
        if (x.size() > 20000) return;
        return add(concat({x, x.flip(axis)}, axis));
      case 6:
        if (x.size() > 20000) return;
        return add(x.expand_dims(0).broadcast_to(joined(random_.in(1, 3), x.shape())));
      case 7:
        if (x.size() > 20000) return;
        return add(x.repeat(2, axis));
      case 8:
        return add(x.slice_scatter(x.slice({0}, {extent}, {2}, {axis}).flip(axis), {0}, {extent},
                                   {2}, {axis}));
      case 9:
      case 10: {
        if (x.size() > 20000) return;
        std::vector<Tensor> side_by_side{
            x, cast(beside(x.shape()).broadcast_to(x.shape()), x.dtype())};
        if (random_.one_in(2)) std::reverse(side_by_side.begin(), side_by_side.end());
        if (random_.one_in(3)) side_by_side.push_back(x.slice({0}, {1}, {1}, {axis}));
        return add(concat(side_by_side, axis));
      }
      case 11:
        if (x.size() > 20000) return;
        return add(x.pad(only(axis, rank, random_.in(0, 2)), only(axis, rank, random_.in(0, 2))));
      default:
        return add(x.moveaxis(axis, 0));
    }
  }
  /// That for one axis, 0 for the others.
  static Shape only(std::int64_t axis, std::int64_t rank, std::int64_t value) {
    Shape all(static_cast<std::size_t>(rank), 0);
    all[static_cast<std::size_t>(axis)] = value;
    return all;
  }
  static Shape joined(std::int64_t first, const Shape& rest) {
    Shape shape{first};
    for (const std::int64_t extent : rest) shape.push_back(extent);
    return shape;
  }

  Random random_;
  Passing pass_;
  Shape shape_;
  std::vector<Tensor> values_, leaves_;
};

template <class T>
std::optional<std::int64_t> difference(const std::byte* a, const std::byte* b, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    if (std::memcmp(a + i * std::int64_t{sizeof(T)}, b + i * std::int64_t{sizeof(T)}, sizeof(T)) ==
        0)
      continue;
    T x, y;
    std::memcpy(&x, a + i * std::int64_t{sizeof(T)}, sizeof(T));
    std::memcpy(&y, b + i * std::int64_t{sizeof(T)}, sizeof(T));
    if constexpr (!std::is_integral_v<T>)
      if (x != x && y != y) continue;
    return i;
  }
  return {};
}

}  // namespace

std::optional<std::int64_t> difference(const Tensor& a, const Tensor& b) {
  const std::byte *const x = a.node().value().get(), *const y = b.node().value().get();
  if (a.dtype() == f16) return difference<float16_t>(x, y, a.size());
  if (a.dtype() == bf16) return difference<bfloat16_t>(x, y, a.size());
  if (a.dtype() == f32) return difference<float>(x, y, a.size());
  if (a.dtype() == f64) return difference<double>(x, y, a.size());
  if (a.dtype() == c64) return difference<float>(x, y, 2 * a.size());
  if (a.dtype() == c128) return difference<double>(x, y, 2 * a.size());
  return difference<std::uint8_t>(x, y, a.bytes());
}

namespace {

Tensor as_it_is(const Tensor& x) { return x; }

/// Nobody else holds the leaves when it is evaluated.
Tensor of_leaves_given_up(std::uint64_t seed) {
  std::optional<Graph> graph(std::in_place, seed, as_it_is);
  const Tensor value = graph->run();
  graph.reset();
  return value.eval();
}

/// Several results at once: which is another than by itself.
std::string together_difference(std::uint64_t seed) {
  constexpr std::size_t results = 4;
  Graph apart(seed, [](const Tensor& x) { return x.eval(); });
  Graph together(seed, as_it_is);
  apart.run();
  together.run();
  const std::vector<Tensor> expected = apart.last(results), values = together.last(results);
  eval(values);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (const auto at = testing::difference(expected[k], values[k]))
      return fmt::format("with others it is another at element {} of result {} ({})", *at, k,
                         values[k].dtype().name());
  return {};
}

/// In blocks of another size, down to one element, with and without what is stored on the way.
Tensor of_small_blocks(std::uint64_t seed) {
  const Tensor graph = Graph(seed, as_it_is).run();
  if (graph.is_stored()) return graph;
  Random random(seed ^ 0xb10c);
  PlanLimits limits;
  limits.smaller_blocks = static_cast<int>(random.in(1, 18));
  // Where nothing may be stored more is computed where it is asked for, if it can be.
  if (random.one_in(2)) limits.stored_bytes = 0;
  const auto plan = [&] {
    try {
      return make_plan(graph.node_ptr(), limits);
    } catch (const MemoryError&) {
      limits.stored_bytes = max_bytes;
      return make_plan(graph.node_ptr(), limits);
    }
  };
  Executable executable(plan());
  executable.make_ready({OutputTarget::no_base});
  graph.node().value_or([&] { return run(executable, OutputTarget{}, {}); });
  return graph;
}

/// Into memory of the caller, by a plan that stores random values on the way.
Tensor by_another_plan(std::uint64_t seed) {
  const Tensor graph = Graph(seed, as_it_is).run();
  if (graph.is_stored()) return graph;
  Random random(seed ^ 0x91a7);
  const Expression expression(graph.node_ptr());
  StoredVertices stored;
  for (const std::uint32_t v : expression.order())
    if (v != expression.root() && !expression[v].is_stored && random.one_in(3)) stored.push_back(v);
  Executable executable(make_plan(expression, {}, {}, {}, stored));
  executable.make_ready(no_bases);
  const std::shared_ptr<std::byte> out = allocate(graph.bytes());
  run(executable, OutputTarget{.out = out.get()}, {});
  return borrow(out.get(), graph.dtype(), graph.shape(), out);
}

/// What a graph does to leaves of which somebody holds every other one.
std::string kept_leaf_difference(std::uint64_t seed) {
  std::optional<Graph> graph(std::in_place, seed, as_it_is);
  const Tensor value = graph->run();
  std::vector<Tensor> held;
  std::vector<std::vector<std::byte>> copies;
  for (std::size_t k = seed % 2; k < graph->leaves().size(); k += 2) {
    held.push_back(graph->leaves()[k]);
    const std::byte* const bytes = held.back().node().value().get();
    copies.emplace_back(bytes, bytes + held.back().bytes());
  }
  graph.reset();
  value.eval();
  for (std::size_t k = 0; k < held.size(); ++k)
    if (std::memcmp(held[k].node().value().get(), copies[k].data(), copies[k].size()) != 0)
      return fmt::format("operand {} that somebody holds was written over", 2 * k + seed % 2);
  return {};
}

}  // namespace

std::string disagreement_of_computed(std::uint64_t seed) {
  const auto evaluated = [&](const Passing& pass) { return Graph(seed, pass).run().eval(); };
  std::string flaw;
  const Tensor one_by_one = evaluated([&](const Tensor& x) {
    if (flaw.empty()) flaw = difference_from_loops(x);
    return x.eval();
  });
  if (!flaw.empty()) return flaw;
  const Tensor fused = evaluated([](const Tensor& x) { return x; });
  Random choices(seed ^ 0x5eed);
  const Tensor stored =
      evaluated([&](const Tensor& x) { return choices.one_in(3) ? x.stored() : x; });
  const Tensor given_up = of_leaves_given_up(seed), in_blocks = of_small_blocks(seed);
  const Tensor planned = by_another_plan(seed);
  for (const auto& [name, value] : {std::pair{"fused", fused},
                                    {"with stores", stored},
                                    {"over what it is made of", given_up},
                                    {"in small blocks", in_blocks},
                                    {"by another plan", planned}})
    if (const auto at = difference(one_by_one, value))
      return fmt::format("{} it is another at element {} ({})", name, *at, value.dtype().name());
  if (std::string why = together_difference(seed); !why.empty()) return why;
  return kept_leaf_difference(seed);
}

std::vector<std::string> computed_graph_ops() {
  std::vector<std::string> names{"astype", "where",     "reduce_pattern", "matmul",
                                 "vecdot", "tensordot", "outer",          "einsum"};
  for (const ComputingOp& computing : computing_ops()) names.emplace_back(computing.op->name);
  for (const ComputingOp& reducing : reducing_ops()) names.emplace_back(reducing.op->name);
  return names;
}

std::string computed_graph_text(std::uint64_t seed) {
  return graph_text(Graph(seed, [](const Tensor& x) { return x; }).run());
}

}  // namespace weft::testing
