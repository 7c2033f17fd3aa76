// SPDX-License-Identifier: Apache-2.0
// From Python's numbers, sequences and texts to weft's parameters.
#include "parameters.h"

#include <complex>
#include <fmt/format.h>
#include <string>
#include <vector>

#include <weft/engine/memory/create.h>
#include <weft/graph/value/error.h>

#include "array_in.h"
#include "dlpack.h"
#include "dtype.h"
#include "evaluate.h"
#include "tensor.h"

namespace weft::python {
namespace {

/// The digits of an integer, of which Python writes out no more than some thousands.
std::string digits(nb::handle integer) {
  const auto bits = nb::cast<std::size_t>(integer.attr("bit_length")());
  if (bits > 128) return fmt::format("an integer of {} bits", bits);
  return nb::str(integer).c_str();
}

/// The integer of an object that is one, as its bits and whether they are those of a u64.
AnyInteger integer_from(nb::handle value) {
  const nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index.is_valid()) nb::raise_python_error();
  int overflow = 0;
  const long long small = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow == 0) return AnyInteger(static_cast<std::int64_t>(small));
  const unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(index.ptr()) : 0;
  if (overflow < 0 || PyErr_Occurred()) {
    PyErr_Clear();
    throw OverflowError(fmt::format("{} is beyond 64 bits", digits(index)));
  }
  return AnyInteger(static_cast<std::uint64_t>(large));
}

Ints ints_of_tensor(const Tensor& tensor) {
  if (!tensor.has_value() || tensor.is_open() || tensor.is_stored()) return Ints(tensor);
  return evaluating({}, [&](const EvalOptions& options) {
    if (tensor.dtype().is_integer() && tensor.rank() <= 1) tensor.eval(options);
    return Ints(tensor);  // refused by the op where it is no list of integers
  });
}

Ints ints_of_sequence(nb::handle values) {
  std::vector<std::int64_t> bits;
  DType dtype = i64;
  for (const nb::handle value : values) {
    if (!PyIndex_Check(value.ptr())) {
      // A list of lists, or of floats: NumPy knows what it is, and weft refuses it by that.
      return ints_of_tensor(tensor_from(values, Copy::if_needed));
    }
    const AnyInteger entry = integer_from(value);
    bits.push_back(entry.bits);
    if (entry.exceeds_int64) dtype = u64;
  }
  return Ints(dtype, 1, bits);
}

[[noreturn]] void refuse(std::string_view op, std::string_view name, std::string_view expected,
                         nb::handle given) {
  throw DtypeError(
      fmt::format("{}: {} is {}, expected {}", op, name, nb::repr(given.type()).c_str(), expected));
}

}  // namespace

std::string text_from(nb::handle value, std::string_view op, std::string_view name) {
  if (!PyUnicode_Check(value.ptr())) refuse(op, name, "a str", value);
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (bytes) return std::string(bytes, static_cast<std::size_t>(size));
  PyErr_Clear();
  throw FormatError(fmt::format("{}: {} has half of a surrogate pair, which is no text", op, name));
}

std::int64_t integer_from(nb::handle value, std::int64_t low, std::int64_t high,
                          std::string_view op, std::string_view name) {
  if (!PyIndex_Check(value.ptr())) refuse(op, name, "an int", value);
  const AnyInteger given = integer_from(value);
  if (!given.exceeds_int64 && given.bits >= low && given.bits <= high) return given.bits;
  throw OverflowError(
      fmt::format("{}: {} is {}, expected {} to {}", op, name, nb::str(value).c_str(), low, high));
}

Ints ints_from(nb::handle value) {
  if (value.is_none()) return none;
  if (PyBool_Check(value.ptr())) return Ints(value.ptr() == Py_True);
  if (PyLong_Check(value.ptr())) {
    const AnyInteger entry = integer_from(value);
    return Ints(entry.exceeds_int64 ? u64 : i64, 0, std::span(&entry.bits, 1));
  }
  if (const Tensor* const tensor = tensor_in(value)) return ints_of_tensor(*tensor);
  // Whatever has __index__ and no elements.
  if (PyIndex_Check(value.ptr()) && !has_interface(value) && !has_dlpack(value)) {
    const AnyInteger entry = integer_from(value);
    return Ints(entry.exceeds_int64 ? u64 : i64, 0, std::span(&entry.bits, 1));
  }
  if (PyTuple_Check(value.ptr()) || PyList_Check(value.ptr()) || PyRange_Check(value.ptr()))
    return ints_of_sequence(value);
  return ints_of_tensor(tensor_from(value, Copy::if_needed));
}

Argument argument_from(nb::handle value, ArgumentType type, std::string_view op,
                       std::string_view name) {
  switch (type) {
    case ArgumentType::integers:
      return ints_from(value);
    case ArgumentType::text:
      return text_from(value, op, name);
    case ArgumentType::number: {
      const double number = PyFloat_AsDouble(value.ptr());
      if (PyErr_Occurred()) {
        PyErr_Clear();
        refuse(op, name, "a number", value);
      }
      return number;
    }
    case ArgumentType::flag:
      return nb::cast<bool>(nb::bool_(value));
    case ArgumentType::dtype:
      return dtype_from(value);
  }
  throw InternalError("a parameter of no type");
}

bool is_number(nb::handle value) {
  return PyFloat_CheckExact(value.ptr()) || PyLong_CheckExact(value.ptr()) ||
         PyBool_Check(value.ptr()) || PyComplex_CheckExact(value.ptr());
}

Tensor complex_beside(nb::handle number, DType dtype, std::string_view op) {
  const std::complex<double> value(PyComplex_RealAsDouble(number.ptr()),
                                   PyComplex_ImagAsDouble(number.ptr()));
  if (dtype == c128) return scalar(value);
  if (dtype == c64) return scalar(std::complex<float>(value));
  throw DtypeError(
      fmt::format("{}: {} and a complex number, expected one kind: cast the tensor "
                  "(x.astype(c128))",
                  op, dtype.name()));
}

Scalar scalar_from(nb::handle number) {
  if (PyBool_Check(number.ptr())) return Scalar(number.ptr() == Py_True);
  if (PyFloat_CheckExact(number.ptr())) return Scalar(PyFloat_AsDouble(number.ptr()));
  const AnyInteger entry = integer_from(number);
  if (entry.exceeds_int64) return Scalar(static_cast<std::uint64_t>(entry.bits));
  return Scalar(entry.bits);
}

}  // namespace weft::python
