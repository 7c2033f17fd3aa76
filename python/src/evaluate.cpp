// SPDX-License-Identifier: Apache-2.0
// Every evaluation that Python asks for goes through here.
#include "evaluate.h"

#include <weft/engine/run/eval.h>

namespace weft::python {
namespace {

/// How often signals are looked for. Each look waits for the lock, which another thread of Python
/// may hold for 5 ms.
constexpr std::chrono::milliseconds between_looks{40};

/// Handlers of signals run on the main thread alone. It stays the same one, but in a child that
/// another thread has forked, where nobody asks for signals then.
bool is_main_thread() {
  static const auto main_thread = nb::cast<unsigned long>(
      nb::module_::import_("threading").attr("main_thread")().attr("ident"));
  return PyThread_get_thread_ident() == main_thread;
}

}  // namespace

Signals::Signals()
    : may_ask_(is_main_thread()),
      next_(std::chrono::steady_clock::now() + between_looks),
      asked_([this] { return look(); }) {}

bool Signals::look() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return false;
  next_ = now + between_looks;
  const nb::gil_scoped_acquire held;
  if (PyErr_CheckSignals() == 0) return false;
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  raised_ = nb::steal(value);
  Py_XDECREF(type);
  Py_XDECREF(trace);
  return true;
}

void Signals::raise_if_stopped() {
  if (!raised_.is_valid()) return;
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised_.ptr())), raised_.ptr());
  nb::raise_python_error();
}

void evaluate(const Tensor& tensor, const EvalOptions& options) {
  evaluating(options, [&](const EvalOptions& own) { return tensor.eval(own); });
}

void evaluate_into(const Tensor& tensor, void* out, std::int64_t bytes) {
  evaluating({}, [&](const EvalOptions& own) {
    eval_into(tensor, out, bytes, own);
    return 0;
  });
}

}  // namespace weft::python
