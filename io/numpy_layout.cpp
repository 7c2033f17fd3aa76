// SPDX-License-Identifier: Apache-2.0
// Reading and writing what NumPy says about structs.
#include <weft/io/numpy_layout.h>

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <weft/graph/value/error.h>

namespace weft::detail {
namespace {

using Items = std::vector<PythonLiteral>;

constexpr std::uint64_t most_bytes = UINT32_MAX;  // that an element of weft's has

[[noreturn]] void refuse(const std::string& why) {
  throw FormatError(fmt::format("descr: {:.200}", why));
}

std::uint64_t checked_sum(std::uint64_t a, std::uint64_t b) {
  if (a > most_bytes || b > most_bytes - a)
    refuse(fmt::format("an element has more than {} bytes", most_bytes));
  return a + b;
}

std::uint64_t checked_size(const PythonLiteral* literal, std::string_view what) {
  if (!literal || !literal->is_number() || literal->number < 0)
    refuse(fmt::format("{} is no size", what));
  return checked_sum(static_cast<std::uint64_t>(literal->number), 0);
}

NumpyLayout plain_layout(const std::string& text) {
  NumpyLayout layout;
  layout.plain = text;
  layout.size = layout.item = parse_plain_type(text).size;
  return layout;
}

/// An array of a layout: its shape is a number or a tuple of them.
NumpyLayout array_of(NumpyLayout layout, const PythonLiteral& shape) {
  if (!layout.shape.empty()) refuse("an array of arrays");
  if (!shape.is_number() && !shape.is_sequence()) refuse("the shape of a field is no tuple");
  for (const PythonLiteral& extent : shape.is_number() ? Items{shape} : shape.items) {
    const std::uint64_t count = checked_size(&extent, "an extent of a field");
    if (layout.size != 0 && count > most_bytes / layout.size)
      refuse(fmt::format("an element has more than {} bytes", most_bytes));
    layout.size *= count;
    layout.shape.push_back(extent.number);
  }
  return layout;
}

void set_name(NumpyField& field, const PythonLiteral& name) {
  if (name.is_text()) {
    field.name = name.text;
    return;
  }
  if (name.kind != PythonLiteral::Kind::tuple || name.items.size() != 2 ||
      !name.items[0].is_text() || !name.items[1].is_text())
    refuse("the name of a field is no text");
  field.title = name.items[0].text;
  field.name = name.items[1].text;
}

void check_names(const std::vector<NumpyField>& fields) {
  std::vector<std::string_view> names;
  for (const NumpyField& field : fields) {
    names.push_back(field.name);
    if (!field.title.empty() && field.title != field.name) names.push_back(field.title);
  }
  std::sort(names.begin(), names.end());
  if (std::adjacent_find(names.begin(), names.end()) != names.end())
    refuse("two fields have one name");
}

/// [('a', '<f4'), ('b', '<i2', (2, 3))]: fields that follow one another.
NumpyLayout listed_layout(const Items& items) {
  NumpyLayout layout;
  for (const PythonLiteral& item : items) {
    if (item.kind != PythonLiteral::Kind::tuple || item.items.size() < 2 || item.items.size() > 3)
      refuse("a field is no tuple of a name, a type and perhaps a shape");
    NumpyField field;
    set_name(field, item.items[0]);
    field.layout = parse_layout(item.items[1]);
    if (item.items.size() == 3) field.layout = array_of(std::move(field.layout), item.items[2]);
    field.offset = layout.size;
    layout.size = checked_sum(layout.size, field.layout.size);
    const bool is_gap = field.name.empty() && field.layout.plain.find('V') != std::string::npos;
    if (!is_gap) layout.fields.push_back(std::move(field));
  }
  layout.item = layout.size;
  return layout;
}

/// {'names': [...], 'formats': [...], 'offsets': [...], 'itemsize': n}.
NumpyLayout named_layout(const PythonLiteral& literal) {
  const auto list = [&](std::string_view key) -> const Items& {
    const PythonLiteral* const found = literal.find(key);
    if (!found || !found->is_sequence()) refuse(fmt::format("there is no list of {}", key));
    return found->items;
  };
  const Items &names = list("names"), &formats = list("formats"), &offsets = list("offsets");
  const PythonLiteral* const titles = literal.find("titles");
  if (formats.size() != names.size() || offsets.size() != names.size() ||
      (titles && titles->items.size() != names.size()))
    refuse("its lists differ in length");
  NumpyLayout layout;
  layout.size = layout.item = checked_size(literal.find("itemsize"), "itemsize");
  for (std::size_t k = 0; k < names.size(); ++k) {
    NumpyField field;
    set_name(field, names[k]);
    if (titles && titles->items[k].is_text()) field.title = titles->items[k].text;
    field.layout = parse_layout(formats[k]);
    field.offset = checked_size(&offsets[k], "an offset");
    if (checked_sum(field.offset, field.layout.size) > layout.size)
      refuse("a field is behind the end of its struct");
    layout.fields.push_back(std::move(field));
  }
  return layout;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

}  // namespace

PlainType parse_plain_type(const std::string& text) {
  const auto wrong = [&](std::string_view why) {
    refuse(fmt::format("the element type {} {}", python_quoted(fmt::format("{:.60}", text)), why));
  };
  std::string_view left = text;
  PlainType type{'|', 0, 0};
  if (!left.empty() && std::string_view("<>|=").find(left[0]) != left.npos) {
    type.order = left[0] == '=' ? '<' : left[0];
    left.remove_prefix(1);
  }
  if (left.empty()) wrong("is not known");
  type.kind = left[0];
  left.remove_prefix(1);
  if (type.kind == 'O') wrong("is of Python objects, which weft has none of");
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(left.data(), left.data() + left.size(), count);
  if (error != std::errc()) wrong("is not known");
  left.remove_prefix(static_cast<std::size_t>(end - left.data()));
  type.size = checked_sum(count, 0);
  const auto is_one_of = [&](std::initializer_list<std::uint64_t> sizes) {
    if (std::find(sizes.begin(), sizes.end(), count) == sizes.end()) wrong("is not known");
  };
  switch (type.kind) {
    case 'b':
      is_one_of({1});
      break;
    case 'i':
    case 'u':
      is_one_of({1, 2, 4, 8});
      break;
    case 'f':
      is_one_of({2, 4, 8, 16});
      break;
    case 'c':
      is_one_of({8, 16, 32});
      break;
    case 'm':
    case 'M':
      is_one_of({8});
      if (left.size() > 2 && left.front() == '[' && left.find(']') == left.size() - 1) left = {};
      break;
    case 'U':
      if (count > most_bytes / 4) wrong("is too long");
      type.size = 4 * count;
      break;
    case 'S':
    case 'V':
      break;
    default:
      wrong("is not known");
  }
  if (!left.empty()) wrong("is not known");
  if (type.size == 0) wrong("has 0 bytes, expected 1 or more");
  return type;
}

NumpyLayout parse_layout(const PythonLiteral& literal) {
  if (literal.is_text()) return plain_layout(literal.text);
  if (literal.kind == PythonLiteral::Kind::tuple && literal.items.size() == 2)
    return array_of(parse_layout(literal.items[0]), literal.items[1]);
  if (literal.kind != PythonLiteral::Kind::list && !literal.is_dict())
    refuse("expected a text or a list of fields");
  NumpyLayout layout = literal.is_dict() ? named_layout(literal) : listed_layout(literal.items);
  if (layout.size == 0) refuse("a struct has 0 bytes, expected 1 or more");
  check_names(layout.fields);
  return layout;
}

std::string description_text(const NumpyLayout& layout) {
  if (!layout.shape.empty()) {
    NumpyLayout one = layout;
    one.shape.clear();
    one.size = one.item;
    return fmt::format("({}, {})", description_text(one), shape_text(layout.shape));
  }
  if (!layout.plain.empty()) return python_quoted(layout.plain);
  std::string names, formats, offsets, titles;
  bool has_titles = false;
  for (const NumpyField& field : layout.fields) {
    const std::string_view comma = names.empty() ? "" : ", ";
    names += fmt::format("{}{}", comma, python_quoted(field.name));
    formats += fmt::format("{}{}", comma, description_text(field.layout));
    offsets += fmt::format("{}{}", comma, field.offset);
    titles += fmt::format("{}{}", comma, field.title.empty() ? "None" : python_quoted(field.title));
    has_titles |= !field.title.empty();
  }
  return fmt::format("{{'names': [{}], 'formats': [{}], 'offsets': [{}], {}'itemsize': {}}}", names,
                     formats, offsets, has_titles ? fmt::format("'titles': [{}], ", titles) : "",
                     layout.item);
}

std::string descr_text(const NumpyLayout& layout) {
  if (!layout.plain.empty()) return python_quoted(layout.plain);
  std::vector<std::string> items;
  std::uint64_t end = 0;
  const auto fill_to = [&](std::uint64_t offset) {
    if (offset > end) items.push_back(fmt::format("('', '|V{}')", offset - end));
    end = offset;
  };
  for (const NumpyField& field : layout.fields) {
    if (field.offset < end)
      throw DtypeError(
          "save: fields of a struct overlap or are not in the order of their bytes, which a .npy "
          "file cannot say");
    fill_to(field.offset);
    const std::string name = python_quoted(field.name);
    items.push_back(fmt::format(
        "({}, {}{})",
        field.title.empty() ? name : fmt::format("({}, {})", python_quoted(field.title), name),
        descr_text(field.layout),
        field.layout.shape.empty() ? "" : ", " + shape_text(field.layout.shape)));
    end = field.offset + field.layout.size;
  }
  fill_to(layout.item);
  return fmt::format("[{}]", fmt::join(items, ", "));
}

}  // namespace weft::detail
