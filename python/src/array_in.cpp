// SPDX-License-Identifier: Apache-2.0
// Borrowing by NumPy's array interface, which every array of NumPy has, whatever its layout.
#include "array_in.h"

#include <fmt/format.h>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include <weft/engine/memory/create.h>

#include "dlpack.h"
#include "dtype.h"
#include "interface.h"

namespace weft::python {
namespace {

namespace nb = nanobind;

/// The interface and what keeps it alive; null where there is none.
struct Interface {
  nb::object capsule;
  const ArrayInterface* told = nullptr;
};

/// Keeps Python objects until nobody needs their memory, whichever thread finds that out: the
/// array, and the capsule, which has an array of its own where the array is a scalar of NumPy's.
class Owner {
 public:
  Owner(nb::handle array, nb::object capsule)
      : array_(nb::borrow(array)), capsule_(std::move(capsule)) {}
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  ~Owner() {
    if (!Py_IsInitialized()) {  // the interpreter has gone, and its objects
      static_cast<void>(array_.release());
      static_cast<void>(capsule_.release());
      return;
    }
    const nb::gil_scoped_acquire held;
    array_.reset();
    capsule_.reset();
  }

 private:
  nb::object array_, capsule_;
};

Interface interface_of(nb::handle array) {
  PyObject* const found = PyObject_GetAttrString(array.ptr(), "__array_struct__");
  if (!found) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) nb::raise_python_error();
    PyErr_Clear();
    return {};
  }
  Interface own{nb::steal(found)};
  if (!PyCapsule_CheckExact(found)) return {};
  own.told = static_cast<const ArrayInterface*>(PyCapsule_GetPointer(found, nullptr));
  if (!own.told || own.told->two != 2) {
    PyErr_Clear();
    return {};
  }
  return own;
}

nb::object helper(const char* name) { return nb::module_::import_("weft._arrays").attr(name); }

/// Strides in elements, where all are whole numbers of them.
bool in_elements(const ArrayInterface& told, Shape& strides) {
  for (int axis = 0; axis < told.rank; ++axis) {
    if (told.strides_bytes[axis] % told.item_bytes != 0 && told.shape[axis] > 1) return false;
    strides.push_back(told.strides_bytes[axis] / told.item_bytes);
  }
  return true;
}

[[noreturn]] void refuse_copy(std::string_view why) {
  throw ParameterError(
      "copy_needed", fmt::format("asarray: {}, so it has to be copied; copy=False was given", why));
}

Tensor borrowed(nb::handle array, Interface interface, Copy copy) {
  const ArrayInterface& told = *interface.told;
  const auto copied = [&](std::string_view why) {
    if (copy == Copy::never) refuse_copy(why);
    return tensor_from(helper("native")(array), Copy::if_needed);
  };
  if (told.kind == 'O')
    throw DtypeError(
        "asarray: the elements are Python objects, expected numbers, bools, dates, "
        "strings of fixed width or structs");
  const bool is_plain = told.kind != 'V' && told.kind != 'M' && told.kind != 'm' &&
                        told.kind != 'S' && told.kind != 'U';
  if (is_plain && !(told.flags & ArrayInterface::native_order))
    return copied("its bytes are not in the machine's order");
  const std::optional<DType> plain =
      is_plain ? dtype_of_interface({told.kind, told.item_bytes}) : std::nullopt;
  const DType dtype = plain ? *plain : dtype_from(array.attr("dtype"));
  // NumPy calls no array of packed structs aligned, and nobody looks into those.
  if (is_plain && !(told.flags & ArrayInterface::aligned))
    return copied("its elements are not aligned");
  Shape shape(told.shape, told.shape + told.rank), strides;
  if (!in_elements(told, strides)) return copied("its strides are no whole elements");
  return borrow(told.data, dtype, shape, strides,
                std::make_shared<const Owner>(array, std::move(interface.capsule)));
}

}  // namespace

bool has_interface(nb::handle array) {
  return PyObject_HasAttrString(array.ptr(), "__array_struct__") == 1;
}

Tensor tensor_from(nb::handle array, Copy copy) {
  if (Interface interface = interface_of(array); interface.told)
    return borrowed(array, std::move(interface), copy);
  if (has_dlpack(array)) return tensor_from_dlpack(array, copy == Copy::never);
  const nb::object seen = helper("seen")(array, copy == Copy::never);
  if (Interface interface = interface_of(seen); interface.told)
    return borrowed(seen, std::move(interface), copy);
  throw DtypeError("asarray: expected an array, a buffer, a number or a list of them");
}

}  // namespace weft::python
