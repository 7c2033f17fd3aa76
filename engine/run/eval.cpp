// SPDX-License-Identifier: Apache-2.0
// Evaluation: plan, carry out, keep the value.
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <unordered_set>

#include <weft/engine/run/eval.h>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/at_once.h>
#include <weft/engine/run/cached_executable.h>
#include <weft/engine/run/executable.h>
#include <weft/engine/run/in_place.h>
#include <weft/engine/run/limits.h>
#include <weft/engine/run/make_executable.h>
#include <weft/engine/run/options.h>
#include <weft/engine/run/part_options.h>
#include <weft/engine/run/resolve_indices.h>
#include <weft/engine/run/trace.h>
#include <weft/engine/run/workers.h>
#include <weft/graph/plan/plan.h>
#include <weft/graph/tensor.h>
#include <weft/graph/value/share_bytes.h>

namespace weft {
namespace {

const Indices no_indices;

/// Whether an index of the expression may change behind weft's back: what it says is in the plan.
bool may_index_change(const NodePtr& root) {
  if (!root->depends_on_index()) return false;
  bool may_change = false;
  for_each_index(Expression(root), [&](const Node&, const NodePtr& index) {
    may_change |= !index->is_stored() || !is_fixed_index(*index);
  });
  return may_change;
}

/// Keeps an executable with the expression that it was made for.
void keep(std::unique_ptr<Executable> executable, const Expression& expression) {
  SmallVector<const Node*, 8> below;
  for (std::size_t v = 0; v < expression.size(); ++v)
    if (v != expression.root() && !expression[v].is_stored) below.push_back(expression[v].node);
  expression[expression.root()].node->keep_executable(std::move(executable),
                                                      {below.data(), below.size()});
}

/// Calls `work` with what is kept, or with one that is tried beside it.
template <class Work>
void work_with(Executable& kept, const NodePtr& root, const EvalOptions& options,
               const Work& work) {
  const auto work_by = [&](Executable& one, bool is_by_one) {
    if (!is_by_one || options.threads != 0) return work(one, no_indices, options);
    EvalOptions alone = options;
    alone.threads = 1;
    work(one, no_indices, alone);
  };
  if (!kept.search || options.threads != 0 || Watch::is_needed(options))
    return work_by(kept, kept.is_by_one);
  PlanSearch& search = *kept.search;
  search.run(
      kept,
      [&](StoredVertices& stored, bool may_store_more) {
        EvalOptions left = options;
        const Indices indices = resolve_indices(root, left, IndexChecks::but_of_roots);
        return make_executable_storing(stored, may_store_more, Expression(root), kept.plan.limits,
                                       indices, stop_check(options));
      },
      work_by);
  if (search.is_over()) kept.search.reset();
}

/// Whether nothing is asked of an evaluation, and nothing told.
bool is_plain(const EvalOptions& options) {
  return set_nothing(options) && !Watch::is_needed(options);
}

enum class Afterwards { keep, drop };

/// Calls `work` with an executable, from the cache of the options, kept with the expression (which
/// may be taken already) if it was made within the same limits, or new, with the indices that it
/// was made by, and with the options that those leave. One that makes the expression's value is
/// dropped: another thread would find it before the value, and what it was made for or has read may
/// be overwritten.
template <class Work>
void with_executable(const Tensor& tensor, std::unique_ptr<Executable> kept,
                     const EvalOptions& options, Afterwards afterwards, Work&& work) {
  const NodePtr& root = tensor.node_ptr();
  const TraceScope scope(options.trace, "eval", root->op());
  check_stop(options);
  if (!kept && !options.plans) kept = take_executable(*root);
  if (kept && !(kept->plan.limits == limits_of(options))) kept.reset();
  if (kept) {
    // What is tried would be another holder of what may be written over.
    if (afterwards == Afterwards::drop) kept->search.reset();
    work_with(*kept, root, options, work);
    if (afterwards == Afterwards::keep) root->put_back(std::move(kept));
    return;
  }
  EvalOptions left = options;
  const Indices indices = resolve_indices(root, left, IndexChecks::but_of_roots);
  const PlanLimits limits = limits_of(left);
  if (options.plans)
    return work(*CachedExecutable(*options.plans, root, limits, indices, stop_check(options)),
                indices, left);
  if (afterwards == Afterwards::drop || may_index_change(root)) {
    Executable once = make_executable(Expression(root), limits, indices, stop_check(options), true);
    return work(once, indices, left);
  }
  const Expression expression(root);
  std::unique_ptr<Executable> made;
  const PlanSearch::Seconds planning = seconds_of([&] {
    made = std::make_unique<Executable>(
        make_executable(expression, limits, indices, stop_check(options), false, 1));
  });
  made->search = PlanSearch::of(*made, expression, planning);
  work(*made, indices, left);
  keep(std::move(made), expression);
}

bool overlaps(const Plan& plan, const std::byte* out, std::int64_t bytes) {
  for (const PlanSource& source : plan.sources)
    if (source.pass == PlanSource::stored &&
        share_bytes(source.value.get(), source.bytes(), out, bytes))
      return true;
  return false;
}

/// Checks what is not checked yet, before memory is written that is not given back with an error.
void check(const Indices& indices, const EvalOptions& options) {
  if (indices.are_none()) return;
  indices.check([&](std::int64_t count, const auto& work) {
    run_parts(count, count * std::int64_t{sizeof(std::int64_t)}, options.threads, work);
  });
}

/// The value over data that was given up, or null where there is none.
Storage in_place(const Node& root, Executable& executable, const Indices& indices,
                 const EvalOptions& options) {
  const Plan& plan = executable.plan;
  for (const std::size_t base : bases(plan, 0, options.in_place))
    if (root.withhold(plan.sources[base].value)) {
      check(indices, options);
      executable.make_ready({base}, !options.plans);
      return run(executable, {.base = base}, options);
    }
  const std::optional<CyclicMap> turn = can_turn(plan) ? turn_of(root) : std::nullopt;
  if (!turn || !root.withhold(plan.sources[0].value)) return nullptr;
  const auto data = std::const_pointer_cast<std::byte>(plan.sources[0].value);
  turn_in_place(data.get(), root.shape(), *turn, root.dtype().size(), options.threads);
  return data;
}

[[noreturn]] void throw_not_in_place(const Node& root, const Plan& plan) {
  throw InPlaceError(fmt::format("eval: {} {} cannot be made in place: {}", root.op(),
                                 to_string(root.shape()), in_place_of(root, plan, true).text));
}

}  // namespace

Tensor Tensor::eval() const { return eval(EvalOptions{}); }

Tensor Tensor::eval(const EvalOptions& options) const {
  if (held("eval").known() != Node::Known::all) throw_open("eval");
  bool is_told = false;
  node().value_or(
      [&]() -> Storage {
        check_options(options);
        const NodePtr root = node_ptr();
        refuse_too_large({&root, 1}, options);
        if (size() == 0) {
          EvalOptions for_indices = options;
          resolve_indices(root, for_indices);
          return allocate(0, node().op(), shape());
        }
        check_stop(options);
        Storage value = options.plans ? nullptr : replaced(node(), options.threads);
        if (!value && is_plain(options)) value = value_at_once(root);
        if (value) return value;
        with_executable(
            *this, nullptr, options, Afterwards::drop,
            [&](Executable& executable, const Indices& indices, const EvalOptions& left) {
              value = in_place(node(), executable, indices, left);
              if (value) return;
              if (left.in_place && !executable.plan.is_alias())
                throw_not_in_place(node(), executable.plan);
              executable.make_ready(no_bases, !left.plans);
              value = run(executable, OutputTarget(), left);
            });
        tell_done(options);  // what that throws leaves no value
        is_told = true;
        return value;
      },
      stop_check(options));
  if (!is_told) tell_done(options);
  return *this;
}

namespace {

void eval_into(const Tensor& tensor, void* out, std::int64_t bytes, const EvalOptions& options,
               Afterwards afterwards) {
  tensor.held("eval_into");
  if (tensor.is_open()) return void(tensor.eval());  // refused there
  std::byte* const to = static_cast<std::byte*>(out);
  std::unique_ptr<Executable> kept;
  if (is_plain(options) && out && bytes == tensor.bytes()) {
    kept = take_executable(tensor.node());
    if (kept && kept->is_quick() && !overlaps(kept->plan, to, bytes)) {
      run_steps(*kept, to, options.threads);
      if (afterwards == Afterwards::keep) tensor.node().put_back(std::move(kept));
      return;
    }
    if (!kept && afterwards == Afterwards::drop && !tensor.is_stored() &&
        compute_at_once(tensor.node_ptr(), to))
      return;
  }
  refuse_in_place("eval_into", options);
  if (!out && bytes > 0)
    throw ParameterError("null_pointer",
                         fmt::format("eval_into: the pointer is null, expected {} bytes", bytes));
  if (bytes != tensor.bytes())
    throw ShapeError(fmt::format("eval_into: {} bytes were given, the tensor {} {} has {}", bytes,
                                 tensor.dtype().name(), to_string(tensor.shape()), tensor.bytes()));
  if (bytes == 0) {
    EvalOptions for_indices = options;
    resolve_indices(tensor.node_ptr(), for_indices);
    return tell_done(options);
  }
  Storage value;
  if (tensor.is_stored()) {
    value = tensor.node().value();
  } else {
    with_executable(tensor, std::move(kept), options, afterwards,
                    [&](Executable& executable, const Indices& indices, const EvalOptions& left) {
                      executable.make_ready(no_bases);
                      if (overlaps(executable.plan, to, bytes) || indices.is_within(to, to + bytes))
                        value = run(executable, OutputTarget(), left);
                      else {
                        check(indices, left);
                        run(executable, {.out = to}, left);
                      }
                    });
  }
  if (value) std::memmove(to, value.get(), static_cast<std::size_t>(bytes));
  tell_done(options);
}

}  // namespace

void eval_into(const Tensor& tensor, void* out, std::int64_t bytes, const EvalOptions& options) {
  eval_into(tensor, out, bytes, options, Afterwards::keep);
}

void eval_into(Tensor&& tensor, void* out, std::int64_t bytes, const EvalOptions& options) {
  const bool goes = tensor.has_value() && tensor.node().is_held(1);
  eval_into(tensor, out, bytes, options, goes ? Afterwards::drop : Afterwards::keep);
}

namespace {

/// Evaluates tensors that have no values yet, each given once.
void eval_together(std::span<const Tensor> tensors, const EvalOptions& options) {
  std::vector<NodePtr> roots;
  for (const Tensor& tensor : tensors) roots.push_back(tensor.node_ptr());
  refuse_too_large(roots, options);
  const TraceScope scope(options.trace, "eval", "eval of several tensors");
  check_stop(options);
  EvalOptions left = options;
  const Indices indices = resolve_indices(roots, left, IndexChecks::but_of_roots);
  Executable executable =
      make_executable(Expression(roots), limits_of(left), indices, stop_check(options), true);
  executable.make_ready(Bases(tensors.size(), OutputTarget::no_base), true);
  const std::vector<OutputTarget> targets(tensors.size());
  std::vector<Storage> values = run(executable, targets, left);
  // Where another thread was faster its value stays.
  for (std::size_t k = 0; k < tensors.size(); ++k)
    tensors[k].node().value_or([&] { return std::move(values[k]); });
}

}  // namespace

void eval(std::span<const Tensor> tensors, const EvalOptions& options) {
  refuse_in_place("eval of several tensors", options);
  std::vector<Tensor> left;
  std::unordered_set<const Node*> seen;
  for (const Tensor& tensor : tensors) tensor.held("eval of several tensors");
  for (const Tensor& tensor : tensors) {
    if (tensor.is_open() || tensor.size() == 0) tensor.eval(silent(options));
    if (!tensor.is_stored() && seen.insert(&tensor.node()).second) left.push_back(tensor);
  }
  if (!left.empty()) eval_together(left, options);
  tell_done(options);
}

void check_element_type(std::string_view what, const Tensor& tensor, DType asked) {
  const DType own = tensor.held(what).dtype();
  if (asked != own && !(own.kind() == DType::Kind::opaque && asked.size() == own.size()))
    throw DtypeError(
        fmt::format("{}: {} was asked for, the elements are {}", what, asked.name(), own.name()));
}

const void* Tensor::checked_data(std::string_view what, DType asked) const {
  check_element_type(what, *this, asked);
  return eval().node().value().get();
}

namespace {

template <class T>
SmallVector<std::int64_t, 8> widened(const void* elements, std::int64_t count) {
  SmallVector<std::int64_t, 8> values;
  for (std::int64_t i = 0; i < count; ++i) {
    T value;  // borrowed memory may be aligned to nothing
    std::memcpy(&value, static_cast<const std::byte*>(elements) + i * std::int64_t{sizeof(T)},
                sizeof(T));
    values.push_back(static_cast<std::int64_t>(value));
  }
  return values;
}

/// The values of an integer tensor of rank 0 or 1, none for any other: the ops refuse those.
SmallVector<std::int64_t, 8> integer_values(const Tensor& tensor) {
  const DType dtype = tensor.dtype();
  if (tensor.is_open() || !dtype.is_integer() || tensor.rank() > 1) return {};
  const Tensor stored = tensor.eval();
  const void* elements = stored.node().value().get();
  const std::int64_t count = stored.size();
  return with_integer(dtype, [&]<class T>(T) { return widened<T>(elements, count); });
}

}  // namespace

Ints::Ints(const Tensor& tensor) : is_of_empty_(!tensor.has_value()) {
  if (is_of_empty_) return;
  dtype_ = tensor.dtype();
  rank_ = tensor.node().known() >= Node::Known::rank ? static_cast<int>(tensor.rank()) : -1;
  bits_ = integer_values(tensor);
  if (tensor.is_open()) open_tensor_ = tensor.node_ptr();
}

}  // namespace weft
