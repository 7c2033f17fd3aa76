// SPDX-License-Identifier: Apache-2.0
// Reading programs from JSON: every call is made again, so that nothing in the text is believed.
#include <weft/io/program_json.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fmt/format.h>
#include <fstream>

#include <weft/engine/memory/buffer.h>
#include <weft/graph/value/error.h>
#include <weft/io/file_error.h>
#include <weft/io/json_item.h>
#include <weft/ops/op_table.h>

namespace weft {
namespace {

using detail::JsonItem;
using Number = Recording::Number;

/// Calls what may refuse the item.
template <class Work>
auto checked(const JsonItem& item, Work&& work) {
  try {
    return work();
  } catch (const MemoryError&) {
    throw;
  } catch (const Error& error) {
    item.refuse(error.what());
  }
}

/// The named type, or nothing's.
const DType* dtype_named(std::string_view name) {
  static constexpr std::array named{bool_, i8,  i16,  i32, i64, u8,  u16, u32,
                                    u64,   f16, bf16, f32, f64, c64, c128};
  const auto found =
      std::find_if(named.begin(), named.end(), [&](DType dtype) { return dtype.name() == name; });
  return found == named.end() ? nullptr : &*found;
}

DType read_dtype(const JsonItem& item) {
  if (item.is_object()) {
    const bool is_described = item.has("description");
    if (is_described) item.check_members({"opaque", "description"});
    else item.check_members({"opaque"});
    const JsonItem size = item.member("opaque");
    const std::int64_t bytes = size.number(0, UINT32_MAX);
    const auto count = static_cast<std::uint32_t>(bytes);
    if (!is_described) return checked(size, [&] { return opaque(count); });
    const JsonItem description = item.member("description");
    return checked(description, [&] { return described(count, description.text()); });
  }
  const DType* const dtype = dtype_named(item.text());
  if (!dtype) item.refuse("there is no such element type");
  return *dtype;
}

std::string read_name(const JsonItem& item) {
  if (!item.has("name")) return {};
  const JsonItem name = item.member("name");
  if (name.text().size() > detail::most_name_bytes)
    name.refuse(fmt::format("the name has {} bytes, at most {} are allowed", name.text().size(),
                            detail::most_name_bytes));
  return name.text();
}

std::int64_t read_extent(const JsonItem& item) { return item.number(0, INT64_MAX); }

Dim read_dim(const JsonItem& item) {
  if (item.is_number()) return Dim(read_extent(item));
  item.check_members({"low", "high", "name"});
  const std::int64_t low = item.has("low") ? read_extent(item.member("low")) : 0;
  const std::int64_t high = item.has("high") ? read_extent(item.member("high")) : Dim::unbounded;
  return checked(item, [&] { return Dim(low, high, read_name(item)); });
}

PartialShape read_shape(const JsonItem& item) {
  if (item.is_null()) return PartialShape::any();
  std::vector<Dim> dims;
  for (std::size_t axis = 0; axis < item.size(); ++axis) dims.push_back(read_dim(item[axis]));
  return PartialShape(std::move(dims));
}

int read_digit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

Storage read_bytes(const JsonItem& item, const Shape& shape, std::int64_t bytes) {
  const std::string& hex = item.text();
  if (hex.size() != static_cast<std::uint64_t>(bytes) * 2)
    item.refuse(fmt::format("there are {} hexadecimal digits, expected two for each of {} bytes",
                            hex.size(), bytes));
  std::shared_ptr<std::byte> buffer = allocate(bytes, "program: constant", shape);
  for (std::size_t k = 0; k < hex.size(); k += 2) {
    const int high = read_digit(hex[k]), low = read_digit(hex[k + 1]);
    if (high < 0 || low < 0)
      item.refuse(fmt::format("byte {} is not two of 0 to 9 and a to f", k / 2));
    buffer.get()[k / 2] = static_cast<std::byte>(high * 16 + low);
  }
  return buffer;
}

Tensor read_constant(const JsonItem& item) {
  item.check_members({"dtype", "shape", "bytes"});
  const DType dtype = read_dtype(item.member("dtype"));
  const JsonItem dims = item.member("shape");
  Shape shape;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) shape.push_back(read_extent(dims[axis]));
  checked(dims, [&] { check_shape("constant", shape, dtype); });
  const std::int64_t bytes = element_count(shape) * dtype.size();
  return make_tensor<Stored>(dtype, shape, read_bytes(item.member("bytes"), shape, bytes));
}

Ints read_literal(const JsonItem& item) {
  const std::string& name = item.only_name();
  const DType* const dtype = dtype_named(name);
  if (!dtype || !dtype->is_integer()) item.refuse("expected \"value\" or an integer type");
  const std::int64_t bits = dtype->size() * 8;
  const std::uint64_t highest = UINT64_MAX >> (64 - bits + (dtype->is_signed_integer() ? 1 : 0));
  const std::int64_t lowest =
      dtype->is_signed_integer() ? -static_cast<std::int64_t>(highest) - 1 : 0;
  JsonItem list = item.member(name);
  if (list.is_number()) return Ints(*dtype, 0, std::array{list.number(lowest, highest)});
  int rank = 1;
  for (; list.size() == 1 && list[0].is_list(); ++rank) list = list[0];
  std::vector<std::int64_t> values;
  for (std::size_t k = 0; k < list.size(); ++k) values.push_back(list[k].number(lowest, highest));
  return Ints(*dtype, rank, values);
}

/// {"number": "1.5"}: as text, for JSON has no infinity, and its readers round.
double read_float(const JsonItem& item) {
  item.check_members({"number"});
  const JsonItem number = item.member("number");
  const std::string& text = number.text();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) number.refuse("expected a number");
  return value;
}

/// Makes the calls in their order, with placeholders for inputs.
class Reader {
 public:
  explicit Reader(std::span<const Op* const> own_ops) : own_ops_(own_ops) {
    for (std::size_t k = 0; k < own_ops.size(); ++k) {
      const auto is_same = [&](const Op* other) { return other->name == own_ops[k]->name; };
      if (op_named(own_ops[k]->name) ||
          std::any_of(own_ops.begin(), own_ops.begin() + static_cast<std::ptrdiff_t>(k), is_same))
        throw ParameterError(
            "bad_op", fmt::format("program: {} is the name of another op, too", own_ops[k]->name));
    }
  }

  Recording run(const JsonItem& document) {
    if (document.member("weft").text() != "program")
      document.member("weft").refuse("expected \"program\"");
    const JsonItem version = document.member("version");
    if (version.number(0, UINT64_MAX) != 1)
      version.refuse("expected 1, which is all that is known");
    document.check_members({"weft", "version", "inputs", "constants", "calls", "outputs"});
    for_each(document.member("inputs"), [&](const JsonItem& item) { add_input(item); });
    for_each(document.member("constants"), [&](const JsonItem& item) {
      values_.push_back(read_constant(item));
      recording_.constants.push_back(values_.back());
    });
    for_each(document.member("calls"), [&](const JsonItem& item) { add_call(item); });
    for_each(document.member("outputs"),
             [&](const JsonItem& item) { recording_.outputs.push_back(read_number(item)); });
    mark_parameters(recording_);
    return std::move(recording_);
  }

 private:
  template <class Read>
  static void for_each(const JsonItem& list, Read&& read) {
    for (std::size_t k = 0; k < list.size(); ++k) read(list[k]);
  }

  void add_input(const JsonItem& item) {
    item.check_members({"name", "dtype", "shape"});
    const DType dtype = read_dtype(item.member("dtype"));
    const PartialShape shape = read_shape(item.member("shape"));
    const std::string name = read_name(item);
    values_.push_back(checked(item, [&] { return placeholder(dtype, shape, name); }));
    recording_.inputs.push_back({dtype, shape, name});
  }

  /// The number of a value that is there.
  Number read_number(const JsonItem& item) const {
    const std::uint64_t number = static_cast<std::uint64_t>(item.number(0, UINT64_MAX));
    if (number >= values_.size())
      item.refuse(fmt::format("value {} is not among the {} so far", number, values_.size()));
    return static_cast<Number>(number);
  }

  Recording::Parameter read_parameter(const JsonItem& item, ArgumentType type) const {
    switch (type) {
      case ArgumentType::text:
        return {item.text()};
      case ArgumentType::number:
        return {read_float(item)};
      case ArgumentType::flag:
        return {item.flag()};
      case ArgumentType::dtype:
        item.check_members({"dtype"});
        return {read_dtype(item.member("dtype"))};
      case ArgumentType::integers:
        break;
    }
    if (item.is_null()) return {Ints(none)};
    if (!item.has("value")) return {read_literal(item)};
    item.check_members({"value"});
    const JsonItem value = item.member("value");
    const Number number = read_number(value);
    // It would be copied into each call that names it.
    if (!values_[number].is_open()) value.refuse("a constant is given, expected a literal");
    return {Ints(), number};
  }

  void add_call(const JsonItem& item) {
    item.check_members({"op", "operands", "parameters"});
    const Op* const op = find_op(item.member("op").text());
    if (!op) item.member("op").refuse("there is no such op");
    Recording::Call call{op, {}, {}, bool_, {}};
    Arguments arguments;
    const JsonItem operands = item.member("operands");
    if (!op->takes(operands.size()))
      operands.refuse(fmt::format("{} takes {}{}, {} are given", op->name, op->operands.size(),
                                  op->is_variadic ? " or more" : "", operands.size()));
    for_each(operands, [&](const JsonItem& operand) {
      call.operands.push_back(read_number(operand));
      arguments.operands.push_back(values_[call.operands.back()]);
    });
    const JsonItem parameters = item.member("parameters");
    parameters.check_members(std::span(op->parameters.names).first(op->parameters.size()));
    for (std::size_t k = 0; k < op->parameters.size(); ++k) {
      const auto [value, number] = call.parameters.emplace_back(
          read_parameter(parameters.member(op->parameters[k]), op->type(k)));
      arguments.parameters.push_back(
          number == Recording::Parameter::literal ? value : Argument(Ints(values_[number])));
    }
    const Tensor result = checked(item, [&] { return defer(*op, std::move(arguments)); });
    call.dtype = result.dtype();
    call.shape = result.partial_shape();
    values_.push_back(result);
    recording_.calls.push_back(std::move(call));
  }

  const Op* find_op(const std::string& name) const {
    if (const Op* const op = op_named(name)) return op;
    for (const Op* const op : own_ops_)
      if (op->name == name) return op;
    return nullptr;
  }

  std::span<const Op* const> own_ops_;
  Recording recording_;
  std::vector<Tensor> values_;
};

}  // namespace

Program program_from_json(std::string_view text, std::span<const Op* const> own_ops) {
  const detail::Json document = detail::parse_json(text);
  return Program(Reader(own_ops).run(JsonItem(document, "")));
}

Program load_program(const std::string& path, std::span<const Op* const> own_ops) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 1 << 16> block;
  while (file.read(block.data(), block.size()), file.gcount() > 0)
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
  if (!file.eof()) detail::throw_file_error("read", path);
  return program_from_json(text, own_ops);
}

}  // namespace weft
