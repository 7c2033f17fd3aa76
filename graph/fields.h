// SPDX-License-Identifier: Apache-2.0
// What an op is told and what it keeps, as one list of named fields: its text, the key of its
// plans, deferral, JSON and the docs follow from it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <weft/graph/ints.h>
#include <weft/graph/structural_key.h>
#include <weft/graph/value/error.h>

namespace weft {

/// What a parameter is where it is not given; a constant, which an Argument can be made of.
class Default {
 public:
  enum class Kind : std::uint8_t { absent, not_given, integer, list, number, flag, text };

  constexpr Default() = default;  ///< nothing: it must be given
  constexpr Default(None) : kind_(Kind::not_given) {}
  constexpr Default(int value) : kind_(Kind::integer), integers_{value}, count_(1) {}
  constexpr Default(bool value) : kind_(Kind::flag), integers_{value}, count_(1) {}
  constexpr Default(double value) : kind_(Kind::number), number_(value) {}
  constexpr Default(const char* text) : kind_(Kind::text), text_(text) {}
  constexpr Default(std::initializer_list<int> values) : kind_(Kind::list), count_(values.size()) {
    if (count_ > integers_.size()) throw InternalError("a default has more than 4 entries");
    std::copy(values.begin(), values.end(), integers_.begin());
  }

  constexpr bool is_given() const { return kind_ != Kind::absent; }
  constexpr Kind kind() const { return kind_; }
  constexpr double number() const { return number_; }
  constexpr bool flag() const { return integers_[0] != 0; }
  constexpr std::string_view text() const { return text_; }
  /// Of an integer, a list and none.
  Ints ints() const;
  /// As a header writes it: `none`, `1`, `{0, 1}`, `"edge"`.
  std::string spelled() const;

 private:
  Kind kind_ = Kind::absent;
  std::array<int, 4> integers_{};
  std::size_t count_ = 0;
  double number_ = 0;
  std::string_view text_;
};

/// What one entry of the list is to an op.
enum class Role : std::uint8_t {
  operand,    ///< a tensor
  operands,   ///< one tensor or more
  index,      ///< a tensor whose elements say where those of the result come from
  parameter,  ///< any other argument
  kept        ///< no argument: what the operation keeps, made of them
};

/// How the operation keeps what an entry names.
enum class Keeping : std::uint8_t {
  nothing,  ///< it does not
  value,    ///< in a member, which the text shows and the key of plans has
  text,     ///< in a member that the text shows; the key has it otherwise
  key,      ///< in a member that the key has; the text shows it otherwise
  derived   ///< in a member that follows from the others and the shapes of operands and result
};

/// An entry of the list; Member is a pointer to a member of the operation, or nothing.
template <Keeping how, class Member>
struct Field {
  static constexpr Keeping keeping = how;
  static constexpr bool is_shown = how == Keeping::value || how == Keeping::text;
  static constexpr bool is_in_key = how == Keeping::value || how == Keeping::key;
  static constexpr bool has_member = std::is_member_object_pointer_v<Member>;

  Role role;
  std::string_view name;
  Member member;
  std::string_view doc;
  Default otherwise;
};

struct NoMember {};
/// Of a parameter that is the shape of the result.
struct ResultShape {};
inline constexpr ResultShape result_shape;

// The entries, in the order of the arguments.

constexpr Field<Keeping::nothing, NoMember> operand(std::string_view name, std::string_view doc) {
  return {Role::operand, name, {}, doc, {}};
}
constexpr Field<Keeping::nothing, NoMember> operands(std::string_view name, std::string_view doc) {
  return {Role::operands, name, {}, doc, {}};
}
constexpr Field<Keeping::nothing, NoMember> index_operand(std::string_view name,
                                                          std::string_view doc) {
  return {Role::index, name, {}, doc, {}};
}
/// That the operation keeps in that member, which the text shows.
template <class Own, class T>
constexpr Field<Keeping::value, T Own::*> parameter(std::string_view name, T Own::*member,
                                                    std::string_view doc, Default otherwise = {}) {
  return {Role::parameter, name, member, doc, otherwise};
}
/// That is the shape of the result.
constexpr Field<Keeping::text, ResultShape> parameter(std::string_view name, ResultShape shape,
                                                      std::string_view doc,
                                                      Default otherwise = {}) {
  return {Role::parameter, name, shape, doc, otherwise};
}
/// That is not kept under its name.
constexpr Field<Keeping::nothing, NoMember> parameter(std::string_view name, std::string_view doc,
                                                      Default otherwise = {}) {
  return {Role::parameter, name, {}, doc, otherwise};
}
/// That is kept for the text alone: what it says is in the shapes, or in other members, too.
template <class Own, class T>
constexpr Field<Keeping::text, T Own::*> shown(std::string_view name, T Own::*member,
                                               std::string_view doc, Default otherwise = {}) {
  return {Role::parameter, name, member, doc, otherwise};
}
/// What is no argument, and is shown under that name, or without one.
template <class Own, class T>
constexpr Field<Keeping::value, T Own::*> kept(T Own::*member, std::string_view name = {}) {
  return {Role::kept, name, member, {}, {}};
}
/// The same, but not shown.
template <class Own, class T>
constexpr Field<Keeping::key, T Own::*> hidden(T Own::*member) {
  return {Role::kept, {}, member, {}, {}};
}
/// What follows from other members and from the shapes of operands and result.
template <class Own, class T>
constexpr Field<Keeping::derived, T Own::*> derived(T Own::*member) {
  return {Role::kept, {}, member, {}, {}};
}

namespace detail {

/// Makes anything: to count members.
struct Anything {
  template <class T>
  constexpr operator T() const noexcept;
};

/// How many members an aggregate has.
template <class Own, class... Members>
consteval std::size_t member_count() {
  if constexpr (requires { Own{Members()..., Anything()}; })
    return member_count<Own, Members..., Anything>();
  else return sizeof...(Members);
}

template <class Own>
consteval std::size_t told_members() {
  return std::apply(
      [](const auto&... field) {
        return (std::size_t{0} + ... +
                std::size_t{std::remove_cvref_t<decltype(field)>::has_member});
      },
      Own::fields);
}

template <class T>
concept Integers = requires(const T& values) {
  { *values.begin() } -> std::convertible_to<std::int64_t>;
};

std::string value_text(std::int64_t value);
std::string value_text(const std::string& value);
template <std::integral T>
std::string value_text(T value) {
  if constexpr (std::is_same_v<T, bool>) return value ? "true" : "false";
  else return value_text(static_cast<std::int64_t>(value));
}
template <Integers T>
std::string value_text(const T& values) {
  return to_string(Index(values.begin(), values.end()));
}
/// Others say it themselves.
template <class T>
requires(!Integers<T> && !std::integral<T>) std::string value_text(const T& value) {
  return std::string(to_string(value));
}

inline void add_value(std::int64_t value, StructuralKey& to) { to.add(value); }
inline void add_value(double value, StructuralKey& to) {
  to.add(std::bit_cast<std::int64_t>(value));
}
inline void add_value(const std::string& value, StructuralKey& to) { to.add_all(value); }
template <Integers T>
void add_value(const T& values, StructuralKey& to) {
  to.add_all(values);
}
template <class T>
requires(!Integers<T>) void add_value(const T& value, StructuralKey& to) {
  if constexpr (std::is_enum_v<T> || std::is_integral_v<T>)
    to.add(static_cast<std::int64_t>(value));
  else add_to(value, to);
}

void append_field(std::string& text, std::string_view name, const std::string& value);

}  // namespace detail

/// "shift=[1], axes=[0]": what an operation keeps, for people.
template <class Own>
std::string text_of(const Own& own, const Shape& shape) {
  std::string text;
  const auto add = [&]<Keeping how, class Member>(const Field<how, Member>& field) {
    if constexpr (std::is_same_v<Member, ResultShape>)
      detail::append_field(text, field.name, to_string(shape));
    else if constexpr (Field<how, Member>::has_member && Field<how, Member>::is_shown)
      detail::append_field(text, field.name, detail::value_text(own.*field.member));
  };
  std::apply([&](const auto&... field) { (add(field), ...); }, Own::fields);
  return text;
}

/// Adds what, with shapes and types, makes an operation what it is. One that keeps a member which
/// its list does not tell does not compile: it would make plans of other operations its own.
template <class Own>
void add_fields(const Own& own, StructuralKey& to) {
  static_assert(detail::member_count<Own>() == detail::told_members<Own>(),
                "an operation keeps a member that its fields do not tell");
  const auto add = [&]<Keeping how, class Member>(const Field<how, Member>& field) {
    if constexpr (Field<how, Member>::has_member && Field<how, Member>::is_in_key)
      detail::add_value(own.*field.member, to);
  };
  std::apply([&](const auto&... field) { (add(field), ...); }, Own::fields);
}

}  // namespace weft
