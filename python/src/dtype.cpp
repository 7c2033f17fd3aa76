// SPDX-License-Identifier: Apache-2.0
// Types that NumPy's array interface names are a table; all others weft._dtypes tells.
#include "dtype.h"

#include <string>

namespace weft::python {
namespace {

namespace nb = nanobind;

struct Entry {
  DType dtype;
  InterfaceType type;
};
constexpr Entry entries[] = {{bool_, {'b', 1}}, {i8, {'i', 1}},   {i16, {'i', 2}}, {i32, {'i', 4}},
                             {i64, {'i', 8}},   {u8, {'u', 1}},   {u16, {'u', 2}}, {u32, {'u', 4}},
                             {u64, {'u', 8}},   {f16, {'f', 2}},  {f32, {'f', 4}}, {f64, {'f', 8}},
                             {c64, {'c', 8}},   {c128, {'c', 16}}};

}  // namespace

InterfaceType interface_type(DType dtype) {
  for (const Entry& entry : entries)
    if (entry.dtype == dtype) return entry.type;
  return {'V', static_cast<int>(dtype.size())};
}

std::optional<DType> dtype_of_interface(InterfaceType type) {
  for (const Entry& entry : entries)
    if (entry.type.kind == type.kind && entry.type.size == type.size) return entry.dtype;
  return {};
}

DType dtype_from(nb::handle numpy_type) {
  const nb::tuple told =
      nb::cast<nb::tuple>(nb::module_::import_("weft._dtypes").attr("tell")(numpy_type));
  const nb::str name = nb::str(told[0]), description = nb::str(told[2]);
  const std::string_view text(description.c_str());
  if (!text.empty()) return described(nb::cast<std::uint32_t>(told[1]), text);
  if (const std::optional<DType> found = parse_dtype(name.c_str())) return *found;
  throw DtypeError(std::string("weft has no element type for ") + name.c_str());
}

nb::object numpy_dtype(DType dtype) {
  const std::string name = dtype.name();
  const std::string_view text = dtype.description();
  return nb::module_::import_("weft._dtypes")
      .attr("numpy_dtype")(nb::str(name.data(), name.size()), dtype.size(),
                           nb::str(text.data(), text.size()));
}

}  // namespace weft::python
