// SPDX-License-Identifier: Apache-2.0
// Evaluations that are parts of what is told as one.
#pragma once

#include <functional>

#include <weft/engine/run/options.h>

namespace weft {

/// The options of a part: of what is done of it so much is told as lies from `from` to `to` of the
/// whole.
class PartOptions {
 public:
  PartOptions(const EvalOptions& whole, double from, double to)
      : tell_([progress = whole.progress, from, to](double done) {
          (*progress)(from + (to - from) * done);
        }),
        options_(whole) {
    if (whole.progress) options_.progress = &tell_;
  }
  PartOptions(const PartOptions&) = delete;
  PartOptions& operator=(const PartOptions&) = delete;

  const EvalOptions& options() const { return options_; }

 private:
  const std::function<void(double)> tell_;
  EvalOptions options_;
};

/// The same options, and nothing is told.
inline EvalOptions silent(EvalOptions options) {
  options.progress = nullptr;
  return options;
}

/// What is told at the end.
inline void tell_done(const EvalOptions& options) {
  if (options.progress) (*options.progress)(1);
}

}  // namespace weft
