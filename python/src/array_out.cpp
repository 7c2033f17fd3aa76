// SPDX-License-Identifier: Apache-2.0
// An array of NumPy over memory of weft's: NumPy asks an object for its interface, and keeps it.
#include "array_out.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <weft/engine/memory/buffer.h>
#include <weft/engine/run/eval.h>
#include <weft/graph/plan/strided_operand.h>

#include "array_in.h"
#include "dtype.h"
#include "evaluate.h"
#include "interface.h"

namespace weft::python {
namespace {

/// Py_bf_getbuffer, which the headers of the stable ABI name from 3.11 on; CPython 3.10 takes it,
/// too.
constexpr int buffer_slot = 1;

/// What an array of NumPy has as its base.
class Memory {
 public:
  explicit Memory(Elements elements) : elements_(std::move(elements)) {
    const std::int64_t size = elements_.dtype.size();
    for (const std::int64_t extent : elements_.shape) shape_.push_back(extent);
    for (const std::int64_t stride : elements_.strides) strides_.push_back(stride * size);
  }

  nb::object interface() {
    const InterfaceType type = interface_type(elements_.dtype);
    const int flags = ArrayInterface::aligned | ArrayInterface::native_order |
                      (elements_.is_writable ? ArrayInterface::writable : 0);
    told_ = {2,
             static_cast<int>(shape_.size()),
             type.kind,
             type.size,
             flags,
             shape_.data(),
             strides_.data(),
             const_cast<std::byte*>(elements_.first.get()),
             nullptr};
    return nb::steal(PyCapsule_New(&told_, nullptr, nullptr));
  }

 private:
  Elements elements_;
  std::vector<std::intptr_t> shape_, strides_;
  ArrayInterface told_{};
};

Shape dense_strides(const Shape& shape) {
  return element_count(shape) == 0 ? Shape(shape.size(), 0) : row_major_strides(shape);
}

Elements elements_of_value(const Node& node) {
  return {node.value(), node.dtype(), node.shape(), dense_strides(node.shape())};
}

/// Where the elements lie already, if they do. It may wait for what another thread writes over, so
/// it is called without the lock, which that thread asks for.
std::optional<Elements> stored_elements(const Tensor& tensor) {
  const Node& node = tensor.node();
  if (node.is_stored()) return elements_of_value(node);
  if (node.count() == 0 || node.depends_on_index()) return {};
  const Expression expression(tensor.node_ptr());
  PlanBudget budget;
  Arena arena(budget);
  const std::optional<StridedOperand> found =
      strided_operand(expression, expression.root(), arena, true);
  if (!found || !expression[found->vertex].is_stored) return {};
  const Node& below = *expression[found->vertex].node;
  if (below.dtype().size() != node.dtype().size()) return {};
  const Storage& value = below.value();
  return Elements{Storage(value, value.get() + found->offset * node.dtype().size()), node.dtype(),
                  node.shape(), found->strides};
}

/// CPython's struct of the buffer protocol, which is NumPy's to fill.
struct BufferView;

}  // namespace

extern "C" int lend_buffer(PyObject* self, BufferView* view, int flags) noexcept {
  try {
    const Tensor& tensor = *nb::inst_ptr<Tensor>(self);
    // NumPy asks for a buffer before all else and drops what is raised, a Ctrl-C as well, so that
    // nothing may be evaluated or waited for here.
    std::optional<Elements> stored;
    if (tensor.has_value() && !tensor.is_open() && !tensor.node().is_computing())
      stored = without_gil([&] { return stored_elements(tensor); });
    if (!stored) {
      PyErr_SetString(PyExc_BufferError,
                      "a buffer is of what is stored, and the tensor is not; x.eval() computes it");
      return -1;
    }
    const nb::object array = to_numpy(*std::move(stored));
    using Lend = int (*)(PyObject*, BufferView*, int);
    const auto lend = reinterpret_cast<Lend>(PyType_GetSlot(Py_TYPE(array.ptr()), buffer_slot));
    return lend(array.ptr(), view, flags);
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_BufferError, error.what());
  }
  return -1;
}

const PyType_Slot* buffer_slots() {
  static const PyType_Slot slots[] = {{buffer_slot, reinterpret_cast<void*>(&lend_buffer)},
                                      {0, nullptr}};
  return slots;
}

Elements elements_of(const Tensor& tensor, bool may_go_back) {
  if (tensor.is_stored()) return elements_of_value(tensor.node());
  return evaluating({}, [&](const EvalOptions& options) {
    // What another thread computes is waited for below, where Ctrl-C ends it.
    if (!tensor.is_open() && !tensor.node().is_computing())
      if (std::optional<Elements> stored = stored_elements(tensor))
        if (may_go_back ||
            std::ranges::none_of(stored->strides, [](std::int64_t s) { return s < 0; }))
          return *std::move(stored);
    return elements_of_value(tensor.eval(options).node());
  });
}

Elements own_elements(const Tensor& tensor) {
  Elements elements = elements_of(tensor);
  if (is_allocated(elements.first)) return elements;
  elements = copied_elements(tensor);
  elements.is_writable = false;
  return elements;
}

Elements copied_elements(const Tensor& tensor) {
  const Shape shape = tensor.shape();
  std::shared_ptr<std::byte> bytes = allocate(tensor.bytes(), "numpy", shape);
  evaluate_into(tensor, bytes.get(), tensor.bytes());
  return {std::move(bytes), tensor.dtype(), shape, dense_strides(shape), true};
}

nb::object to_numpy(Elements elements) {
  const DType dtype = elements.dtype;
  static const nb::handle asarray =
      nb::object(nb::module_::import_("numpy").attr("asarray")).release();
  nb::object array = asarray(nb::cast(Memory(std::move(elements))));
  const InterfaceType type = interface_type(dtype);
  if (type.kind == 'V') return array.attr("view")(numpy_dtype(dtype));
  return array;
}

void bind_arrays(nb::module_& module) {
  nb::class_<Memory>(module, "Memory", "The memory under an array that weft has made.")
      .def_prop_ro("__array_struct__", &Memory::interface, "NumPy's array interface.");
}

}  // namespace weft::python
