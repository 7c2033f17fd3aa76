// SPDX-License-Identifier: Apache-2.0
// What an expression keeps to be carried out again.
#pragma once

#include <memory>
#include <utility>

#include <weft/graph/plan/plan.h>

namespace weft {

struct Executable final : AnyExecutable {
  explicit Executable(Plan made) : plan(std::move(made)) {}
  Plan plan;
};

/// The one that an expression keeps, if any.
inline std::unique_ptr<Executable> take_executable(const Node& root) {
  return std::unique_ptr<Executable>(static_cast<Executable*>(root.take_executable().release()));
}

}  // namespace weft
