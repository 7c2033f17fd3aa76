// SPDX-License-Identifier: Apache-2.0
// Evaluation for Python: without the lock of the interpreter.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

#include <weft/engine/run/options.h>
#include <weft/graph/tensor.h>

#include "gil.h"

namespace weft::python {

/// What `work` returns, which evaluates with the options that it is given, without the lock. They
/// ask for signals where this is the main thread: Ctrl-C ends it with KeyboardInterrupt.
template <class Work>
auto evaluating(EvalOptions options, Work&& work);

void evaluate(const Tensor& tensor, const EvalOptions& options = {});
void evaluate_into(const Tensor& tensor, void* out, std::int64_t bytes);

// --- definitions ---

/// What Python has to say to an evaluation: signals that wait for the main thread.
class Signals {
 public:
  Signals();
  const std::function<bool()>* asked() const { return may_ask_ ? &asked_ : nullptr; }
  /// Raises what a handler has raised.
  void raise_if_stopped();

 private:
  bool look();

  bool may_ask_;
  std::chrono::steady_clock::time_point next_;
  std::function<bool()> asked_;
  nb::object raised_;
};

template <class Work>
auto evaluating(EvalOptions options, Work&& work) {
  Signals signals;
  options.should_stop = signals.asked();
  try {
    return without_gil([&] { return work(std::as_const(options)); });
  } catch (const Cancelled&) {
    signals.raise_if_stopped();
    throw;
  }
}

}  // namespace weft::python
