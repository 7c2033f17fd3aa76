// SPDX-License-Identifier: Apache-2.0
// Arithmetic: an entry an op.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/ops/elementwise/arithmetic.cpp"
#include <weft/engine/kernels/compute/targets.h>

#include <hwy/foreach_target.h>

#include <weft/engine/kernels/compute/links-inl.h>
#include <weft/ops/elementwise/arithmetic.h>
#include <weft/ops/elementwise/entry.h>
#include <weft/ops/elementwise/wrapped.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

struct Add {
  static constexpr std::string_view name = "add";
  static constexpr const Op& op = add_op;
  static constexpr std::size_t operands = 2;
  static constexpr TypeKinds types = numbers;
  static constexpr double ulps = 0.5;

  template <class T>
  static T value(T x, T y) {
    return wrapped([](auto a, auto b) { return a + b; }, x, y);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x, V y) {
    return hn::Add(x, y);
  }
};

struct Multiply {
  static constexpr std::string_view name = "multiply";
  static constexpr const Op& op = multiply_op;
  static constexpr std::size_t operands = 2;
  static constexpr TypeKinds types = numbers;
  static constexpr double ulps = 0.5;

  template <class T>
  static T value(T x, T y) {
    return wrapped([](auto a, auto b) { return a * b; }, x, y);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x, V y) requires(sizeof(hn::TFromD<D>) == 4 ||
                                                   hwy::IsFloat<hn::TFromD<D>>()) {
    return hn::Mul(x, y);
  }
};

using All = Family<Add, Multiply>;

}  // namespace

const LinkTable& arithmetic_links(std::size_t entry) { return family_links<All>(entry); }

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

HWY_EXPORT(arithmetic_links);

namespace {

using namespace HWY_NAMESPACE;

const LinkTable& links(std::size_t entry) { return HWY_DYNAMIC_DISPATCH(arithmetic_links)(entry); }

template <class Entry>
constexpr Instruction instruction = All::instruction<Entry>(links);
template <class Entry>
using Call = ElementwiseCall<Entry, instruction<Entry>>;

}  // namespace

constinit const Op add_op = op_of<Call<Add>>();
Tensor add(const Tensor& x, const Tensor& y) { return build<Call<Add>>(x, y); }
Tensor add(const Tensor& x, const Scalar& y) { return add(x, weak("add", y, x)); }
Tensor add(const Scalar& x, const Tensor& y) { return add(weak("add", x, y), y); }

constinit const Op multiply_op = op_of<Call<Multiply>>();
Tensor multiply(const Tensor& x, const Tensor& y) { return build<Call<Multiply>>(x, y); }
Tensor multiply(const Tensor& x, const Scalar& y) { return multiply(x, weak("multiply", y, x)); }
Tensor multiply(const Scalar& x, const Tensor& y) { return multiply(weak("multiply", x, y), y); }

}  // namespace weft
#endif
