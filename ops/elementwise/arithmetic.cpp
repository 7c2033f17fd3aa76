// SPDX-License-Identifier: Apache-2.0
// Arithmetic: sums, differences, products, and what is near to them.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/ops/elementwise/arithmetic.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>

#include <cmath>
#include <complex>

#include <weft/engine/kernels/compute/links-inl.h>
#include <weft/ops/elementwise/arithmetic.h>
#include <weft/ops/elementwise/entry.h>
#include <weft/ops/elementwise/wrapped.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

/// Whether there are vectors of products.
template <class T>
inline constexpr bool has_products = sizeof(T) == 2 || sizeof(T) == 4 || hwy::IsFloat<T>();

struct Add : EntryOf<2, kinds::numbers> {
  static constexpr std::string_view name = "add";
  static constexpr const Op& op = add_op;
  static constexpr bool is_commutative = true;

  template <class T>
  static T value(T x, T y) {
    return static_cast<T>(unsigned_of(x) + unsigned_of(y));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x, V y) {
    return hn::Add(x, y);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor&, const Tensor&) {
    return {cotangent, cotangent};
  }
};

struct Subtract : EntryOf<2, kinds::numbers> {
  static constexpr std::string_view name = "subtract";
  static constexpr const Op& op = subtract_op;

  template <class T>
  static T value(T x, T y) {
    return static_cast<T>(unsigned_of(x) - unsigned_of(y));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x, V y) {
    return hn::Sub(x, y);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor&, const Tensor&) {
    return {cotangent, negative(cotangent)};
  }
};

struct Multiply : EntryOf<2, kinds::numbers> {
  static constexpr std::string_view name = "multiply";
  static constexpr const Op& op = multiply_op;
  static constexpr bool is_commutative = true;

  template <class T>
  static T value(T x, T y) {
    return static_cast<T>(unsigned_of(x) * unsigned_of(y));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x, V y) requires(has_products<hn::TFromD<D>>) {
    return hn::Mul(x, y);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x, const Tensor& y) {
    return {multiply(cotangent, y), multiply(cotangent, x)};
  }
};

struct Fma : EntryOf<3, kinds::reals> {
  static constexpr std::string_view name = "fma";
  static constexpr const Op& op = fma_op;

  template <RealLane T>
  static T value(T x, T y, T z) {
    if constexpr (std::is_floating_point_v<T>) return std::fma(x, y, z);
    else return static_cast<T>(unsigned_of(x) * unsigned_of(y) + unsigned_of(z));
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x, const Tensor& y,
                         const Tensor&) {
    return {cotangent.multiply(y), cotangent.multiply(x), cotangent};
  }
};

struct Negative : EntryOf<1, kinds::numbers> {
  static constexpr std::string_view name = "negative";
  static constexpr const Op& op = negative_op;

  template <class T>
  static T value(T x) {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(0 - unsigned_of(x));
    else return -x;
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return hn::Neg(x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor&) {
    return {negative(cotangent)};
  }
};

struct Abs : EntryOf<1, kinds::numbers> {
  static constexpr std::string_view name = "abs";
  static constexpr const Op& op = abs_op;
  static DType made(DType type) { return part_of(type); }

  template <class T>
  static auto value(T x) {
    if constexpr (std::is_integral_v<T>) return x < 0 ? static_cast<T>(0 - unsigned_of(x)) : x;
    else return std::abs(x);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return hn::Abs(x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x) {
    return {cotangent.multiply(x.sign())};
  }
};

struct Sign : EntryOf<1, kinds::reals> {
  static constexpr std::string_view name = "sign";
  static constexpr const Op& op = sign_op;

  template <RealLane T>
  static T value(T x) {
    return x > 0 ? T{1} : x < 0 ? static_cast<T>(-1) : x == 0 ? T{0} : x;
  }
  static Tensors adjoint(const Tensor&, const Tensor&, const Tensor&) { return {Tensor()}; }
};

struct Square : EntryOf<1, kinds::numbers> {
  static constexpr std::string_view name = "square";
  static constexpr const Op& op = square_op;

  template <class T>
  static T value(T x) {
    return static_cast<T>(unsigned_of(x) * unsigned_of(x));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x) requires(has_products<hn::TFromD<D>>) {
    return hn::Mul(x, x);
  }
  static Tensors adjoint(const Tensor& cotangent, const Tensor&, const Tensor& x) {
    return {cotangent.multiply(x).multiply(2)};
  }
};

using All = Family<Add, Subtract, Multiply, Fma, Negative, Abs, Sign, Square>;

}  // namespace

const LinkTable& arithmetic_links(std::size_t entry) { return family_links<All>(entry); }

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(arithmetic_links);

namespace {

using namespace HWY_NAMESPACE;

const LinkTable& links(std::size_t entry) {
  return on_this_machine(arithmetic_links_by_set)(entry);
}

template <class Entry>
constexpr Instruction instruction = All::instruction<Entry>(links);
template <class Entry>
using Call = ElementwiseCall<Entry, instruction<Entry>>;

struct Positive {
  static constexpr std::string_view name = "positive";
  static constexpr const Op& op = positive_op;
  static constexpr std::tuple fields{operand("x", "any shape")};

  static KnownType infer(const KnownType& x) {
    return {common_type(name, kinds::numbers, {x.dtype}), x.shape};
  }
  static Tensor make(TensorType, const Tensor& x) { return x; }
};

}  // namespace

constinit const Op add_op = op_of<Call<Add>>();
Tensor add(const Tensor& x, const Tensor& y) { return build<Call<Add>>(x, y); }
Tensor add(const Tensor& x, const Scalar& y) { return add(x, weak("add", y, x)); }
Tensor add(const Scalar& x, const Tensor& y) { return add(weak("add", x, y), y); }
Tensor ElementwiseMethods::add(const Tensor& y) const { return weft::add(tensor(), y); }
Tensor ElementwiseMethods::add(const Scalar& y) const { return weft::add(tensor(), y); }

constinit const Op subtract_op = op_of<Call<Subtract>>();
Tensor subtract(const Tensor& x, const Tensor& y) { return build<Call<Subtract>>(x, y); }
Tensor subtract(const Tensor& x, const Scalar& y) { return subtract(x, weak("subtract", y, x)); }
Tensor subtract(const Scalar& x, const Tensor& y) { return subtract(weak("subtract", x, y), y); }
Tensor ElementwiseMethods::subtract(const Tensor& y) const { return weft::subtract(tensor(), y); }
Tensor ElementwiseMethods::subtract(const Scalar& y) const { return weft::subtract(tensor(), y); }

constinit const Op multiply_op = op_of<Call<Multiply>>();
Tensor multiply(const Tensor& x, const Tensor& y) { return build<Call<Multiply>>(x, y); }
Tensor multiply(const Tensor& x, const Scalar& y) { return multiply(x, weak("multiply", y, x)); }
Tensor multiply(const Scalar& x, const Tensor& y) { return multiply(weak("multiply", x, y), y); }
Tensor ElementwiseMethods::multiply(const Tensor& y) const { return weft::multiply(tensor(), y); }
Tensor ElementwiseMethods::multiply(const Scalar& y) const { return weft::multiply(tensor(), y); }

constinit const Op fma_op = op_of<Call<Fma>>();
Tensor fma(const Tensor& x, const Tensor& y, const Tensor& z) { return build<Call<Fma>>(x, y, z); }
Tensor fma(const Tensor& x, const Scalar& y, const Scalar& z) {
  return fma(x, weak("fma", y, x), weak("fma", z, x));
}
Tensor fma(const Tensor& x, const Scalar& y, const Tensor& z) {
  return fma(x, weak("fma", y, x), z);
}
Tensor fma(const Tensor& x, const Tensor& y, const Scalar& z) {
  return fma(x, y, weak("fma", z, x));
}
Tensor ElementwiseMethods::fma(const Tensor& y, const Tensor& z) const {
  return weft::fma(tensor(), y, z);
}
Tensor ElementwiseMethods::fma(const Scalar& y, const Scalar& z) const {
  return weft::fma(tensor(), y, z);
}
Tensor ElementwiseMethods::fma(const Scalar& y, const Tensor& z) const {
  return weft::fma(tensor(), y, z);
}
Tensor ElementwiseMethods::fma(const Tensor& y, const Scalar& z) const {
  return weft::fma(tensor(), y, z);
}

constinit const Op negative_op = op_of<Call<Negative>>();
Tensor negative(const Tensor& x) { return build<Call<Negative>>(x); }
Tensor ElementwiseMethods::negative() const { return weft::negative(tensor()); }

constinit const Op positive_op = op_of<Positive>();
Tensor positive(const Tensor& x) { return build<Positive>(x); }
Tensor ElementwiseMethods::positive() const { return weft::positive(tensor()); }

constinit const Op abs_op = op_of<Call<Abs>>();
Tensor abs(const Tensor& x) { return build<Call<Abs>>(x); }
Tensor ElementwiseMethods::abs() const { return weft::abs(tensor()); }

constinit const Op sign_op = op_of<Call<Sign>>();
Tensor sign(const Tensor& x) { return build<Call<Sign>>(x); }
Tensor ElementwiseMethods::sign() const { return weft::sign(tensor()); }

constinit const Op square_op = op_of<Call<Square>>();
Tensor square(const Tensor& x) { return build<Call<Square>>(x); }
Tensor ElementwiseMethods::square() const { return weft::square(tensor()); }

}  // namespace weft
#endif
