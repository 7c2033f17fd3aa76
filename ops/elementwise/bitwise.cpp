// SPDX-License-Identifier: Apache-2.0
// Logic of each bit, and shifts.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/ops/elementwise/bitwise.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>

#include <weft/engine/kernels/compute/links-inl.h>
#include <weft/ops/elementwise/bitwise.h>
#include <weft/ops/elementwise/entry.h>
#include <weft/ops/elementwise/logic.h>
#include <weft/ops/elementwise/wrapped.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

struct BitwiseAnd : EntryOf<2, kinds::bits> {
  static constexpr std::string_view name = "bitwise_and";
  static constexpr const Op& op = bitwise_and_op;
  static constexpr bool is_commutative = true;

  template <std::integral T>
  static T value(T x, T y) {
    return static_cast<T>(x & y);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x, V y) {
    return hn::And(x, y);
  }
};

struct BitwiseOr : EntryOf<2, kinds::bits> {
  static constexpr std::string_view name = "bitwise_or";
  static constexpr const Op& op = bitwise_or_op;
  static constexpr bool is_commutative = true;

  template <std::integral T>
  static T value(T x, T y) {
    return static_cast<T>(x | y);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x, V y) {
    return hn::Or(x, y);
  }
};

struct BitwiseXor : EntryOf<2, kinds::bits> {
  static constexpr std::string_view name = "bitwise_xor";
  static constexpr const Op& op = bitwise_xor_op;
  static constexpr bool is_commutative = true;

  template <std::integral T>
  static T value(T x, T y) {
    return static_cast<T>(x ^ y);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x, V y) {
    return hn::Xor(x, y);
  }
};

struct InvertBits : EntryOf<1, kinds::integers> {
  static constexpr std::string_view name = "bitwise_invert";
  static constexpr const Op& op = bitwise_invert_op;

  template <std::integral T>
  static T value(T x) {
    return static_cast<T>(~x);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D, V x) {
    return hn::Not(x);
  }
};

/// Whether there are vectors shifted by vectors.
template <class T>
inline constexpr bool has_shifts = HWY_TARGET <= HWY_AVX2 && (sizeof(T) == 2 || sizeof(T) == 4);

/// Where a shift by y leaves bits.
template <class D, class V>
HWY_INLINE auto is_within(D d, V y) {
  using T = hn::TFromD<D>;
  const hn::RebindToUnsigned<D> unsigned_d;
  return hn::RebindMask(d, hn::Lt(hn::BitCast(unsigned_d, y),
                                  hn::Set(unsigned_d, std::make_unsigned_t<T>{8 * sizeof(T)})));
}

struct BitwiseLeftShift : EntryOf<2, kinds::integers> {
  static constexpr std::string_view name = "bitwise_left_shift";
  static constexpr const Op& op = bitwise_left_shift_op;

  template <std::integral T>
  static T value(T x, T y) {
    constexpr T width = sizeof(T) * 8;
    return y >= 0 && y < width ? static_cast<T>(unsigned_of(x) << y) : T{0};
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x, V y) requires(has_shifts<hn::TFromD<D>>) {
    return hn::IfThenElseZero(is_within(d, y), x << y);
  }
};

struct BitwiseRightShift : EntryOf<2, kinds::integers> {
  static constexpr std::string_view name = "bitwise_right_shift";
  static constexpr const Op& op = bitwise_right_shift_op;

  template <std::integral T>
  static T value(T x, T y) {
    constexpr T most = sizeof(T) * 8 - 1;
    return static_cast<T>(y >= 0 && y <= most ? x >> y : x < 0 ? -1 : 0);
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x, V y) requires(has_shifts<hn::TFromD<D>>) {
    using T = hn::TFromD<D>;
    V all = hn::Zero(d);
    if constexpr (std::is_signed_v<T>) all = hn::BroadcastSignBit(x);
    return hn::IfThenElse(is_within(d, y), x >> y, all);
  }
};

using All =
    Family<BitwiseAnd, BitwiseOr, BitwiseXor, BitwiseLeftShift, BitwiseRightShift, InvertBits>;

}  // namespace

const LinkTable& bitwise_links(std::size_t entry) { return family_links<All>(entry); }

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(bitwise_links);

namespace {

using namespace HWY_NAMESPACE;

const LinkTable& links(std::size_t entry) { return on_this_machine(bitwise_links_by_set)(entry); }

template <class Entry>
constexpr Instruction instruction = All::instruction<Entry>(links);
template <class Entry>
using Call = ElementwiseCall<Entry, instruction<Entry>>;

struct BitwiseInvert : Call<InvertBits> {
  static KnownType infer(const KnownType& x) {
    return {common_type(name, kinds::bits, {x.dtype}), x.shape};
  }
  static Tensor make_known(const Tensor& x) {
    common_type(name, kinds::bits, {x.dtype()});
    return x.dtype() == bool_ ? logical_not(x) : Call<InvertBits>::make_known(x);
  }
};

}  // namespace

constinit const Op bitwise_and_op = op_of<Call<BitwiseAnd>>();
Tensor bitwise_and(const Tensor& x, const Tensor& y) { return build<Call<BitwiseAnd>>(x, y); }
Tensor bitwise_and(const Tensor& x, const Scalar& y) {
  return bitwise_and(x, weak("bitwise_and", y, x));
}
Tensor bitwise_and(const Scalar& x, const Tensor& y) {
  return bitwise_and(weak("bitwise_and", x, y), y);
}
Tensor ElementwiseMethods::bitwise_and(const Tensor& y) const {
  return weft::bitwise_and(tensor(), y);
}
Tensor ElementwiseMethods::bitwise_and(const Scalar& y) const {
  return weft::bitwise_and(tensor(), y);
}

constinit const Op bitwise_or_op = op_of<Call<BitwiseOr>>();
Tensor bitwise_or(const Tensor& x, const Tensor& y) { return build<Call<BitwiseOr>>(x, y); }
Tensor bitwise_or(const Tensor& x, const Scalar& y) {
  return bitwise_or(x, weak("bitwise_or", y, x));
}
Tensor bitwise_or(const Scalar& x, const Tensor& y) {
  return bitwise_or(weak("bitwise_or", x, y), y);
}
Tensor ElementwiseMethods::bitwise_or(const Tensor& y) const {
  return weft::bitwise_or(tensor(), y);
}
Tensor ElementwiseMethods::bitwise_or(const Scalar& y) const {
  return weft::bitwise_or(tensor(), y);
}

constinit const Op bitwise_xor_op = op_of<Call<BitwiseXor>>();
Tensor bitwise_xor(const Tensor& x, const Tensor& y) { return build<Call<BitwiseXor>>(x, y); }
Tensor bitwise_xor(const Tensor& x, const Scalar& y) {
  return bitwise_xor(x, weak("bitwise_xor", y, x));
}
Tensor bitwise_xor(const Scalar& x, const Tensor& y) {
  return bitwise_xor(weak("bitwise_xor", x, y), y);
}
Tensor ElementwiseMethods::bitwise_xor(const Tensor& y) const {
  return weft::bitwise_xor(tensor(), y);
}
Tensor ElementwiseMethods::bitwise_xor(const Scalar& y) const {
  return weft::bitwise_xor(tensor(), y);
}

constinit const Op bitwise_invert_op = op_of<BitwiseInvert>();
Tensor bitwise_invert(const Tensor& x) { return build<BitwiseInvert>(x); }
Tensor ElementwiseMethods::bitwise_invert() const { return weft::bitwise_invert(tensor()); }

constinit const Op bitwise_left_shift_op = op_of<Call<BitwiseLeftShift>>();
Tensor bitwise_left_shift(const Tensor& x, const Tensor& y) {
  return build<Call<BitwiseLeftShift>>(x, y);
}
Tensor bitwise_left_shift(const Tensor& x, const Scalar& y) {
  return bitwise_left_shift(x, weak("bitwise_left_shift", y, x));
}
Tensor bitwise_left_shift(const Scalar& x, const Tensor& y) {
  return bitwise_left_shift(weak("bitwise_left_shift", x, y), y);
}
Tensor ElementwiseMethods::bitwise_left_shift(const Tensor& y) const {
  return weft::bitwise_left_shift(tensor(), y);
}
Tensor ElementwiseMethods::bitwise_left_shift(const Scalar& y) const {
  return weft::bitwise_left_shift(tensor(), y);
}

constinit const Op bitwise_right_shift_op = op_of<Call<BitwiseRightShift>>();
Tensor bitwise_right_shift(const Tensor& x, const Tensor& y) {
  return build<Call<BitwiseRightShift>>(x, y);
}
Tensor bitwise_right_shift(const Tensor& x, const Scalar& y) {
  return bitwise_right_shift(x, weak("bitwise_right_shift", y, x));
}
Tensor bitwise_right_shift(const Scalar& x, const Tensor& y) {
  return bitwise_right_shift(weak("bitwise_right_shift", x, y), y);
}
Tensor ElementwiseMethods::bitwise_right_shift(const Tensor& y) const {
  return weft::bitwise_right_shift(tensor(), y);
}
Tensor ElementwiseMethods::bitwise_right_shift(const Scalar& y) const {
  return weft::bitwise_right_shift(tensor(), y);
}

}  // namespace weft
#endif
