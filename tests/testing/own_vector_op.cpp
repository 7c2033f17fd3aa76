// SPDX-License-Identifier: Apache-2.0
// The same function of one element and of vectors, once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "testing/own_vector_op.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>

#include <cmath>

#include <weft/engine/kernels/compute/links-inl.h>
#include <weft/ops/elementwise/entry.h>

#include "testing/own_vector_op.h"

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

struct Damped : EntryOf<2, kinds::floats> {
  static constexpr std::string_view name = "damped";
  static constexpr const Op& op = testing::damped_op;

  template <std::floating_point T>
  static T value(T x, T y) {
    return x / (1 + std::abs(y));
  }
  template <class D, class V>
  static HWY_INLINE V vector(D d, V x, V y) requires(hwy::IsFloat<hn::TFromD<D>>()) {
    return hn::Div(x, hn::Add(hn::Set(d, hn::TFromD<D>(1)), hn::Abs(y)));
  }
};

using All = Family<Damped>;

}  // namespace

const LinkTable& damped_links(std::size_t entry) { return family_links<All>(entry); }

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(damped_links);

namespace {

using namespace HWY_NAMESPACE;

const LinkTable& links(std::size_t entry) { return on_this_machine(damped_links_by_set)(entry); }

constexpr Instruction instruction = All::instruction<Damped>(links);
using Call = ElementwiseCall<Damped, instruction>;

}  // namespace

namespace testing {

constinit const Op damped_op = op_of<Call>();
Tensor damped(const Tensor& x, const Tensor& y) { return build<Call>(x, y); }

}  // namespace testing

}  // namespace weft
#endif
