// SPDX-License-Identifier: Apache-2.0
// Loops over arrays around each function of vectors, once for each instruction set.
#include "support/math_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "support/math_table.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <weft/engine/kernels/compute/math/erf-inl.h>
#include <weft/engine/kernels/compute/math/exp-inl.h>
#include <weft/engine/kernels/compute/math/hyperbolic-inl.h>
#include <weft/engine/kernels/compute/math/inverse_trig-inl.h>
#include <weft/engine/kernels/compute/math/log-inl.h>
#include <weft/engine/kernels/compute/math/logaddexp-inl.h>
#include <weft/engine/kernels/compute/math/logistic-inl.h>
#include <weft/engine/kernels/compute/math/pow-inl.h>
#include <weft/engine/kernels/compute/math/root-inl.h>
#include <weft/engine/kernels/compute/math/sincos-inl.h>
#include <weft/engine/kernels/compute/math/softplus-inl.h>
#include <weft/engine/kernels/compute/math/tanh-inl.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using testing::MathFunction;

template <class F, class T>
void over_array(const T* x, const T*, T* out, std::size_t count) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(F()(d, hn::LoadU(d, x + i)), d, out + i);
  const hn::CappedTag<T, 1> one;
  for (; i < count; ++i) hn::StoreU(F()(one, hn::LoadU(one, x + i)), one, out + i);
}

template <class F, class T>
void over_arrays(const T* x, const T* y, T* out, std::size_t count) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(F()(d, hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, out + i);
  const hn::CappedTag<T, 1> one;
  for (; i < count; ++i)
    hn::StoreU(F()(one, hn::LoadU(one, x + i), hn::LoadU(one, y + i)), one, out + i);
}

template <class F>
constexpr MathFunction of_one(F, std::string_view name) {
  return {name, 1, over_array<F, float>, over_array<F, double>};
}

template <class F>
constexpr MathFunction of_two(F, std::string_view name) {
  return {name, 2, over_arrays<F, float>, over_arrays<F, double>};
}

constexpr MathFunction functions[] = {
    of_one([](auto d, auto x) HWY_ATTR { return math::exp(d, x); }, "exp"),
    of_one([](auto d, auto x) HWY_ATTR { return math::exp2(d, x); }, "exp2"),
    of_one([](auto d, auto x) HWY_ATTR { return math::expm1(d, x); }, "expm1"),
    of_one([](auto d, auto x) HWY_ATTR { return math::log(d, x); }, "log"),
    of_one([](auto d, auto x) HWY_ATTR { return math::log2(d, x); }, "log2"),
    of_one([](auto d, auto x) HWY_ATTR { return math::log10(d, x); }, "log10"),
    of_one([](auto d, auto x) HWY_ATTR { return math::log1p(d, x); }, "log1p"),
    of_one([](auto d, auto x) HWY_ATTR { return math::tanh(d, x); }, "tanh"),
    of_one([](auto d, auto x) HWY_ATTR { return math::sigmoid(d, x); }, "sigmoid"),
    of_one([](auto d, auto x) HWY_ATTR { return math::silu(d, x); }, "silu"),
    of_one([](auto d, auto x) HWY_ATTR { return math::gelu(d, x); }, "gelu"),
    of_one([](auto d, auto x) HWY_ATTR { return math::gelu_tanh(d, x); }, "gelu_tanh"),
    of_one([](auto d, auto x) HWY_ATTR { return math::erf(d, x); }, "erf"),
    of_one([](auto d, auto x) HWY_ATTR { return math::softplus(d, x); }, "softplus"),
    of_one([](auto d, auto x) HWY_ATTR { return math::rsqrt(d, x); }, "rsqrt"),
    of_one([](auto d, auto x) HWY_ATTR { return math::sin(d, x); }, "sin"),
    of_one([](auto d, auto x) HWY_ATTR { return math::cos(d, x); }, "cos"),
    of_one([](auto d, auto x) HWY_ATTR { return math::tan(d, x); }, "tan"),
    of_one([](auto d, auto x) HWY_ATTR { return math::asin(d, x); }, "asin"),
    of_one([](auto d, auto x) HWY_ATTR { return math::acos(d, x); }, "acos"),
    of_one([](auto d, auto x) HWY_ATTR { return math::atan(d, x); }, "atan"),
    of_one([](auto d, auto x) HWY_ATTR { return math::sinh(d, x); }, "sinh"),
    of_one([](auto d, auto x) HWY_ATTR { return math::cosh(d, x); }, "cosh"),
    of_one([](auto d, auto x) HWY_ATTR { return math::cbrt(d, x); }, "cbrt"),
    of_two([](auto d, auto x, auto y) HWY_ATTR { return math::atan2(d, x, y); }, "atan2"),
    of_two([](auto d, auto x, auto y) HWY_ATTR { return math::pow(d, x, y); }, "pow"),
    of_two([](auto d, auto x, auto y) HWY_ATTR { return math::hypot(d, x, y); }, "hypot"),
    of_two([](auto d, auto x, auto y) HWY_ATTR { return math::logaddexp(d, x, y); }, "logaddexp"),
};

testing::MathTarget math_target() { return {hwy::TargetName(HWY_TARGET), functions}; }

}  // namespace
}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft::testing {

WEFT_BY_SET(math_target);

std::vector<MathTarget> math_targets() {
  std::vector<MathTarget> all;
  for (const InstructionSet set : instruction_sets)
    if (const auto target = math_target_by_set[static_cast<std::size_t>(set)]; target && has(set))
      all.push_back(target());
  return all;
}

}  // namespace weft::testing
#endif
