// One line an op: from its record to a call of the public API.
#include "case_ops.h"

#include <map>

#include <weft/weft.h>

#include "fill.h"

namespace weft::conformance {
namespace {

using Json = nlohmann::json;
using Operands = std::vector<Tensor>;

std::int64_t integer(const Json& value) {
  if (value.is_number_unsigned())
    return static_cast<std::int64_t>(value.get<std::uint64_t>());  // the bits of a large u64
  return value.get<std::int64_t>();
}

/// A bare integer is a scalar, an array a list, a nested array of rank 2; absent is none.
Ints ints(const Json& op, const char* name, const char* type_name = "") {
  if (!op.contains(name) || op.at(name).is_null()) return none;
  const Json& value = op.at(name);
  const DType dtype = op.contains(type_name) ? dtype_named(op.at(type_name)) : i64;
  std::vector<std::int64_t> values;
  int rank = 0;
  if (!value.is_array()) {
    values.push_back(integer(value));
  } else {
    rank = 1;
    for (const Json& entry : value) {
      if (!entry.is_array()) {
        values.push_back(integer(entry));
        continue;
      }
      rank = 2;
      for (const Json& inner : entry) values.push_back(integer(inner));
    }
  }
  return Ints(dtype, rank, values);
}

using Build = Tensor (*)(const Json&, const Operands&);

const std::map<std::string, Build>& builders() {
  static const std::map<std::string, Build> table = {
      {"roll",
       [](const Json& op, const Operands& x) {
         return x[0].roll(ints(op, "shift", "shift_t"), ints(op, "axes", "axes_t"));
       }},
      {"transpose", [](const Json& op,
                       const Operands& x) { return x[0].transpose(ints(op, "order", "order_t")); }},
      {"slice_scatter",
       [](const Json& op, const Operands& x) {
         return x[0].slice_scatter(x[1], ints(op, "start", "ind_t"), ints(op, "stop", "ind_t"),
                                   ints(op, "step", "ind_t"), ints(op, "axes", "axes_t"));
       }},
      {"tile", [](const Json& op,
                  const Operands& x) { return x[0].tile(ints(op, "repeats", "repeats_t")); }},
      {"slice",
       [](const Json& op, const Operands& x) {
         return x[0].slice(ints(op, "start", "ind_t"), ints(op, "stop", "ind_t"),
                           ints(op, "step", "ind_t"), ints(op, "axes", "axes_t"));
       }},
      {"reshape",
       [](const Json& op, const Operands& x) { return x[0].reshape(ints(op, "shape")); }},
      {"flip", [](const Json& op, const Operands& x) { return x[0].flip(ints(op, "axes")); }},
      {"broadcast",
       [](const Json& op, const Operands& x) { return x[0].broadcast_to(ints(op, "shape")); }},
      {"squeeze", [](const Json& op, const Operands& x) { return x[0].squeeze(ints(op, "axes")); }},
      {"unsqueeze",
       [](const Json& op, const Operands& x) { return x[0].expand_dims(ints(op, "axes")); }},
  };
  return table;
}

}  // namespace

bool is_known_op(const std::string& name) { return builders().contains(name); }

Tensor build_op(const Json& op, const Operands& operands) {
  return builders().at(op.at("op").get<std::string>())(op, operands);
}

}  // namespace weft::conformance
