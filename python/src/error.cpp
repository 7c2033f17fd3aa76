// SPDX-License-Identifier: Apache-2.0
// From each C++ error to the Python class of its name.
#include "error.h"

#include <exception>
#include <string>
#include <string_view>

#include <weft/graph/value/error.h>
#include <weft/io/file_error.h>

namespace weft::python {
namespace {

namespace nb = nanobind;

template <class... Errors>
struct List {};

/// From the derived to the base: the first that fits says the name.
template <class First, class... Others>
const char* name_of(const Error& error, List<First, Others...>, const char* const* names) {
  if (dynamic_cast<const First*>(&error)) return *names;
  if constexpr (sizeof...(Others) > 0) return name_of(error, List<Others...>(), names + 1);
  else return "Error";
}

const char* name_of(const Error& error) {
  static constexpr const char* names[] = {
      "AxisError",   "ParameterError", "DtypeError",   "ShapeError", "OverflowError",
      "IndexError",  "MemoryError",    "OpenError",    "EmptyError", "InPlaceError",
      "FormatError", "FileError",      "InternalError"};
  return name_of(error,
                 List<AxisError, ParameterError, DtypeError, ShapeError, OverflowError, IndexError,
                      MemoryError, OpenError, EmptyError, InPlaceError, FormatError, FileError,
                      InternalError>(),
                 names);
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    const nb::object type = nb::module_::import_("weft._errors").attr(name_of(error));
    const std::string_view category = error.category();
    // A name of a file in it may be no UTF-8.
    const std::string_view text = error.what();
    const nb::object instance = type(nb::steal(PyUnicode_DecodeUTF8(
        text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace")));
    instance.attr("category") = nb::str(category.data(), category.size());
    if (const auto* const told = dynamic_cast<const detail::SystemError*>(&error);
        told && told->number() != 0)
      instance.attr("_tell")(told->number(), nb::bytes(told->path().data(), told->path().size()));
    PyErr_SetObject(type.ptr(), instance.ptr());
  }
}

}  // namespace

void bind_errors(nb::module_&) { nb::register_exception_translator(translate); }

}  // namespace weft::python
