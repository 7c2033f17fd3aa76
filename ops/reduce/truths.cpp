// SPDX-License-Identifier: Apache-2.0
// Whether elements are true: the largest and the smallest of them, and their sum.
#include <weft/ops/reduce/truths.h>

#include <weft/graph/define.h>
#include <weft/ops/create/full.h>
#include <weft/ops/elementwise/astype.h>
#include <weft/ops/reduce/extremes.h>
#include <weft/ops/reduce/reduced.h>
#include <weft/ops/reduce/sums.h>

namespace weft {
namespace {

/// Of elements as bool.
struct Truths {
  static constexpr std::tuple fields = reduce_fields;

  static KnownType infer_of(std::string_view name, DType made, const KnownType& x, const Ints& axes,
                            bool keepdims) {
    common_type(name, kinds::anything, {x.dtype});
    return {made, reduced_shape(name, x.shape, axes, keepdims, true)};
  }
  using Extreme = Tensor (*)(const Tensor&, const Ints&, bool);
  static Tensor make_of(std::string_view name, Extreme extreme, bool of_nothing,
                        const TensorType& type, const Tensor& x, const Ints& axes, bool keepdims) {
    if (reduced_count(name, axes, x.shape()) == 0) return full(type.shape, of_nothing, bool_);
    return astype(extreme(astype(astype(x, bool_), u8), axes, keepdims), bool_);
  }
};

struct Any : Truths {
  static constexpr std::string_view name = "any";
  static constexpr const Op& op = any_op;

  static KnownType infer(const KnownType& x, const Ints& axes, const bool& keepdims) {
    return infer_of(name, bool_, x, axes, keepdims);
  }
  static Tensor make(const TensorType& type, const Tensor& x, const Ints& axes,
                     const bool& keepdims) {
    return make_of(name, max, false, type, x, axes, keepdims);
  }
};

struct All : Truths {
  static constexpr std::string_view name = "all";
  static constexpr const Op& op = all_op;

  static KnownType infer(const KnownType& x, const Ints& axes, const bool& keepdims) {
    return infer_of(name, bool_, x, axes, keepdims);
  }
  static Tensor make(const TensorType& type, const Tensor& x, const Ints& axes,
                     const bool& keepdims) {
    return make_of(name, min, true, type, x, axes, keepdims);
  }
};

struct CountNonzero : Truths {
  static constexpr std::string_view name = "count_nonzero";
  static constexpr const Op& op = count_nonzero_op;

  static KnownType infer(const KnownType& x, const Ints& axes, const bool& keepdims) {
    return infer_of(name, i64, x, axes, keepdims);
  }
  static Tensor make(const TensorType&, const Tensor& x, const Ints& axes, const bool& keepdims) {
    return sum(astype(x, bool_), axes, keepdims);
  }
};

}  // namespace

constinit const Op any_op = op_of<Any>();
constinit const Op all_op = op_of<All>();
constinit const Op count_nonzero_op = op_of<CountNonzero>();

Tensor any(const Tensor& x, const Ints& axes, bool keepdims) {
  return build<Any>(x, axes, keepdims);
}
Tensor all(const Tensor& x, const Ints& axes, bool keepdims) {
  return build<All>(x, axes, keepdims);
}
Tensor count_nonzero(const Tensor& x, const Ints& axes, bool keepdims) {
  return build<CountNonzero>(x, axes, keepdims);
}

Tensor ReduceMethods::any(const Ints& axes, bool keepdims) const {
  return weft::any(tensor(), axes, keepdims);
}
Tensor ReduceMethods::all(const Ints& axes, bool keepdims) const {
  return weft::all(tensor(), axes, keepdims);
}
Tensor ReduceMethods::count_nonzero(const Ints& axes, bool keepdims) const {
  return weft::count_nonzero(tensor(), axes, keepdims);
}

}  // namespace weft
