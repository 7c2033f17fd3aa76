// SPDX-License-Identifier: Apache-2.0
// Reading and checking indices.
#include <weft/graph/indexed.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <utility>

#include <weft/graph/value/error.h>

namespace weft {
namespace {

template <class T>
T element(const std::byte* bytes, std::size_t k) {
  T value;  // borrowed memory may be aligned to nothing
  std::memcpy(&value, bytes + k * sizeof(T), sizeof(T));
  return value;
}

/// Calls keep(k, place) for each element, which says how it counts; the first that is out of
/// bounds, or how many there are.
template <class T, class Keep>
std::size_t read(const std::byte* bytes, std::size_t count, const std::vector<IndexBounds>& bounds,
                 const Keep& keep) {
  const std::size_t tuple = bounds.size();
  const auto is_within = [](T given, const IndexBounds& bound) {
    return std::cmp_greater_equal(given, bound.low) && std::cmp_less_equal(given, bound.high);
  };
  bool all_within = true;
  for (std::size_t part = 0; part < tuple; ++part) {
    const IndexBounds bound = bounds[part];
    for (std::size_t k = part; k < count; k += tuple) {
      const T given = element<T>(bytes, k);
      all_within &= is_within(given, bound);
      // Without a sign, for one that is out of bounds may be anything.
      const auto place = static_cast<std::uint64_t>(static_cast<std::int64_t>(given));
      const std::uint64_t counted =
          std::cmp_less(given, 0) ? place + static_cast<std::uint64_t>(bound.high) + 1 : place;
      keep(k, static_cast<std::int64_t>(counted));
    }
  }
  if (all_within) return count;
  std::size_t k = 0;
  while (is_within(element<T>(bytes, k), bounds[k % tuple])) ++k;
  return k;
}

/// Whether all are from 0 to `high`.
bool are_plain(std::span<const std::int64_t> places, std::int64_t high) {
  bool all_within = true;
  for (const std::int64_t place : places) all_within &= place >= 0 && place <= high;
  return all_within;
}

/// An index that is stored, as an operation reads it.
class Reading {
 public:
  Reading(const Node& node, const Node& index)
      : op_(*node.operation().as<IndexedMovement>()),
        shape_(node.shape()),
        index_(index),
        bounds_(op_.bounds(shape_)) {}

  void check() const {
    if (!bounds_.empty()) read_all([](std::size_t, std::int64_t) {});
  }

  Places places(std::int64_t most_bytes) const {
    if (bounds_.empty() || lies_as_it_counts()) return {index_.value(), index_.count()};
    if (index_.count() > most_bytes / static_cast<std::int64_t>(sizeof(std::int64_t)))
      throw MemoryError(fmt::format(
          "{}: {} {} indices are kept as 8 bytes each, at most {} bytes are left for that",
          op_.name(), to_string(index_.shape()), index_.dtype().name(), most_bytes));
    std::vector<std::int64_t> places(static_cast<std::size_t>(index_.count()));
    std::int64_t* const first = places.data();
    read_all([first](std::size_t k, std::int64_t place) { first[k] = place; });
    return op_.is_arranged() ? op_.arrange(shape_, std::move(places)) : Places(std::move(places));
  }

 private:
  /// Whether its memory holds what the operation would be given.
  bool lies_as_it_counts() const {
    const std::byte* const bytes = index_.value().get();
    if (index_.dtype() != i64 || bounds_.size() != 1 || op_.is_arranged() ||
        reinterpret_cast<std::uintptr_t>(bytes) % alignof(std::int64_t) != 0)
      return false;
    return are_plain({reinterpret_cast<const std::int64_t*>(bytes), count()}, bounds_[0].high);
  }

  template <class Keep>
  void read_all(const Keep& keep) const {
    const std::byte* const bytes = index_.value().get();
    const std::size_t wrong = with_integer(
        index_.dtype(), [&]<class T>(T) { return read<T>(bytes, count(), bounds_, keep); });
    if (wrong < count()) refuse(wrong);
  }

  [[noreturn]] void refuse(std::size_t k) const {
    const std::byte* const bytes = index_.value().get();
    const auto& [low, high, what] = bounds_[k % bounds_.size()];
    const std::string given = with_integer(
        index_.dtype(), [&]<class T>(T) { return fmt::format("{}", element<T>(bytes, k)); });
    throw IndexError(
        fmt::format("{}: {} {} at {} is out of range, expected {}", op_.name(), what, given,
                    to_string(unravel_index(static_cast<std::int64_t>(k), index_.shape())),
                    high < low ? "none, for the extent is 0" : fmt::format("{} to {}", low, high)));
  }

  std::size_t count() const { return static_cast<std::size_t>(index_.count()); }

  const IndexedMovement& op_;
  const Shape& shape_;
  const Node& index_;
  const std::vector<IndexBounds> bounds_;
};

/// As what frees it, a list is kept with its memory.
struct IndexList {
  std::vector<std::int64_t> values{};
  void operator()(const std::byte*) const noexcept {}
};

}  // namespace

Places IndexedMovement::arrange(const Shape&, std::vector<std::int64_t> places) const {
  return Places(std::move(places));
}

void Indices::add(const Node& node, const Node& index, Places places) {
  read_.insert_or_assign(&node, Read{std::move(places), index.value().get(), index.bytes()});
}

const Places& Indices::of(const Node& node) const {
  const auto read = read_.find(&node);
  if (read == read_.end())
    throw InternalError(fmt::format("{}: its index was not read", node.op()));
  return read->second.places;
}

void Indices::keep_only(const Expression& expression) {
  std::unordered_map<const Node*, Read> kept;
  for (std::size_t v = 0; v < expression.size(); ++v)
    if (!expression[v].is_stored)
      if (auto entry = read_.extract(expression[v].node)) kept.insert(std::move(entry));
  read_ = std::move(kept);
}

bool Indices::is_within(const std::byte* begin, const std::byte* end) const {
  return std::any_of(read_.begin(), read_.end(), [&](const auto& entry) {
    const Read& read = entry.second;
    return std::less<>()(read.index, end) && std::less<>()(begin, read.index + read.bytes);
  });
}

void check_index_of(const Node& node, const Node& index) { Reading(node, index).check(); }

Places read_index_of(const Node& node, const Node& index, std::int64_t most_bytes) {
  return Reading(node, index).places(most_bytes);
}

Indices read_stored_indices(const Expression& expression) {
  Indices indices;
  const auto depends = [&](std::uint32_t root) {
    return expression[root].node->depends_on_index();
  };
  if (std::none_of(expression.roots().begin(), expression.roots().end(), depends)) return indices;
  for_each_index(expression, [&](const Node& node, const NodePtr& index) {
    if (index->is_stored()) indices.add(node, *index, read_index_of(node, *index));
  });
  return indices;
}

void check_index(std::string_view op, std::string_view operand, DType index) {
  if (!index.is_integer())
    throw DtypeError(
        fmt::format("{}: {} is {}, expected an integer type", op, operand, index.name()));
}

bool is_index_list(const Storage& memory) { return std::get_deleter<IndexList>(memory) != nullptr; }

Tensor index_tensor(std::string_view op, std::string_view operand, const Ints& indices) {
  if (indices.is_open()) return Tensor(indices.open_tensor());
  check_integer(op, operand, indices);
  check_scalar_or_list(op, operand, indices);
  IndexList list;
  for (std::size_t k = 0; k < indices.size(); ++k) list.values.push_back(indices.bits(k));
  const auto* const bytes = reinterpret_cast<const std::byte*>(list.values.data());
  Shape shape;
  if (indices.rank() == 1) shape.push_back(static_cast<std::int64_t>(indices.size()));
  return make_tensor<Stored>(indices.dtype() == u64 ? u64 : i64, shape,
                             Storage(bytes, std::move(list)));
}

}  // namespace weft
