// SPDX-License-Identifier: Apache-2.0
// grad: what it refuses, and what it leaves to vjp.
#include <weft/ops/gradient/grad.h>

#include <fmt/format.h>

#include <weft/ops/create/fills.h>
#include <weft/ops/gradient/backward.h>

namespace weft {
namespace {

/// One of the gradients, for programs: there a call makes one tensor.
struct Grad {
  static constexpr std::string_view name = "grad";
  static constexpr const Op& op = grad_op;
  static constexpr std::tuple fields{operand("y", "what is differentiated"),
                                     operands("xs", "by what"),
                                     parameter("which", "which of these gradients, from 0", 0)};

  static KnownType infer(const KnownType& y, const KnownTypes& xs, const Ints& which) {
    if (y.shape.is_closed() && element_count(y.shape.lowest()) != 1)
      throw ShapeError(
          fmt::format("grad: y has {} elements (shape {}), expected 1; vjp takes a "
                      "cotangent for each",
                      element_count(y.shape.lowest()), to_string(y.shape)));
    check_variables(name, y, xs);
    return xs[check_which(name, which, xs.size())];
  }

  static Tensor make(const TensorType&, const Tensor& y, const Tensors& xs, const Ints& which) {
    return all(y, xs)[check_which(name, which, xs.size())];
  }
  static Tensors all(const Tensor& y, const Tensors& xs) {
    return cotangents_of(name, y, xs, ones_like(y));
  }
};

}  // namespace

constinit const Op grad_op = op_of<Grad>();

Results grad(const Tensor& y, const Tensors& xs) {
  if (is_any_open(grad_op, y, xs)) return one_by_one<Grad>(xs, y);
  if (!xs.empty()) Grad::infer(known_type(y), detail::known(xs), 0);
  return Grad::all(y, xs);
}

Tensor grad(const Tensor& y, const Tensor& x) { return grad(y, Tensors{x})[0]; }

}  // namespace weft
