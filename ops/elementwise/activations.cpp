// SPDX-License-Identifier: Apache-2.0
// Activation functions of networks.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/ops/elementwise/activations.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>

#include <cmath>
#include <limits>
#include <numbers>

#include <weft/engine/kernels/compute/links-inl.h>
#include <weft/engine/kernels/compute/math/erf-inl.h>
#include <weft/engine/kernels/compute/math/logistic-inl.h>
#include <weft/engine/kernels/compute/math/softplus-inl.h>
#include <weft/ops/elementwise/activations.h>
#include <weft/ops/elementwise/entry.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }
/// x times a share that goes to 0 faster than x to minus infinity.
double weighed(double x, double share) {
  return x == -std::numeric_limits<double>::infinity() ? -0.0 : x * share;
}

// That of the normal distribution at 0.
constexpr double normal_density = std::numbers::inv_sqrtpi * std::numbers::sqrt2 / 2;

struct Sigmoid : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "sigmoid";
  static constexpr const Op& op = sigmoid_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.25f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(logistic(double{x}));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::sigmoid(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor& result, const Tensor&) {
    return {cotangent.multiply(result.subtract(result.square()))};
  }
};

struct Silu : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "silu";
  static constexpr const Op& op = silu_op;
  static constexpr double ulps = 3;
  static constexpr float cost = 0.25f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(weighed(double{x}, logistic(double{x})));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::silu(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor& result, const Tensor& x) {
    // s + x s (1 - s)
    const Tensor s = x.sigmoid();
    return {cotangent.multiply(s.add(result.subtract(result.multiply(s))))};
  }
};

struct Gelu : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "gelu";
  static constexpr const Op& op = gelu_op;
  static constexpr double ulps = 4;
  static constexpr float cost = 0.3f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(weighed(double{x}, std::erfc(-double{x} * 0.70710678118654752440) / 2));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::gelu(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x) {
    const Tensor share = x.multiply(std::numbers::sqrt2 / 2).erf().add(1).multiply(0.5);
    const Tensor density = x.square().multiply(-0.5).exp().multiply(normal_density);
    return {cotangent.multiply(share.add(x.multiply(density)))};
  }
};

struct GeluTanh : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "gelu_tanh";
  static constexpr const Op& op = gelu_tanh_op;
  static constexpr double ulps = 3;
  static constexpr float cost = 0.25f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    // x / 2 * (1 + tanh(u)) is x * logistic(2 * u); twice sqrt(2 / pi) is 1.59...
    const double wide = x, by = 1.5957691216057307118 * (1 + 0.044715 * wide * wide);
    return static_cast<T>(weighed(wide, logistic(wide * by)));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::gelu_tanh(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x) {
    const double a = 2 * normal_density, b = 0.044715;
    const Tensor square = x.square();
    const Tensor t = x.multiply(square.multiply(a * b).add(a)).tanh();
    const Tensor inner = x.multiply(square.multiply(3 * a * b).add(a));
    const Tensor slope = inner.subtract(inner.multiply(t.square()));
    return {cotangent.multiply(t.add(1).add(slope).multiply(0.5))};
  }
};

struct Relu : EntryOf<1, kinds::reals> {
  static constexpr std::string_view name = "relu";
  static constexpr const Op& op = relu_op;

  template <RealLane T>
  static T value(T x) {
    return x <= 0 ? T{0} : x;
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return hn::IfThenZeroElse(hn::Le(x, hn::Zero(d)), x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x) {
    return {cotangent.where(x.greater(0), 0)};
  }
};

struct Softplus : EntryOf<1, kinds::floats> {
  static constexpr std::string_view name = "softplus";
  static constexpr const Op& op = softplus_op;
  static constexpr double ulps = 2;
  static constexpr float cost = 0.4f;
  static constexpr bool is_long = true;

  template <std::floating_point T>
  static T value(T x) {
    return static_cast<T>(std::max(double{x}, 0.0) + std::log1p(std::exp(-std::abs(double{x}))));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return math::softplus(d, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x) {
    return {cotangent.multiply(x.sigmoid())};
  }
};

using All = Family<Sigmoid, Silu, Gelu, GeluTanh, Relu, Softplus>;

}  // namespace

const LinkTable& activations_links(std::size_t entry) { return family_links<All>(entry); }

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(activations_links);

namespace {

using namespace HWY_NAMESPACE;

const LinkTable& links(std::size_t entry) {
  return on_this_machine(activations_links_by_set)(entry);
}

template <class Entry>
constexpr Instruction instruction = All::instruction<Entry>(links);
template <class Entry>
using Call = ElementwiseCall<Entry, instruction<Entry>>;

}  // namespace

constinit const Op sigmoid_op = op_of<Call<Sigmoid>>();
Tensor sigmoid(const Tensor& x) { return build<Call<Sigmoid>>(x); }
Tensor ElementwiseMethods::sigmoid() const { return weft::sigmoid(tensor()); }

constinit const Op silu_op = op_of<Call<Silu>>();
Tensor silu(const Tensor& x) { return build<Call<Silu>>(x); }
Tensor ElementwiseMethods::silu() const { return weft::silu(tensor()); }

constinit const Op gelu_op = op_of<Call<Gelu>>();
Tensor gelu(const Tensor& x) { return build<Call<Gelu>>(x); }
Tensor ElementwiseMethods::gelu() const { return weft::gelu(tensor()); }

constinit const Op gelu_tanh_op = op_of<Call<GeluTanh>>();
Tensor gelu_tanh(const Tensor& x) { return build<Call<GeluTanh>>(x); }
Tensor ElementwiseMethods::gelu_tanh() const { return weft::gelu_tanh(tensor()); }

constinit const Op relu_op = op_of<Call<Relu>>();
Tensor relu(const Tensor& x) { return build<Call<Relu>>(x); }
Tensor ElementwiseMethods::relu() const { return weft::relu(tensor()); }

constinit const Op softplus_op = op_of<Call<Softplus>>();
Tensor softplus(const Tensor& x) { return build<Call<Softplus>>(x); }
Tensor ElementwiseMethods::softplus() const { return weft::softplus(tensor()); }

}  // namespace weft
#endif
