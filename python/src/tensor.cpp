// SPDX-License-Identifier: Apache-2.0
// What a Tensor of Python asks of ours; what it computes with is in call.cpp.
#include "tensor.h"

#include <cstdint>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <optional>
#include <string>
#include <utility>

#include <weft/engine/view/explain.h>
#include <weft/engine/view/print.h>
#include <weft/engine/view/region.h>

#include "array_in.h"
#include "array_out.h"
#include "dlpack.h"
#include "dtype.h"
#include "evaluate.h"
#include "parameters.h"

namespace weft::python {
namespace {

/// The subclass that the package made, which has the operators and methods.
nb::handle tensor_class;

nb::tuple shape_tuple(const Shape& shape) {
  nb::list all;
  for (const std::int64_t extent : shape) all.append(extent);
  return nb::tuple(all);
}

/// The same elements in memory of weft's own, which may be written over once it is given up.
Tensor copied(const Tensor& x) {
  Elements elements = copied_elements(x);
  return make_tensor<Stored>(elements.dtype, elements.shape, std::move(elements.first));
}

std::string explained(const Tensor& x) {
  return without_gil([&] { return explain(x); });
}

}  // namespace

const Tensor* tensor_in(nb::handle object) {
  return nb::isinstance<Tensor>(object) ? nb::inst_ptr<Tensor>(object) : nullptr;
}

nb::object wrapped(Tensor tensor) {
  nb::object made = nb::inst_alloc(tensor_class);
  new (nb::inst_ptr<Tensor>(made)) Tensor(std::move(tensor));
  nb::inst_mark_ready(made);
  return made;
}

void bind_tensor(nb::module_& module) {
  nb::class_<Tensor>(module, "Tensor", nb::is_weak_referenceable(), nb::type_slots(buffer_slots()),
                     "A value or an expression for one.")
      .def_prop_ro(
          "shape", [](const Tensor& x) { return shape_tuple(x.shape()); },
          nb::sig("def shape(self) -> tuple[int, ...]"), "The extents, as a tuple.")
      .def_prop_ro(
          "dtype", [](const Tensor& x) { return numpy_dtype(x.dtype()); },
          nb::sig("def dtype(self) -> numpy.dtype[typing.Any]"), "The numpy.dtype of an element.")
      .def_prop_ro(
          "ndim", [](const Tensor& x) { return x.rank(); }, "How many axes there are.")
      .def_prop_ro(
          "size", [](const Tensor& x) { return x.size(); }, "How many elements there are.")
      .def_prop_ro(
          "nbytes", [](const Tensor& x) { return x.bytes(); }, "How many bytes they are.")
      .def_prop_ro("is_stored", &Tensor::is_stored, "Whether the value exists already.")
      .def_prop_ro("is_open", &Tensor::is_open, "Whether it depends on a placeholder.")
      .def_prop_ro("has_value", &Tensor::has_value, "Whether it was not given up.")
      .def(
          "_type_text",
          [](const Tensor& x) {
            if (!x.has_value()) return std::string("given up");
            return x.dtype().name() + " " + to_string(x.partial_shape());
          },
          "Type and shape, for repr.")
      .def(
          "_text",
          [](const Tensor& x, nb::handle given) {
            const std::string format = text_from(given, "format", "the format");
            return evaluating(
                {}, [&](const EvalOptions& options) { return to_string(x, format, options); });
          },
          nb::arg("format") = "", nb::sig("def _text(self, format: str = '') -> str"),
          "The elements as text.")
      .def("_explain", &explained, "What an evaluation would do.")
      .def(
          "_eval",
          [](const Tensor& x, nb::handle threads, nb::handle memory_limit, bool in_place) {
            EvalOptions options;
            options.threads =
                static_cast<int>(integer_from(threads, INT32_MIN, INT32_MAX, "eval", "threads"));
            options.memory_limit =
                integer_from(memory_limit, INT64_MIN, INT64_MAX, "eval", "memory_limit");
            options.in_place = in_place;
            evaluate(x, options);
          },
          nb::arg("threads").none(), nb::arg("memory_limit").none(), nb::arg("in_place"),
          nb::sig("def _eval(self, threads: int, memory_limit: int, in_place: bool) -> None"),
          "Computes the value and keeps it.")
      .def(
          "_numpy",
          [](const Tensor& x, bool copy) {
            return to_numpy(copy ? copied_elements(x) : elements_of(x));
          },
          nb::arg("copy"),
          nb::sig("def _numpy(self, copy: bool) -> numpy.typing.NDArray[typing.Any]"),
          "The elements as an array.")
      .def(
          "_region",
          [](const Tensor& x, nb::handle start, nb::handle shape) {
            const Ints from = ints_from(start), extents = ints_from(shape);
            return wrapped(evaluating({}, [&](const EvalOptions& options) {
              return eval_region(x, from, extents, options);
            }));
          },
          nb::arg("start"), nb::arg("shape"), "A window of the result.")
      .def("_dlpack", &to_dlpack, nb::arg("is_versioned"), nb::arg("copy"), nb::arg("may_go_back"),
           "The elements as a capsule.")
      .def(
          "_donate", [](Tensor& x) { return wrapped(std::exchange(x, Tensor())); },
          "The same tensor, which this one is no longer.");
  module.def(
      "set_tensor_class",
      [](nb::handle type) {
        type.inc_ref();
        tensor_class = type;
      },
      "The class that what ops make is of.");
  module.def(
      "tensor_from",
      [](nb::handle array, std::optional<bool> copy) {
        const Tensor* const given = tensor_in(array);
        if (copy == true)
          return wrapped(copied(given ? *given : tensor_from(array, Copy::if_needed)));
        if (given) return wrapped(*given);
        return wrapped(tensor_from(array, copy ? Copy::never : Copy::if_needed));
      },
      nb::arg("array").none(), nb::arg("copy").none(), "A tensor over the elements of an array.");
  module.def(
      "from_dlpack",
      [](nb::handle array, bool must_borrow) {
        return wrapped(tensor_from_dlpack(array, must_borrow));
      },
      nb::arg("array"), nb::arg("must_borrow"), "A tensor over the elements of a DLPack producer.");
}

}  // namespace weft::python
