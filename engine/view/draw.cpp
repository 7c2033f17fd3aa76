// SPDX-License-Identifier: Apache-2.0
#include <weft/engine/view/draw.h>

#include <array>
#include <fmt/format.h>

#include <weft/engine/view/explain.h>
#include <weft/engine/view/picture.h>
#include <weft/engine/view/program_text.h>
#include <weft/graph/expression.h>

namespace weft {
namespace {

std::string type_text(DType dtype, const Shape& shape) {
  return fmt::format("{} {}", dtype.name(), to_string(shape));
}

Picture graph_picture(const Tensor& tensor) {
  Picture picture{"graph"};
  const Expression expression(tensor.node_ptr());
  const Expression::Numbers& order = expression.order();
  std::vector<std::size_t> numbers(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) numbers[order[order.size() - 1 - i]] = i;
  for (std::size_t i = order.size(); i-- > 0;) {
    const Expression::Vertex& vertex = expression[order[i]];
    const Node& node = *vertex.node;
    const std::string parameters = vertex.is_stored ? "" : node.parameters();
    Picture::Box box{vertex.is_stored     ? "stored"
                     : parameters.empty() ? std::string(node.op())
                                          : fmt::format("{}({:.60})", node.op(), parameters),
                     type_text(node.dtype(), node.shape())};
    for (std::size_t k = 0; k < vertex.operand_count; ++k)
      box.from.push_back(numbers[expression.operand(order[i], k)]);
    picture.boxes.push_back(std::move(box));
  }
  return picture;
}

Picture plan_picture(const Tensor& tensor) {
  const PlanSummary plan = plan_summary(tensor);
  Picture picture{plan.passes.empty() ? "plan: nothing moves" : "plan"};
  std::vector<std::size_t> boxes_of_sources, boxes_of_passes;
  for (const SourceSummary& source : plan.sources) {
    boxes_of_sources.push_back(picture.boxes.size());
    if (!source.pass)
      picture.boxes.push_back({"stored", type_text(source.type.dtype, source.type.shape)});
  }
  for (const PassSummary& pass : plan.passes) {
    Picture::Box box{fmt::format("pass {}: {}", boxes_of_passes.size() + 1, pass.op),
                     type_text(pass.type.dtype, pass.type.shape)};
    if (pass.read > 0) box.text += fmt::format(", {} read", bytes_text(pass.read));
    if (pass.written > 0) box.text += fmt::format(", {} written", bytes_text(pass.written));
    for (const std::size_t s : pass.sources)
      box.from.push_back(plan.sources[s].pass ? boxes_of_passes[*plan.sources[s].pass]
                                              : boxes_of_sources[s]);
    boxes_of_passes.push_back(picture.boxes.size());
    picture.boxes.push_back(std::move(box));
  }
  return picture;
}

std::array<Picture, 2> pictures_of(const Tensor& tensor) {
  Picture plan = plan_picture(tensor);  // refuses what has no plan
  return {graph_picture(tensor), std::move(plan)};
}

}  // namespace

std::string draw_dot(const Tensor& tensor) { return dot_of(pictures_of(tensor)); }
std::string draw_svg(const Tensor& tensor) { return svg_of(pictures_of(tensor)); }

}  // namespace weft
