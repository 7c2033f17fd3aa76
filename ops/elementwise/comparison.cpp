// SPDX-License-Identifier: Apache-2.0
// Comparisons, which make bool.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/ops/elementwise/comparison.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>

#include <complex>

#include <weft/engine/kernels/compute/links-inl.h>
#include <weft/ops/elementwise/comparison.h>
#include <weft/ops/elementwise/entry.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

struct Equal : EntryOf<2, kinds::anything> {
  static constexpr std::string_view name = "equal";
  static constexpr const Op& op = equal_op;
  static constexpr bool makes_bool = true;
  static constexpr bool is_commutative = true;

  template <class T>
  static bool value(T x, T y) {
    return x == y;
  }
  template <class D, class V>
  static HWY_INLINE auto vector(D, V x, V y) {
    return hn::Eq(x, y);
  }
};

struct NotEqual : EntryOf<2, kinds::anything> {
  static constexpr std::string_view name = "not_equal";
  static constexpr const Op& op = not_equal_op;
  static constexpr bool makes_bool = true;
  static constexpr bool is_commutative = true;

  template <class T>
  static bool value(T x, T y) {
    return x != y;
  }
  template <class D, class V>
  static HWY_INLINE auto vector(D, V x, V y) {
    return hn::Not(hn::Eq(x, y));  // hn::Ne is false of NaN
  }
};

struct Less : EntryOf<2, kinds::reals> {
  static constexpr std::string_view name = "less";
  static constexpr const Op& op = less_op;
  static constexpr bool makes_bool = true;

  template <RealLane T>
  static bool value(T x, T y) {
    return x < y;
  }
  template <class D, class V>
  static HWY_INLINE auto vector(D, V x, V y) {
    return hn::Lt(x, y);
  }
};

struct LessEqual : EntryOf<2, kinds::reals> {
  static constexpr std::string_view name = "less_equal";
  static constexpr const Op& op = less_equal_op;
  static constexpr bool makes_bool = true;

  template <RealLane T>
  static bool value(T x, T y) {
    return x <= y;
  }
  template <class D, class V>
  static HWY_INLINE auto vector(D, V x, V y) {
    if constexpr (hwy::IsFloat<hn::TFromD<D>>()) return hn::Le(x, y);
    else return hn::Not(hn::Gt(x, y));
  }
};

using All = Family<Equal, NotEqual, Less, LessEqual>;

}  // namespace

const LinkTable& comparison_links(std::size_t entry) { return family_links<All>(entry); }

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(comparison_links);

namespace {

using namespace HWY_NAMESPACE;

const LinkTable& links(std::size_t entry) {
  return on_this_machine(comparison_links_by_set)(entry);
}

template <class Entry>
constexpr Instruction instruction = All::instruction<Entry>(links);
template <class Entry>
using Call = ElementwiseCall<Entry, instruction<Entry>>;

/// The comparison of another, with its operands exchanged.
template <class Other>
struct Exchanged {
  static constexpr std::tuple fields = Call<Other>::fields;

  static Tensor make(TensorType, const Tensor& x, const Tensor& y) {
    return Call<Other>::make_known(y, x);
  }

 protected:
  static KnownType compared(std::string_view name, const KnownType& x, const KnownType& y) {
    common_type(name, kinds::reals, {x.dtype, y.dtype});
    return {bool_, broadcast_shape(name, {&x, &y})};
  }
};

struct Greater : Exchanged<Less> {
  static constexpr std::string_view name = "greater";
  static constexpr const Op& op = greater_op;
  static KnownType infer(const KnownType& x, const KnownType& y) { return compared(name, x, y); }
};

struct GreaterEqual : Exchanged<LessEqual> {
  static constexpr std::string_view name = "greater_equal";
  static constexpr const Op& op = greater_equal_op;
  static KnownType infer(const KnownType& x, const KnownType& y) { return compared(name, x, y); }
};

}  // namespace

constinit const Op equal_op = op_of<Call<Equal>>();
Tensor equal(const Tensor& x, const Tensor& y) { return build<Call<Equal>>(x, y); }
Tensor equal(const Tensor& x, const Scalar& y) { return equal(x, weak("equal", y, x)); }
Tensor equal(const Scalar& x, const Tensor& y) { return equal(weak("equal", x, y), y); }
Tensor ElementwiseMethods::equal(const Tensor& y) const { return weft::equal(tensor(), y); }
Tensor ElementwiseMethods::equal(const Scalar& y) const { return weft::equal(tensor(), y); }

constinit const Op not_equal_op = op_of<Call<NotEqual>>();
Tensor not_equal(const Tensor& x, const Tensor& y) { return build<Call<NotEqual>>(x, y); }
Tensor not_equal(const Tensor& x, const Scalar& y) { return not_equal(x, weak("not_equal", y, x)); }
Tensor not_equal(const Scalar& x, const Tensor& y) { return not_equal(weak("not_equal", x, y), y); }
Tensor ElementwiseMethods::not_equal(const Tensor& y) const { return weft::not_equal(tensor(), y); }
Tensor ElementwiseMethods::not_equal(const Scalar& y) const { return weft::not_equal(tensor(), y); }

constinit const Op less_op = op_of<Call<Less>>();
Tensor less(const Tensor& x, const Tensor& y) { return build<Call<Less>>(x, y); }
Tensor less(const Tensor& x, const Scalar& y) { return less(x, weak("less", y, x)); }
Tensor less(const Scalar& x, const Tensor& y) { return less(weak("less", x, y), y); }
Tensor ElementwiseMethods::less(const Tensor& y) const { return weft::less(tensor(), y); }
Tensor ElementwiseMethods::less(const Scalar& y) const { return weft::less(tensor(), y); }

constinit const Op less_equal_op = op_of<Call<LessEqual>>();
Tensor less_equal(const Tensor& x, const Tensor& y) { return build<Call<LessEqual>>(x, y); }
Tensor less_equal(const Tensor& x, const Scalar& y) {
  return less_equal(x, weak("less_equal", y, x));
}
Tensor less_equal(const Scalar& x, const Tensor& y) {
  return less_equal(weak("less_equal", x, y), y);
}
Tensor ElementwiseMethods::less_equal(const Tensor& y) const {
  return weft::less_equal(tensor(), y);
}
Tensor ElementwiseMethods::less_equal(const Scalar& y) const {
  return weft::less_equal(tensor(), y);
}

constinit const Op greater_op = op_of<Greater>();
Tensor greater(const Tensor& x, const Tensor& y) { return build<Greater>(x, y); }
Tensor greater(const Tensor& x, const Scalar& y) { return greater(x, weak("greater", y, x)); }
Tensor greater(const Scalar& x, const Tensor& y) { return greater(weak("greater", x, y), y); }
Tensor ElementwiseMethods::greater(const Tensor& y) const { return weft::greater(tensor(), y); }
Tensor ElementwiseMethods::greater(const Scalar& y) const { return weft::greater(tensor(), y); }

constinit const Op greater_equal_op = op_of<GreaterEqual>();
Tensor greater_equal(const Tensor& x, const Tensor& y) { return build<GreaterEqual>(x, y); }
Tensor greater_equal(const Tensor& x, const Scalar& y) {
  return greater_equal(x, weak("greater_equal", y, x));
}
Tensor greater_equal(const Scalar& x, const Tensor& y) {
  return greater_equal(weak("greater_equal", x, y), y);
}
Tensor ElementwiseMethods::greater_equal(const Tensor& y) const {
  return weft::greater_equal(tensor(), y);
}
Tensor ElementwiseMethods::greater_equal(const Scalar& y) const {
  return weft::greater_equal(tensor(), y);
}

}  // namespace weft
#endif
