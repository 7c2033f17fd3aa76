// SPDX-License-Identifier: Apache-2.0
// vjp: what it refuses.
#include <weft/ops/gradient/vjp.h>

#include <fmt/format.h>

#include <weft/ops/gradient/backward.h>

namespace weft {
namespace {

/// One of the cotangents, for programs: there a call makes one tensor.
struct Vjp {
  static constexpr std::string_view name = "vjp";
  static constexpr const Op& op = vjp_op;
  static constexpr std::tuple fields{operand("y", "what is differentiated"),
                                     operand("cotangent", "what each of its elements counts"),
                                     operands("xs", "by what"),
                                     parameter("which", "which of these cotangents, from 0", 0)};

  static KnownType infer(const KnownType& y, const KnownType& cotangent, const KnownTypes& xs,
                         const Ints& which) {
    if (cotangent.dtype != y.dtype)
      throw DtypeError(fmt::format("vjp: cotangent is {}, expected {} as y", cotangent.dtype.name(),
                                   y.dtype.name()));
    if (!can_be_equal(cotangent.shape, y.shape))
      throw ShapeError(fmt::format("vjp: cotangent has shape {}, expected {} as y",
                                   to_string(cotangent.shape), to_string(y.shape)));
    check_variables(name, y, xs);
    return xs[check_which(name, which, xs.size())];
  }

  static Tensor make(const TensorType&, const Tensor& y, const Tensor& cotangent, const Tensors& xs,
                     const Ints& which) {
    return all(y, cotangent, xs)[check_which(name, which, xs.size())];
  }
  static Tensors all(const Tensor& y, const Tensor& cotangent, const Tensors& xs) {
    return cotangents_of(name, y, xs, cotangent);
  }
};

}  // namespace

constinit const Op vjp_op = op_of<Vjp>();

Results vjp(const Tensor& y, const Tensors& xs, const Tensor& cotangent) {
  if (is_any_open(vjp_op, y, cotangent, xs)) return one_by_one<Vjp>(xs, y, cotangent);
  if (!xs.empty()) Vjp::infer(known_type(y), known_type(cotangent), detail::known(xs), 0);
  return Vjp::all(y, cotangent, xs);
}

Tensor vjp(const Tensor& y, const Tensor& x, const Tensor& cotangent) {
  return vjp(y, Tensors{x}, cotangent)[0];
}

}  // namespace weft
