// SPDX-License-Identifier: Apache-2.0
// What programs run by: plans that take their inputs by number.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <weft/engine/program/recording.h>
#include <weft/engine/run/executable.h>
#include <weft/engine/run/options.h>
#include <weft/graph/map/cyclic_map.h>
#include <weft/graph/plan/plan.h>
#include <weft/graph/structural_key.h>
#include <weft/graph/value/error.h>

namespace weft {

/// An executable whose stored sources are inputs or constants.
struct BoundPlan {
  static constexpr std::size_t constant = static_cast<std::size_t>(-1);
  Executable executable;
  SmallVector<std::size_t, 8> inputs{};   ///< the number of each source, or `constant`
  SmallVector<std::size_t, 2> results{};  ///< which each output is
  std::optional<CyclicMap> turn{};        ///< where all it does is turn its source
};

/// Where an output of the program comes from.
struct ProgramResult {
  enum class From { input, constant, plan };
  From from;
  std::size_t input;
  Storage constant;
  DType dtype;
  Shape shape;

  std::int64_t bytes() const { return element_count(shape) * dtype.size(); }
};

/// All that is needed to run a program on inputs of certain shapes and parameters.
struct ProgramPlans {
  std::vector<BoundPlan> plans;
  std::vector<ProgramResult> results;
  std::vector<std::size_t> readers;  ///< of each input, among plans and results
};

/// What the plans depend on beside the recording.
struct ProgramKey {
  StructuralKey structure;
  std::uint64_t hash() const noexcept { return structure.hash(); }
  friend bool operator==(const ProgramKey&, const ProgramKey&) = default;
};

/// "%2 roll: ..." of what was said of a call, or of a part of it.
std::string message_of_call(const Recording& recording, Recording::Number number,
                            const std::string& message);

/// "input 1 (shift)".
std::string input_name(const Recording& recording, std::size_t k);

/// Refuses inputs that do not fit their placeholders.
void check_inputs(const Recording& recording, const std::vector<Tensor>& inputs);

/// Of inputs that fit and have their values.
ProgramKey key_of(const Recording& recording, const std::vector<Tensor>& inputs,
                  const PlanLimits& limits);

/// What plans are made for.
struct PlanPurpose {
  bool is_kept;  ///< they hold nothing of the inputs
  bool is_into;  ///< the outputs go into memory of the caller
};

/// Plans what the program makes of inputs that fit and have their values. Errors name the call.
ProgramPlans make_plans(const Recording& recording, const std::vector<Tensor>& inputs,
                        const EvalOptions& options, const PlanPurpose& purpose);

/// Calls `work`; its errors say that they are about value `number`, which a call makes.
template <class Work>
decltype(auto) named(const Recording& recording, Recording::Number number, const Work& work) {
  try {
    return work();
  } catch (Error& error) {
    error.say(message_of_call(recording, number, error.what()));
    throw;
  }
}

}  // namespace weft
