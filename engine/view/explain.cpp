// SPDX-License-Identifier: Apache-2.0
// explain: finding the executable, which is then told.
#include <weft/engine/view/explain.h>

#include <fmt/format.h>

#include <weft/engine/run/executable.h>
#include <weft/engine/run/in_place.h>
#include <weft/engine/run/limits.h>
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
  executable.make_ready({OutputTarget::no_base});
  return executable_text(executable, what,
                         over.is_possible ? fmt::format("in place, over {}\n", over.text)
                         : is_told        ? fmt::format("not in place: {}\n", over.text)
                                          : "");
}

}  // namespace

std::string explain(const Tensor& tensor) {
  tensor.held("explain");
  if (tensor.is_open()) tensor.eval();  // refused there
  const std::string what = fmt::format("{} {}", tensor.dtype().name(), to_string(tensor.shape()));
  if (tensor.is_stored()) return fmt::format("{}: stored already, nothing to do\n", what);
  if (tensor.size() == 0) return fmt::format("{}: no elements, nothing to do\n", what);
  EvalOptions options;
  const Indices indices = resolve_indices(tensor.node_ptr(), options);
  // One that is kept holds what it reads: two would look like two holders.
  std::unique_ptr<Executable> kept = take_executable(tensor.node());
  const bool is_kept = kept != nullptr;
  if (!is_kept)
    kept = std::make_unique<Executable>(
        make_plan(Expression(tensor.node_ptr()), limits_of({}), indices));
  std::string text = text_of(tensor, *kept, what);
  if (is_kept) tensor.node().put_back(std::move(kept));
  return text;
}

}  // namespace weft
