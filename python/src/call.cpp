// SPDX-License-Identifier: Apache-2.0
// Calls of ops from the table, which tells how many operands and which parameters each takes. Of
// arrays alone they compute at once.
#include "call.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <nanobind/stl/string.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <weft/graph/op.h>
#include <weft/graph/value/error.h>
#include <weft/ops/elementwise/types.h>
#include <weft/ops/gradient/grad.h>
#include <weft/ops/gradient/vjp.h>
#include <weft/ops/op_table.h>
#include <weft/ops/pick/chunk.h>
#include <weft/ops/pick/split.h>
#include <weft/ops/pick/unstack.h>

#include "array_in.h"
#include "array_out.h"
#include "gil.h"
#include "parameters.h"
#include "tensor.h"

namespace weft::python {
namespace {

/// Operands of a call on their way to tensors.
class Operands {
 public:
  explicit Operands(const Op& op) : op_(op) {}

  /// One operand; a number waits for the tensors beside it.
  void add(nb::handle value) {
    const std::size_t k = tensors_.size();
    if (const Tensor* const tensor = tensor_in(value)) {
      is_lazy_ = true;
      tensors_.push_back(*tensor);
    } else if (is_number(value) && !is_index(k)) {
      numbers_.push_back({k, value});
      tensors_.emplace_back();
    } else {
      tensors_.push_back(tensor_from(value, Copy::if_needed));
    }
  }

  std::vector<Tensor> tensors() {
    for (const Number& number : numbers_) {
      const Tensor* const beside = type_giver();
      tensors_[number.place] = beside ? beside_tensor(number.value, *beside)
                                      : tensor_from(number.value, Copy::if_needed);
    }
    return std::move(tensors_);
  }
  bool is_lazy() const { return is_lazy_; }

 private:
  struct Number {
    std::size_t place;
    nb::handle value;
  };

  /// Integers that say where, not elements.
  bool is_index(std::size_t k) const {
    if (op_.is_variadic || k >= op_.operands.size()) return false;
    const std::string_view name = op_.operands[k];
    return name == "indices" || name == "lengths" || name == "condition";
  }
  /// Ops that move take any number that the type can hold, those that compute one of its kind.
  Tensor beside_tensor(nb::handle number, const Tensor& beside) const {
    if (PyComplex_Check(number.ptr())) return complex_beside(number, beside.dtype(), op_.name);
    if (op_.name == "pad" || op_.name == "where")
      return scalar_from(number).as(beside.dtype(), op_.name);
    return weak(op_.name, scalar_from(number), beside);
  }
  const Tensor* type_giver() const {
    for (std::size_t k = 0; k < tensors_.size(); ++k)
      if (tensors_[k].has_value() && !is_index(k)) return &tensors_[k];
    return nullptr;
  }

  const Op& op_;
  std::vector<Tensor> tensors_;
  std::vector<Number> numbers_;
  bool is_lazy_ = false;
};

/// Of arrays alone, what NumPy makes a view of; all else lies in memory of its own, whatever the
/// parameters are. docs/python.md names them.
constexpr std::string_view views[] = {
    "broadcast_to", "center_crop",  "crop",      "diagonal",  "expand_dims", "flip",   "moveaxis",
    "narrow",       "permute_dims", "rearrange", "reshape",   "rot90",       "select", "slice",
    "squeeze",      "swapaxes",     "transpose", "unflatten", "unfold",      "view_as"};

nb::object result_of(Tensor made, bool is_lazy, bool may_be_view) {
  if (is_lazy) return wrapped(std::move(made));
  return to_numpy(may_be_view ? elements_of(made) : own_elements(made));
}

/// An op of the table as a function: operands first (of a variadic one a sequence), then
/// parameters, all in their order.
class OpFunction {
 public:
  explicit OpFunction(const Op& op)
      : op_(op), may_be_view_(std::ranges::find(views, op.name) != std::end(views)) {}

  nb::object operator()(const nb::args& given) const {
    const std::size_t expected = op_.operands.size() + op_.parameters.size();
    if (given.size() != expected)
      throw ParameterError("length_mismatch", fmt::format("{}: {} arguments, expected {}", op_.name,
                                                          given.size(), expected));
    Operands operands(op_);
    const std::size_t single = op_.operands.size() - (op_.is_variadic ? 1 : 0);
    for (std::size_t k = 0; k < single; ++k) operands.add(given[k]);
    if (op_.is_variadic)
      for (const nb::handle one : given[single]) operands.add(one);
    Arguments arguments;
    for (std::size_t k = 0; k < op_.parameters.size(); ++k)
      arguments.parameters.push_back(
          argument_from(given[op_.operands.size() + k], op_.type(k), op_.name, op_.parameters[k]));
    const bool is_lazy = operands.is_lazy();
    arguments.operands = operands.tensors();
    if (!op_.takes(arguments.operands.size()))
      throw ParameterError("length_mismatch",
                           fmt::format("{}: no tensors, expected one or more", op_.name));
    return result_of(op_.build(arguments), is_lazy, may_be_view_);
  }

  std::string name() const { return std::string(op_.name); }
  nb::tuple argument_names() const {
    nb::list all;
    for (std::size_t k = 0; k < op_.operands.size(); ++k)
      all.append(nb::str(op_.operands[k].data(), op_.operands[k].size()));
    for (std::size_t k = 0; k < op_.parameters.size(); ++k)
      all.append(nb::str(op_.parameters[k].data(), op_.parameters[k].size()));
    return nb::tuple(all);
  }

 private:
  const Op& op_;
  bool may_be_view_;
};

/// A function that makes several tensors, none of which the table has as a whole.
template <Results (*function)(const Tensor&, const Ints&, const Ints&)>
nb::list parts(nb::handle x, nb::handle lengths, nb::handle axis) {
  const Tensor* const tensor = tensor_in(x);
  const Tensor whole = tensor ? *tensor : tensor_from(x, Copy::if_needed);
  nb::list all;
  for (Tensor& part : function(whole, ints_from(lengths), ints_from(axis)))
    all.append(result_of(std::move(part), tensor != nullptr, true));
  return all;
}

/// A tensor that gradients are of: an array is made of nothing.
const Tensor& variable(const char* op, nb::handle x) {
  const Tensor* const tensor = tensor_in(x);
  if (!tensor)
    throw ParameterError("no_gradient",
                         fmt::format("{}: expected tensors, as weft.asarray makes of arrays", op));
  return *tensor;
}
Tensors variables(const char* op, nb::handle xs) {
  Tensors all;
  for (const nb::handle x : xs) all.push_back(variable(op, x));
  return all;
}
nb::list results_of(Results made) {
  nb::list all;
  for (Tensor& each : made) all.append(wrapped(std::move(each)));
  return all;
}

Results unstack_by(const Tensor& x, const Ints&, const Ints& axis) { return unstack(x, axis); }

}  // namespace

void bind_calls(nb::module_& module) {
  nb::class_<OpFunction>(module, "Op", "An op of weft's, as a function.")
      .def("__call__", &OpFunction::operator(),
           nb::sig("def __call__(self, *args: typing.Any) -> typing.Any"))
      .def_prop_ro("name", &OpFunction::name)
      .def_prop_ro("arguments", &OpFunction::argument_names,
                   "The names of its operands, then those of its parameters.");
  module.def(
      "op",
      [](const std::string& name) {
        const Op* const found = op_named(name);
        if (!found) throw ParameterError("bad_op", fmt::format("op: there is no op {}", name));
        return OpFunction(*found);
      },
      nb::arg("name"), "The op of that name.");
  module.def(
      "op_names",
      [] {
        nb::list all;
        for (const Op* const op : op_table()) all.append(nb::str(op->name.data(), op->name.size()));
        return all;
      },
      nb::sig("def op_names() -> list[str]"), "The names of all ops.");
  const auto sig = [](const char* text) { return nb::sig(text); };
  module.def(
      "split", &parts<split>, nb::arg("x"), nb::arg("lengths").none(), nb::arg("axis").none(),
      sig("def split(x: typing.Any, lengths: typing.Any, axis: typing.Any) -> list[typing.Any]"));
  module.def(
      "chunk", &parts<chunk>, nb::arg("x"), nb::arg("chunks").none(), nb::arg("axis").none(),
      sig("def chunk(x: typing.Any, chunks: typing.Any, axis: typing.Any) -> list[typing.Any]"));
  module.def(
      "unstack", &parts<unstack_by>, nb::arg("x"), nb::arg("unused").none(), nb::arg("axis").none(),
      sig("def unstack(x: typing.Any, unused: typing.Any, axis: typing.Any) -> list[typing.Any]"));
  module.def(
      "grad",
      [](nb::handle y, nb::handle xs) {
        const Tensor of = variable("grad", y);
        const Tensors by = variables("grad", xs);
        return results_of(without_gil([&] { return grad(of, by); }));
      },
      nb::arg("y"), nb::arg("xs"),
      sig("def grad(y: typing.Any, xs: typing.Any) -> list[typing.Any]"));
  module.def(
      "vjp",
      [](nb::handle y, nb::handle xs, nb::handle cotangent) {
        const Tensor* const given = tensor_in(cotangent);
        const Tensor weights = given ? *given : tensor_from(cotangent, Copy::if_needed);
        const Tensor of = variable("vjp", y);
        const Tensors by = variables("vjp", xs);
        return results_of(without_gil([&] { return vjp(of, by, weights); }));
      },
      nb::arg("y"), nb::arg("xs"), nb::arg("cotangent"),
      sig("def vjp(y: typing.Any, xs: typing.Any, cotangent: typing.Any) -> list[typing.Any]"));
  module.def(
      "to_numpy",
      [](nb::handle x) {
        const Tensor* const tensor = tensor_in(x);
        if (!tensor) return nb::borrow(x);
        return to_numpy(own_elements(*tensor));
      },
      nb::arg("x"),
      "The value of a tensor as an array that nobody else has; anything else as it is.");
}

}  // namespace weft::python
