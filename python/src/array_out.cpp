// SPDX-License-Identifier: Apache-2.0
// An array of NumPy over memory of weft's: NumPy asks an object for its interface, and keeps it.
#include "array_out.h"

#include <memory>
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

/// Where the elements lie already, if they do.
std::optional<Elements> stored_elements(const Tensor& tensor) {
  const Node& node = tensor.node();
  if (node.is_stored())
    return Elements{node.value(), node.dtype(), node.shape(), dense_strides(node.shape())};
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

}  // namespace

Elements elements_of(const Tensor& tensor) {
  if (tensor.is_open()) evaluate(tensor);  // says what is wrong
  if (std::optional<Elements> stored = stored_elements(tensor)) return *std::move(stored);
  evaluate(tensor);
  return {tensor.node().value(), tensor.dtype(), tensor.shape(), dense_strides(tensor.shape())};
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
