// SPDX-License-Identifier: Apache-2.0
// explain: a plan in words.
#include <weft/engine/view/explain.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/engine/run/executable.h>
#include <weft/engine/run/execute.h>
#include <weft/engine/run/in_place.h>
#include <weft/engine/run/lower.h>
#include <weft/engine/run/pairs.h>
#include <weft/engine/run/prepare.h>
#include <weft/graph/plan/plan.h>

namespace weft {
namespace {

// Boxes that are listed one by one.
constexpr std::size_t listed_boxes = 12;
// From here on it is told what a plan takes itself.
constexpr std::int64_t told_from = std::int64_t{1} << 20;

std::string bytes_text(std::int64_t bytes) {
  if (bytes < 10 * 1024) return fmt::format("{} B", bytes);
  if (bytes < 10 * 1024 * 1024) return fmt::format("{:.1f} KiB", static_cast<double>(bytes) / 1024);
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1024 * 1024));
}

const char* plural(std::size_t count, const char* one, const char* many) {
  return count == 1 ? one : many;
}

std::string box_text(const Plan& plan, const Pass& pass, const Copy& copy, std::string_view kernel,
                     std::size_t layer) {
  const PlanSource& source = plan.sources[copy.source];
  std::string text =
      fmt::format("{:<9} {:>12}  from {}", kernel, bytes_text(copy.count() * pass.element()),
                  source.pass == PlanSource::stored ? fmt::format("source {}", copy.source)
                                                    : fmt::format("pass {}", source.pass + 1));
  text += fmt::format(", out {} src {}", copy.out_offset, copy.src_offset);
  for (const Loop& loop : copy.loops) {
    text += loop.is_plain()
                ? fmt::format(" ({}: {}, {})", loop.extent, loop.out_stride, loop.src_stride)
                : fmt::format(" ({}: table)", loop.extent);
  }
  if (layer > 0) text += fmt::format(", painted over layer {}", layer);
  return text;
}

std::string pass_text(const Plan& plan, std::size_t p) {
  const Pass& pass = plan.passes[p];
  if (pass.computation)
    return fmt::format("pass {}: {} {}, computed from {} stored {}\n", p + 1, pass.what,
                       to_string(pass.type.shape), pass.operands.size(),
                       plural(pass.operands.size(), "operand", "operands"));
  const std::vector<Piece> pieces = pair_up(pass, pass.element());
  std::string text =
      fmt::format("pass {}: {} {}, {} {}\n", p + 1, pass.what, to_string(pass.type.shape),
                  pass.copies.size(), plural(pass.copies.size(), "box", "boxes"));
  std::size_t layer = 0;
  for (std::size_t i = 0; i < pieces.size() && i < listed_boxes; ++i) {
    const auto& [copy, beside, is_group] = pieces[i];
    if (i > 0 && copy.layer != pieces[i - 1].copy.layer) ++layer;
    const std::string_view kernel = is_group ? "shuffle"
                                    : beside ? "weave"
                                             : lower(copy, pass.element()).name;
    text += "  " + box_text(plan, pass, copy, kernel, layer) + "\n";
    if (beside) text += "  " + box_text(plan, pass, *beside, "and", layer) + "\n";
  }
  if (pieces.size() > listed_boxes)
    text += fmt::format("  and {} more\n", pieces.size() - listed_boxes);
  return text;
}

}  // namespace

std::string plan_text(const Plan& plan, const std::string& what, const std::string& in_place) {
  std::size_t boxes = 0;
  std::int64_t moved = 0, stored = 0;
  for (const Pass& pass : plan.passes) {
    boxes += pass.copies.size();
    moved += pass.written() * pass.element();
    stored += pass.bytes();
  }
  SmallVector<std::size_t, 4> made;  // passes that make results
  for (const PlanOutput& output : plan.outputs) {
    if (std::find(made.begin(), made.end(), output.pass) != made.end()) continue;
    made.push_back(output.pass);
    stored -= plan.passes[output.pass].bytes();
  }
  const std::size_t temporaries = plan.passes.size() - made.size();
  std::string text =
      fmt::format("{}: {} {}, {} {}, {} read, {} written, {} {}", what, plan.passes.size(),
                  plural(plan.passes.size(), "pass", "passes"), boxes,
                  plural(boxes, "box", "boxes"), bytes_text(moved), bytes_text(moved), temporaries,
                  plural(temporaries, "temporary", "temporaries"));
  if (temporaries > 0) text += fmt::format(" of {}", bytes_text(stored));
  if (const std::int64_t own = plan.own_bytes(); own >= told_from)
    text += fmt::format(", {} of boxes, tables and copies of indices", bytes_text(own));
  text += "\n" + in_place;
  for (std::size_t p = 0; p < plan.passes.size(); ++p) text += pass_text(plan, p);
  for (const std::string& refusal : plan.refusals) text += refusal + "\n";
  for (const auto& [op, shape, uses, asking] : plan.shared)
    text += fmt::format("{} {} is used {} times: pulled through each, {} {}\n", op,
                        to_string(shape), uses, asking, plural(asking, "box", "boxes"));
  return text;
}

namespace {

std::string text_of(const Tensor& tensor, const Plan& plan, const std::string& what) {
  if (const PlanOutput& output = plan.outputs[0]; output.is_alias)
    return fmt::format("{}: 0 passes, an alias of {} at element {}, nothing moves\n", what,
                       output.offset == 0 && plan.sources[output.source].bytes() == tensor.bytes()
                           ? "the whole of a stored tensor"
                           : "a stored tensor",
                       output.offset * plan.passes[output.pass].element() / tensor.dtype().size());
  const InPlace over = in_place_of(tensor.node(), plan);
  return plan_text(plan, what,
                   over.is_possible ? fmt::format("in place, over {}\n", over.text)
                   : over.is_held   ? fmt::format("not in place: {}\n", over.text)
                                    : "");
}

}  // namespace

std::string explain(const Tensor& tensor) {
  tensor.held("explain");
  if (tensor.is_open()) tensor.eval();  // refused there
  const std::string what = fmt::format("{} {}", tensor.dtype().name(), to_string(tensor.shape()));
  if (tensor.is_stored()) return fmt::format("{}: stored already, nothing to do\n", what);
  if (tensor.size() == 0) return fmt::format("{}: no elements, nothing to do\n", what);
  prepare(tensor.node_ptr(), {});
  // One that is kept holds what it reads: two would look like two holders.
  std::unique_ptr<Executable> kept = take_executable(tensor.node());
  const bool is_kept = kept != nullptr;
  if (!is_kept) kept = std::make_unique<Executable>(make_plan(tensor.node_ptr(), limits_of({})));
  std::string text = text_of(tensor, kept->plan, what);
  if (is_kept) tensor.node().keep_executable(std::move(kept));
  return text;
}

}  // namespace weft
