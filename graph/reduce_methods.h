// SPDX-License-Identifier: Apache-2.0
// The methods of tensors that reduce: each is the free function of its name.
#pragma once

#include <string>

#include <weft/graph/ints.h>

namespace weft {

class AxisSizes;
class Tensor;
using ReduceFunction = Tensor (*)(const Tensor& x, const Ints& axes, bool keepdims);

/// What Tensor has from the ops that reduce; the full story of each is in ops/reduce.
class ReduceMethods {
 public:
  [[nodiscard]] Tensor sum(const Ints& axes = none, bool keepdims = false) const;
  [[nodiscard]] Tensor prod(const Ints& axes = none, bool keepdims = false) const;
  [[nodiscard]] Tensor min(const Ints& axes = none, bool keepdims = false) const;
  [[nodiscard]] Tensor max(const Ints& axes = none, bool keepdims = false) const;
  [[nodiscard]] Tensor mean(const Ints& axes = none, bool keepdims = false) const;
  [[nodiscard]] Tensor var(const Ints& axes = none, double correction = 0,
                           bool keepdims = false) const;
  [[nodiscard]] Tensor std(const Ints& axes = none, double correction = 0,
                           bool keepdims = false) const;
  [[nodiscard]] Tensor any(const Ints& axes = none, bool keepdims = false) const;
  [[nodiscard]] Tensor all(const Ints& axes = none, bool keepdims = false) const;
  [[nodiscard]] Tensor count_nonzero(const Ints& axes = none, bool keepdims = false) const;
  [[nodiscard]] Tensor logsumexp(const Ints& axes = none, bool keepdims = false) const;
  [[nodiscard]] Tensor argmin(const Ints& axis = none, bool keepdims = false) const;
  [[nodiscard]] Tensor argmax(const Ints& axis = none, bool keepdims = false) const;
  [[nodiscard]] Tensor cumulative_sum(const Ints& axis = none, bool include_initial = false) const;
  [[nodiscard]] Tensor cumulative_prod(const Ints& axis = none, bool include_initial = false) const;
  [[nodiscard]] Tensor layer_norm(const Tensor& scale, const Tensor& bias, const Ints& axes = -1,
                                  double epsilon = 1e-5) const;
  [[nodiscard]] Tensor rms_norm(const Tensor& scale, const Ints& axes = -1,
                                double epsilon = 1e-5) const;
  [[nodiscard]] Tensor reduce(const std::string& pattern, const std::string& reduction) const;
  [[nodiscard]] Tensor reduce(const std::string& pattern, const std::string& reduction,
                              const AxisSizes& sizes) const;
  [[nodiscard]] Tensor reduce(const std::string& pattern, ReduceFunction reduction) const;
  [[nodiscard]] Tensor reduce(const std::string& pattern, ReduceFunction reduction,
                              const AxisSizes& sizes) const;
  [[nodiscard]] Tensor softmax(const Ints& axis = -1) const;
  [[nodiscard]] Tensor log_softmax(const Ints& axis = -1) const;

 private:
  const Tensor& tensor() const;
};

}  // namespace weft
