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

struct Call {
  const Json& record;
  const Form& form;
  Ints ints(const char* name, const char* type_name = "") const {
    return form(conformance::ints(record, name, type_name));
  }
};

using Build = Tensor (*)(const Call&, const Operands&);

const std::map<std::string, Build>& builders() {
  static const std::map<std::string, Build> table = {
      {"roll",
       [](const Call& op, const Operands& x) {
         return x[0].roll(op.ints("shift", "shift_t"), op.ints("axes", "axes_t"));
       }},
      {"transpose", [](const Call& op,
                       const Operands& x) { return x[0].transpose(op.ints("order", "order_t")); }},
      {"slice_scatter",
       [](const Call& op, const Operands& x) {
         return x[0].slice_scatter(x[1], op.ints("start", "ind_t"), op.ints("stop", "ind_t"),
                                   op.ints("step", "ind_t"), op.ints("axes", "axes_t"));
       }},
      {"tile", [](const Call& op,
                  const Operands& x) { return x[0].tile(op.ints("repeats", "repeats_t")); }},
      {"slice",
       [](const Call& op, const Operands& x) {
         return x[0].slice(op.ints("start", "ind_t"), op.ints("stop", "ind_t"),
                           op.ints("step", "ind_t"), op.ints("axes", "axes_t"));
       }},
      {"reshape", [](const Call& op, const Operands& x) { return x[0].reshape(op.ints("shape")); }},
      {"flip", [](const Call& op, const Operands& x) { return x[0].flip(op.ints("axes")); }},
      {"broadcast",
       [](const Call& op, const Operands& x) { return x[0].broadcast_to(op.ints("shape")); }},
      {"squeeze", [](const Call& op, const Operands& x) { return x[0].squeeze(op.ints("axes")); }},
      {"unsqueeze",
       [](const Call& op, const Operands& x) { return x[0].expand_dims(op.ints("axes")); }},
  };
  return table;
}

}  // namespace

bool is_known_op(const std::string& name) { return builders().contains(name); }

Tensor build_op(const Json& op, const Operands& operands, const Form& form) {
  return builders().at(op.at("op").get<std::string>())({op, form}, operands);
}

}  // namespace weft::conformance
