// SPDX-License-Identifier: Apache-2.0
// Programs: what an expression of placeholders makes of any tensors that fit them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <weft/engine/program/recording.h>
#include <weft/engine/run/options.h>
#include <weft/engine/view/plan_summary.h>
#include <weft/graph/open.h>

namespace weft {

/// Memory of the caller for an output: bytes, or elements of a type, which the output's must be.
struct Destination {
  Destination(void* to, std::int64_t size) : data(to), bytes(size) {}
  template <Element T, std::size_t Extent>
  requires(!std::is_const_v<T>) Destination(std::span<T, Extent> out)
      : data(out.data()), bytes(static_cast<std::int64_t>(out.size_bytes())), dtype(dtype_of<T>) {}

  void* data;
  std::int64_t bytes;
  std::optional<DType> dtype{};
};

/// A function of tensors, recorded once and run again and again, for any sizes and parameters that
/// its placeholders allow. Nothing is compiled: sizes, or values of parameters, that have not been
/// seen lately cost the planning, some microseconds; otherwise the plan is there already. Copies
/// share their plans. Threads may run a program at the same time.
class Program {
 public:
  /// Plans kept unless said otherwise.
  static constexpr std::size_t default_plans = 256;

  /// Records what `function` makes of the placeholders: it takes as many tensors, which may be
  /// `const auto&`, or a vector of them, and returns one or a vector. Throws ParameterError
  /// (bad_placeholder, length_mismatch), and what the ops throw.
  template <class Function>
  requires(!std::is_convertible_v<Function, std::vector<Tensor>>)
      Program(std::vector<Tensor> placeholders, Function&& function,
              std::size_t plans = default_plans)
      : Program(placeholders, outputs_of(placeholders, function), plans) {}
  /// What the outputs are of the placeholders.
  Program(const std::vector<Tensor>& placeholders, const std::vector<Tensor>& outputs,
          std::size_t plans = default_plans);
  /// A recording that was checked.
  explicit Program(Recording recording, std::size_t plans = default_plans);

  /// The outputs for these inputs, which are evaluated first. An input that is given up (moved in,
  /// and held by nobody else) may be written in place. Throws what the ops throw, and for inputs
  /// that do not fit their placeholder ParameterError (length_mismatch), DtypeError, ShapeError;
  /// InPlaceError where the options ask for an output in place that cannot be made there.
  [[nodiscard]] Results run(std::vector<Tensor> inputs, const EvalOptions& options = {}) const;
  /// The same of inputs one by one. (A vector from braces copies them: it gives nothing up.)
  template <class... Inputs>
  requires(std::is_convertible_v<Inputs, Tensor>&&...) [[nodiscard]] Results operator()(
      Inputs&&... inputs) const {
    return (*this)(EvalOptions{}, std::forward<Inputs>(inputs)...);
  }
  template <class... Inputs>
  requires(std::is_convertible_v<Inputs, Tensor>&&...) [[nodiscard]] Results operator()(
      const EvalOptions& options, Inputs&&... inputs) const {
    std::vector<Tensor> list;
    list.reserve(sizeof...(inputs));
    (list.emplace_back(std::forward<Inputs>(inputs)), ...);
    return run(std::move(list), options);
  }
  /// The same into memory of the caller, one destination an output. Where one overlaps an input
  /// the values are computed aside first. What they hold after an error is not specified.
  void run_into(std::vector<Tensor> inputs, std::span<const Destination> outputs,
                const EvalOptions& options = {}) const;
  void run_into(std::vector<Tensor> inputs, std::initializer_list<Destination> outputs,
                const EvalOptions& options = {}) const {
    run_into(std::move(inputs), std::span(outputs.begin(), outputs.size()), options);
  }
  /// The same for the only output.
  template <Element T, std::size_t Extent>
  requires(std::is_constructible_v<Destination, std::span<T, Extent>> &&
           !std::is_same_v<T, Destination>) void run_into(std::vector<Tensor> inputs,
                                                          std::span<T, Extent> out,
                                                          const EvalOptions& options = {}) const {
    run_into(std::move(inputs), {Destination(out)}, options);
  }

  /// What a run with these inputs does: passes, boxes, kernels, and which input it may be written
  /// over. Moves nothing, but evaluates the inputs.
  [[nodiscard]] std::string explain(const std::vector<Tensor>& inputs) const;
  /// The same as fields, a plan after another.
  [[nodiscard]] std::vector<PlanSummary> plan_summaries(const std::vector<Tensor>& inputs) const;

  [[nodiscard]] std::size_t input_count() const;
  [[nodiscard]] std::size_t output_count() const;
  /// What is known of an output's shape before inputs are.
  [[nodiscard]] PartialShape output_shape(std::size_t k) const;
  [[nodiscard]] const Recording& recording() const&;
  [[nodiscard]] Recording recording() const&&;
  /// How many runs found their plans.
  [[nodiscard]] std::size_t hits() const;

  /// The same calls of the same inputs and constants.
  friend bool operator==(const Program& a, const Program& b) {
    return is_same(a.recording(), b.recording());
  }

 private:
  struct State;

  template <class Function>
  static std::vector<Tensor> outputs_of(const std::vector<Tensor>& placeholders,
                                        Function& function);
  template <class Function, std::size_t... I>
  static std::vector<Tensor> call_with(const std::vector<Tensor>& placeholders, Function& function,
                                       std::index_sequence<I...>);
  static std::vector<Tensor> listed(Tensor output) { return {std::move(output)}; }
  static std::vector<Tensor> listed(std::vector<Tensor> outputs) { return outputs; }
  [[noreturn]] static void throw_count(std::size_t expected, std::size_t given);

  std::shared_ptr<State> state_;
};

/// One value a line: "%2 = roll(%0, shift=%1, axes=[0])  f32 [batch, 3]".
[[nodiscard]] inline std::string to_string(const Program& program) {
  return to_string(program.recording());
}

namespace detail {

/// How many tensors a function takes, of 1 to 16; 0 where it takes none one by one.
template <class Function, std::size_t Count, class... Tensors>
constexpr std::size_t arity() {
  if constexpr (Count > 0 && std::is_invocable_v<Function, Tensors...>) return Count;
  else if constexpr (Count < 16) return arity<Function, Count + 1, Tensors..., const Tensor&>();
  else return 0;
}

}  // namespace detail

template <class Function>
std::vector<Tensor> Program::outputs_of(const std::vector<Tensor>& placeholders,
                                        Function& function) {
  // Tensors before a vector: of a function of `const auto&` either would do, until it is compiled.
  constexpr std::size_t count = detail::arity<Function&, 0>();
  if constexpr (count > 0) {
    if (placeholders.size() != count) throw_count(count, placeholders.size());
    return call_with(placeholders, function, std::make_index_sequence<count>());
  } else {
    static_assert(std::is_invocable_v<Function&, const std::vector<Tensor>&>,
                  "the function takes 1 to 16 tensors, or a vector of them");
    return listed(function(placeholders));
  }
}

template <class Function, std::size_t... I>
std::vector<Tensor> Program::call_with(const std::vector<Tensor>& placeholders, Function& function,
                                       std::index_sequence<I...>) {
  return listed(function(placeholders[I]...));
}

}  // namespace weft
