// SPDX-License-Identifier: Apache-2.0
// The links that are of no op: loading, storing, casting.
#pragma once

#include <weft/engine/kernels/compute/link.h>
#include <weft/graph/value/dtype.h>

namespace weft {

/// The widest elements of a program: of one byte, integers of two, of up to four, of eight.
enum class Width : std::uint8_t { byte, half, word, wide };
inline constexpr std::size_t widths = 4;
/// bool, integers, f16, bf16, f32 and f64: the kinds of DType that programs compute with.
inline constexpr std::size_t computed_types = static_cast<std::size_t>(DType::Kind::f64) + 1;

/// Rows of `bytes` that lie `from_pitch` apart, to where they shall lie `to_pitch` apart.
using CopyRows = void (*)(std::byte* to, std::int64_t to_pitch, const std::byte* from,
                          std::int64_t from_pitch, std::int64_t rows, std::int64_t bytes);

/// Those of a program of one width, for each type. Null where none is needed, or there is no such
/// element.
struct CoreLinks {
  template <class Value>
  using ByType = std::array<Value, computed_types>;

  std::int64_t group = 0;      ///< elements
  std::int64_t fewest = 0;     ///< elements of a vector of the narrowest
  ByType<Lanes> lanes{};       ///< in which kind elements of a type are
  ByType<Link::Run> ask{};     ///< begins a chain: asks for what is read later of a place
  ByType<Link::Run> load{};    ///< begins a chain: elements of that type, of a place
  ByType<Link::Run> store{};   ///< ends one: elements of that type, to a place
  ByType<Link::Run> stream{};  ///< the same past the caches, to a place at a cache line
  /// The same of a row of as many elements as the second place of the link says, `fewest` at least
  /// and less than a group: the last vectors lie over those before them.
  ByType<Link::Run> load_row{}, store_row{};
  ByType<Link::Run> load_lanes{};   ///< begins a chain, from a place with lanes
  ByType<Link::Run> store_lanes{};  ///< ends one, to a place with lanes
  ByType<Link::Run> keep{};         ///< lanes, to a place; the chain goes on
  ByType<Link::Run> narrow{};       ///< what was computed in wider lanes: wrapped, or rounded
  /// From one type to another, as astype does.
  ByType<ByType<Link::Run>> cast{};
  /// Between f16 or bf16 and u16 of the same bits.
  ByType<Link::Run> to_bits{}, from_bits{};
  /// Whether elements lie in memory as they are in lanes.
  ByType<bool> is_plain{};
  Link::Run end = nullptr;  ///< the last one, behind one that stores
  RunGroups run = nullptr;
  CopyRows copy_rows = nullptr;
  CopyRows stream_rows = nullptr;  ///< past the caches, whole lines to where lines begin
};

/// Of the best instruction set that there is.
const CoreLinks& core_links(Width width);

}  // namespace weft
