// SPDX-License-Identifier: Apache-2.0
// Groups through memory, by a plain function.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weft/engine/kernels/compute/array_links.cpp"
#include <weft/engine/kernels/targets.h>

#include <hwy/foreach_target.h>

#include <weft/engine/kernels/compute/array_links.h>
#include <weft/engine/kernels/compute/links-inl.h>

HWY_BEFORE_NAMESPACE();
namespace weft::HWY_NAMESPACE {
namespace {

template <class K, class ToKind>
void call(const Link* link, const Place* places, std::int64_t i, Vector<typename K::Element> v0,
          Vector<typename K::Element> v1, Vector<typename K::Element> v2,
          Vector<typename K::Element> v3, Vector<typename K::Element> v4,
          Vector<typename K::Element> v5, Vector<typename K::Element> v6,
          Vector<typename K::Element> v7) {
  using From = typename K::Element;
  static_assert(K::group % array_unit == 0);
  alignas(64) From from[most_arrays][K::group];
  alignas(64) typename ToKind::Element to[K::group];
  store_group<K>(Group<From>{{v0, v1, v2, v3, v4, v5, v6, v7}},
                 reinterpret_cast<std::byte*>(from[0]));
  const void* all[most_arrays] = {from[0]};
  const std::size_t operands = link[1].places[0];
  for (std::size_t k = 1; k < operands; ++k) {
    std::memcpy(from[k], at(link, k - 1, places, i), sizeof(from[k]));
    all[k] = from[k];
  }
  reinterpret_cast<ArrayFunction>(link[1].run)(all, to, K::group);
  go_on(link + 2, places, i, load_group<ToKind>(reinterpret_cast<const std::byte*>(to)));
}

template <bool makes_bool, std::size_t... kinds>
LinkTable table_of(std::index_sequence<kinds...>) {
  LinkTable table;
  const auto add = [&]<class K>(std::size_t kind, std::type_identity<K>) {
    using ToKind = std::conditional_t<makes_bool, BoolOf<K>, K>;
    table.run[kind] = erased<RunWith<typename K::Element>>(call<K, ToKind>);
  };
  (add(kinds, std::type_identity<std::tuple_element_t<kinds, KindList>>()), ...);
  return table;
}

}  // namespace

const LinkTable& array_links_here(bool makes_bool) {
  constexpr std::make_index_sequence<lane_kinds> kinds;
  static const LinkTable same = table_of<false>(kinds), bools = table_of<true>(kinds);
  return makes_bool ? bools : same;
}

}  // namespace weft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weft {

WEFT_BY_SET(array_links_here);

const LinkTable& array_links(bool makes_bool) {
  return on_this_machine(array_links_here_by_set)(makes_bool);
}

}  // namespace weft
#endif
