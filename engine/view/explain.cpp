// SPDX-License-Identifier: Apache-2.0
// explain: finding the executable, which is then told.
#include <weft/engine/view/explain.h>

#include <fmt/format.h>

#include <weft/engine/run/executable.h>
#include <weft/engine/run/in_place.h>
#include <weft/engine/run/limits.h>
#include <weft/engine/run/make_executable.h>
#include <weft/engine/run/resolve_indices.h>
#include <weft/engine/view/executable_text.h>
#include <weft/graph/plan/plan.h>

namespace weft {
namespace {

std::string text_of(const Tensor& tensor, Executable& executable, const std::string& what) {
  const Plan& plan = executable.plan;
  if (const PlanOutput& output = plan.outputs[0]; output.is_alias)
    return fmt::format("{}: 0 passes, an alias of {} at element {}, nothing moves\n", what,
                       output.offset == 0 && plan.sources[output.source].bytes() == tensor.bytes()
                           ? "the whole of a stored tensor"
                           : "a stored tensor",
                       output.offset * plan.passes[output.pass].element() / tensor.dtype().size());
  const InPlace over = in_place_of(tensor.node(), plan);
  // Operands of programs are held most often; what is updated should not be.
  const bool is_told = over.is_held && !plan.passes[plan.outputs[0].pass].has_program();
  executable.make_ready(no_bases);
  return executable_text(executable, what,
                         over.is_possible ? fmt::format("in place, over {}\n", over.text)
                         : is_told        ? fmt::format("not in place: {}\n", over.text)
                                          : "");
}

/// Calls work(executable) with that of a tensor which is to be evaluated.
template <class Work>
auto with_executable_of(const Tensor& tensor, const Work& work) {
  EvalOptions options;
  const Indices indices = resolve_indices(tensor.node_ptr(), options);
  // One that is kept holds what it reads: two would look like two holders.
  std::unique_ptr<Executable> kept = take_executable(tensor.node());
  if (kept && kept->search) kept->search->leave();
  const bool is_kept = kept != nullptr;
  if (!is_kept)
    kept = std::make_unique<Executable>(
        make_executable(Expression(tensor.node_ptr()), limits_of({}), indices, {}, false, 1));
  auto made = work(*kept);
  if (is_kept) tensor.node().put_back(std::move(kept));
  return made;
}

bool has_nothing_to_do(const Tensor& tensor) {
  tensor.held("explain");
  if (tensor.is_open()) tensor.eval();  // refused there
  return tensor.is_stored() || tensor.size() == 0;
}

}  // namespace

std::string explain(const Tensor& tensor) {
  const bool has_nothing = has_nothing_to_do(tensor);
  const std::string what = fmt::format("{} {}", tensor.dtype().name(), to_string(tensor.shape()));
  if (has_nothing)
    return fmt::format("{}: {}, nothing to do\n", what,
                       tensor.is_stored() ? "stored already" : "no elements");
  return with_executable_of(
      tensor, [&](Executable& executable) { return text_of(tensor, executable, what); });
}

PlanSummary plan_summary(const Tensor& tensor) {
  if (has_nothing_to_do(tensor)) return {};
  return with_executable_of(tensor, [](Executable& executable) -> PlanSummary {
    if (executable.plan.outputs[0].is_alias) return {};
    executable.make_ready(no_bases);
    return summary_of(executable);
  });
}

}  // namespace weft
