// SPDX-License-Identifier: Apache-2.0
// Program, placeholder and Dim of Python.
#include "program.h"

#include <cstdint>
#include <fmt/format.h>
#include <nanobind/operators.h>
#include <nanobind/stl/string.h>
#include <string>
#include <utility>
#include <vector>

#include <weft/engine/program/program.h>
#include <weft/engine/run/eval.h>
#include <weft/graph/open.h>
#include <weft/io/program_json.h>

#include "dtype.h"
#include "evaluate.h"
#include "gil.h"
#include "parameters.h"
#include "tensor.h"

namespace weft::python {
namespace {

std::vector<Tensor> tensors_of(nb::list values) {
  std::vector<Tensor> all;
  for (const nb::handle value : values) {
    const Tensor* const tensor = tensor_in(value);
    if (!tensor)
      throw DtypeError(fmt::format("expected tensors, one is {}", nb::repr(value.type()).c_str()));
    all.push_back(*tensor);
  }
  return all;
}

nb::list wrapped_all(std::vector<Tensor> tensors) {
  nb::list all;
  for (Tensor& tensor : tensors) all.append(wrapped(std::move(tensor)));
  return all;
}

Dim dim_from(nb::handle value) {
  if (value.is_none()) return Dim();
  if (nb::isinstance<nb::str>(value)) return Dim(text_from(value, "placeholder", "a name"));
  if (nb::isinstance<Dim>(value)) return nb::cast<Dim>(value);
  return Dim(integer_from(value, INT64_MIN, INT64_MAX, "placeholder", "an extent"));
}

/// A name of a file, which is any bytes but NUL.
std::string path_of(const nb::bytes& given) {
  std::string path(given.c_str(), given.size());
  if (path.find('\0') != std::string::npos) throw FileError("the name of the file has a NUL in it");
  return path;
}

nb::object placeholder_of(nb::handle dtype, nb::handle shape, nb::handle given) {
  std::string name = text_from(given, "placeholder", "name");
  const DType element = dtype_from(dtype);
  if (shape.is_none()) return wrapped(placeholder(element, PartialShape::any(), std::move(name)));
  std::vector<Dim> dims;
  for (const nb::handle extent : shape) dims.push_back(dim_from(extent));
  return wrapped(placeholder(element, PartialShape(std::move(dims)), std::move(name)));
}

}  // namespace

void bind_programs(nb::module_& module) {
  nb::class_<Dim>(module, "Dim", "An extent that may be open: from low to high, perhaps named.")
      .def(
          "__init__",
          [](Dim* self, nb::handle low, nb::handle high, nb::handle name) {
            const auto bound = [](nb::handle value, const char* of) {
              return integer_from(value, INT64_MIN, INT64_MAX, "Dim", of);
            };
            new (self) Dim(bound(low, "low"), high.is_none() ? Dim::unbounded : bound(high, "high"),
                           text_from(name, "Dim", "name"));
          },
          nb::arg("low") = 0, nb::arg("high") = nb::none(), nb::arg("name") = "",
          nb::sig(
              "def __init__(self, low: int = 0, high: int | None = None, name: str = '') -> None"))
      .def("__repr__", [](const Dim& dim) { return "weft.Dim(" + to_string(dim) + ")"; })
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"));
  module.def("placeholder", &placeholder_of, nb::arg("dtype"), nb::arg("shape").none(),
             nb::arg("name"), "An input of a program.");
  module.def(
      "eval_together",
      [](nb::list tensors) {
        const std::vector<Tensor> all = tensors_of(tensors);
        evaluating({}, [&](const EvalOptions& options) {
          eval(std::span<const Tensor>(all), options);
          return 0;
        });
      },
      nb::arg("tensors"), "Computes several values, and what they share once.");

  nb::class_<Program>(module, "Program", "A recorded function.")
      .def(
          "__init__",
          [](Program* self, nb::list placeholders, nb::list outputs) {
            const std::vector<Tensor> in = tensors_of(placeholders), out = tensors_of(outputs);
            without_gil([&] { new (self) Program(in, out); });
          },
          nb::arg("placeholders"), nb::arg("outputs"))
      .def(
          "run",
          [](const Program& program, nb::list inputs) {
            std::vector<Tensor> all = tensors_of(inputs);
            return wrapped_all(evaluating({}, [&](const EvalOptions& options) {
              return program.run(std::move(all), options);
            }));
          },
          nb::arg("inputs"))
      .def(
          "explain",
          [](const Program& program, nb::list inputs) {
            const std::vector<Tensor> all = tensors_of(inputs);
            return without_gil([&] { return program.explain(all); });
          },
          nb::arg("inputs"))
      .def("to_json",
           [](const Program& program) { return without_gil([&] { return to_json(program); }); })
      .def(
          "save",
          [](const Program& program, const nb::bytes& given) {
            const std::string path = path_of(given);
            without_gil([&] { save_program(program, path); });
          },
          nb::arg("path"))
      .def_prop_ro("hits", &Program::hits)
      .def("__str__", [](const Program& program) { return to_string(program); })
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"));
  module.def(
      "program_from_json",
      [](nb::handle text) { return program_from_json(text_from(text, "program", "the JSON")); },
      nb::arg("text"), nb::sig("def program_from_json(text: str) -> Program"));
  module.def(
      "load_program", [](const nb::bytes& path) { return load_program(path_of(path)); },
      nb::arg("path"));
}

}  // namespace weft::python
