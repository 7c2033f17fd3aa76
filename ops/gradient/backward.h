// SPDX-License-Identifier: Apache-2.0
// The way back through a graph that grad and vjp share.
#pragma once

#include <string_view>

#include <weft/graph/define.h>

namespace weft {

/// The cotangents of `xs` where that of `y` is `cotangent`, in the name of `op`. All are known.
Tensors cotangents_of(std::string_view op, const Tensor& y, const Tensors& xs,
                      const Tensor& cotangent);

/// The place of `which` among so many xs. Throws ParameterError, IndexError.
std::size_t check_which(std::string_view op, const Ints& which, std::size_t count);

/// Throws DtypeError where y or an x holds no floating-point numbers.
void check_variables(std::string_view op, const KnownType& y, const KnownTypes& xs);

/// In a program, where a constant may be made of another, and is not when it was saved: throws
/// ParameterError (no_gradient) where an x depends on no placeholder.
void check_open(std::string_view op, const Tensors& xs);

/// The calls that wait, of a program: each makes one of the results.
template <class Def, class... Operands>
Results one_by_one(const Tensors& xs, const Operands&... operands) {
  check_open(Def::name, xs);
  Results made;
  for (std::size_t k = 0; k < xs.size(); ++k) made.push_back(build<Def>(operands..., xs, Ints(k)));
  return made;
}

}  // namespace weft
