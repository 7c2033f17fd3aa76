// SPDX-License-Identifier: Apache-2.0
// Reading and checking indices.
#include <weft/graph/indexed.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <weft/graph/value/error.h>
#include <weft/graph/value/share_bytes.h>

namespace weft {
namespace {

template <class T>
T element(const std::byte* bytes, std::size_t k) {
  T value;  // borrowed memory may be aligned to nothing
  std::memcpy(&value, bytes + k * sizeof(T), sizeof(T));
  return value;
}

/// Bounds in arithmetic without a sign: an element is within where element - low is no more than
/// high - low.
template <class Word>
struct Within {
  Word low, most;
  static constexpr Word sign_bit = Word{1} << (8 * sizeof(Word) - 1);

  /// Its sign bit is set for one that is out of bounds. No comparison, so that any processor does
  /// several at once.
  Word wrong(Word element) const {
    const Word above = element - low;
    return above | (most - above);
  }
};

/// None where there are bounds as wide as that arithmetic.
template <class Word, class T>
std::optional<Within<Word>> within(const IndexBounds& bound) {
  const std::int64_t low = std::is_signed_v<T> ? bound.low : std::max<std::int64_t>(0, bound.low);
  constexpr std::int64_t far = std::int64_t{1} << (8 * sizeof(Word) - 3);
  if (low < -far || bound.high > far || bound.high < low) return {};
  return Within<Word>{static_cast<Word>(low), static_cast<Word>(bound.high - low)};
}

/// None where that arithmetic does not tell.
template <class Word, class T>
std::optional<bool> are_within(const std::byte* bytes, std::size_t first, std::size_t last,
                               const IndexBounds& bound) {
  const auto bounds = within<Word, T>(bound);
  if (!bounds) return {};
  const Within<Word> here = *bounds;
  Word any = 0;
  for (std::size_t k = first; k < last; ++k)
    any |= here.wrong(static_cast<Word>(element<T>(bytes, k)));
  return !(any & Within<Word>::sign_bit);
}

template <class T>
bool is_within(T given, const IndexBounds& bound) {
  return std::cmp_greater_equal(given, bound.low) && std::cmp_less_equal(given, bound.high);
}

template <class T>
bool are_within(const std::byte* bytes, std::int64_t begin, std::int64_t end,
                const std::vector<IndexBounds>& bounds) {
  const std::size_t first = static_cast<std::size_t>(begin), last = static_cast<std::size_t>(end),
                    tuple = bounds.size();
  std::optional<bool> found;
  if (tuple == 1 && sizeof(T) <= sizeof(std::uint32_t))
    found = are_within<std::uint32_t, T>(bytes, first, last, bounds[0]);
  if (tuple == 1 && !found) found = are_within<std::uint64_t, T>(bytes, first, last, bounds[0]);
  if (found) return *found;
  bool all_within = true;
  for (std::size_t k = first, part = first % tuple; k < last;
       ++k, part = part + 1 == tuple ? 0 : part + 1)
    all_within &= is_within(element<T>(bytes, k), bounds[part]);
  return all_within;
}

/// One of those below 0 counts from the end.
template <class T>
std::int64_t counted(T given, std::int64_t high) {
  // Without a sign, for one that is out of bounds may be anything.
  const auto place = static_cast<std::uint64_t>(static_cast<std::int64_t>(given));
  return static_cast<std::int64_t>(
      std::cmp_less(given, 0) ? place + static_cast<std::uint64_t>(high) + 1 : place);
}

void all_at_once(std::int64_t count, const std::function<void(std::int64_t, std::int64_t)>& work) {
  work(0, count);
}

/// As what frees it, a list is kept with its memory.
struct IndexList {
  std::vector<std::int64_t> values{};
  void operator()(const std::byte*) const noexcept {}
};

}  // namespace

StoredIndex::StoredIndex(const Node& node, const Node& index)
    : op_(node.op()),
      shape_(index.shape()),
      type_(index.dtype()),
      count_(index.count()),
      memory_(index.value()),
      bounds_(node.operation().as<IndexedMovement>()->bounds(node.shape())) {}

std::int64_t StoredIndex::place(std::int64_t k) const {
  return with_integer(type_, [&]<class T>(T) {
    return counted(element<T>(bytes(), static_cast<std::size_t>(k)), bounds_[0].high);
  });
}

std::vector<std::int64_t> StoredIndex::places() const {
  std::vector<std::int64_t> places(static_cast<std::size_t>(count_));
  const std::size_t tuple = bounds_.size();
  with_integer(type_, [&]<class T>(T) {
    for (std::size_t part = 0; part < tuple; ++part)
      for (std::size_t k = part; k < places.size(); k += tuple)
        places[k] = counted(element<T>(bytes(), k), bounds_[part].high);
  });
  return places;
}

std::int64_t StoredIndex::extent() const noexcept {
  return bounds_.size() == 1 && bounds_[0].low == -bounds_[0].high - 1 ? bounds_[0].high + 1 : 0;
}

bool StoredIndex::lies_as_it_counts() const {
  if (type_ != i64 || bounds_.size() != 1 ||
      reinterpret_cast<std::uintptr_t>(bytes()) % alignof(std::int64_t) != 0)
    return false;
  const std::vector<IndexBounds> plain{{0, bounds_[0].high, bounds_[0].what}};
  return are_within<std::int64_t>(bytes(), 0, count_, plain);
}

void StoredIndex::check(const ForParts& for_parts) const {
  if (bounds_.empty()) return;
  std::atomic<bool> is_wrong = false;
  for_parts(count_, [&](std::int64_t begin, std::int64_t end) {
    if (!with_integer(type_,
                      [&]<class T>(T) { return are_within<T>(bytes(), begin, end, bounds_); }))
      is_wrong.store(true, std::memory_order_relaxed);
  });
  if (is_wrong) refuse();
}

void StoredIndex::check() const { check(all_at_once); }

std::int64_t StoredIndex::first_wrong() const {
  return with_integer(type_, [&]<class T>(T) {
    std::int64_t k = 0;
    while (k < count_ && is_within(element<T>(bytes(), static_cast<std::size_t>(k)),
                                   bounds_[static_cast<std::size_t>(k) % bounds_.size()]))
      ++k;
    return k;
  });
}

void StoredIndex::refuse() const {
  const std::int64_t k = first_wrong();
  if (k == count_)
    throw IndexError(fmt::format("{}: the index was changed while it was read", op_));
  const auto& [low, high, what] = bounds_[static_cast<std::size_t>(k) % bounds_.size()];
  const std::string given = with_integer(type_, [&]<class T>(T) {
    return fmt::format("{}", element<T>(bytes(), static_cast<std::size_t>(k)));
  });
  throw IndexError(
      fmt::format("{}: {} {} at {} is out of range, expected {}", op_, what, given,
                  to_string(unravel_index(k, shape_)),
                  high < low ? "none, for the extent is 0" : fmt::format("{} to {}", low, high)));
}

Places IndexedMovement::arrange(const Shape&, std::vector<std::int64_t> places) const {
  return Places(std::move(places));
}

void Indices::add(const Node& node, const Node& index, Places places, bool are_checked) {
  read_.insert_or_assign(
      &node, Read{std::move(places), &index, index.value().get(), index.bytes(), are_checked});
}

const Indices::Read& Indices::read_of(const Node& node) const {
  const auto read = read_.find(&node);
  if (read == read_.end())
    throw InternalError(fmt::format("{}: its index was not read", node.op()));
  return read->second;
}

const Places& Indices::of(const Node& node) const { return read_of(node).places; }

const Places& Indices::checked(const Node& node) const {
  const Read& read = read_of(node);
  if (!read.are_checked) read.places.index()->check();
  return read.places;
}

void Indices::check(const ForParts& for_parts) const {
  for (const auto& [node, read] : read_)
    if (!read.are_checked) {
      read.places.index()->check(for_parts);
      read.node->know_within(read.places.index()->extent());
    }
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
    return share_bytes(read.index, read.bytes, begin, end - begin);
  });
}

bool is_checked_when_built(const Node& index) {
  constexpr std::int64_t few = 65536;  // i64 25 us, where a cache has them
  return index.is_stored() && index.count() <= few;
}

void check_index_of(const Node& node, const Node& index) { StoredIndex(node, index).check(); }

Places read_index_of(const StoredIndex& index, const Node& node, std::int64_t most_bytes) {
  const auto& operation = *node.operation().as<IndexedMovement>();
  if (operation.checks_places()) return Places(std::make_shared<const StoredIndex>(index));
  if (index.bounds().empty() || (!operation.is_arranged() && index.lies_as_it_counts()))
    return {index.memory(), index.count()};
  const auto check_bytes = [&](std::int64_t each) {
    if (index.count() > most_bytes / each)
      throw MemoryError(fmt::format(
          "{}: {} {} indices are kept as {} bytes each, at most {} bytes are left for that",
          node.op(), to_string(index.shape()), index.type().name(), each, most_bytes));
  };
  check_bytes(sizeof(std::int64_t));
  if (!operation.is_arranged()) return Places(index.places());
  Places arranged = operation.arrange(node.shape(), index.places());
  if (arranged.copied_bytes() > most_bytes)
    check_bytes((arranged.copied_bytes() + index.count() - 1) / index.count());
  return arranged;
}

Places read_index_of(const Node& node, const Node& index) {
  const StoredIndex stored(node, index);
  stored.check();
  return read_index_of(stored, node);
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
