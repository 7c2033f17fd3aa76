// SPDX-License-Identifier: Apache-2.0
// How a piece is cut into blocks: of rows and columns, or, where those are short, of several loops
// whose elements are put side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <weft/engine/run/blocks.h>
#include <weft/engine/run/piece_layout.h>

namespace weft {

/// A piece of which it is known what a block has, but not yet what moves it.
struct CutPiece {
  static constexpr std::size_t none = static_cast<std::size_t>(-1), of_result = none;

  CutPiece(const Pass& pass, const PassProgram& program, PieceLayout laid)
      : layout(std::move(laid)), reads(program.reads), pass_bytes(pass.bytes()) {}

  std::size_t operands() const { return piece.operands.size(); }
  std::size_t loops() const { return layout.size(); }
  std::int64_t extent(std::size_t loop) const { return layout.extent(loop); }
  std::int64_t bytes(std::size_t k) const { return piece.operands[k].bytes; }
  /// Of operand k along a loop, in elements.
  std::int64_t step(std::size_t loop, std::size_t k) const {
    return values[k] < reads ? layout.step(loop, values[k]) : 0;
  }

  /// Calls visit(loop, stride) for those of a row, with strides of elements that lie side by side.
  template <class Visit>
  void for_each_column_loop(const Visit& visit) const {
    visit_loops(column, whole, piece.width, visit);
  }
  /// Calls visit(loop, rows) for those of the rows, with how many rows a step goes on.
  template <class Visit>
  void for_each_row_loop(const Visit& visit) const {
    visit_loops(row, inner_rows, piece.height, visit);
  }
  /// Whether a block has rows, and something lies along them.
  bool is_turned() const { return !is_packed && turned_loop != none; }
  bool is_operand_turned() const { return is_turned() && turned != of_result; }
  bool is_gathered(std::size_t k) const { return piece.operands[k].finding == Finding::gathered; }
  /// Bytes of an element of what is turned, and of one that is turned within a block, or none.
  std::int64_t turned_element() const {
    return turned == of_result ? piece.element : bytes(turned);
  }
  std::int64_t turned_bytes() const { return is_turned() ? turned_element() : 0; }

  /// Runs are put side by side first where memory is slow to give a line of each.
  bool is_staged(std::size_t k) const;

  PieceLayout layout;
  std::size_t reads;  ///< values of the program that are read, before its constants
  std::int64_t pass_bytes;
  BlockPiece piece{};
  SmallVector<std::size_t, 8> values{};  ///< of the operands
  /// Rows and columns are a loop each, in part, around others that are whole.
  std::size_t row = none, column = none;
  SmallVector<std::size_t, 4> inner_rows{}, whole{};
  std::size_t turned_loop = none, turned = none;  ///< along which that operand lies
  bool is_packed = false;                         ///< rows are of several loops, side by side
  bool is_result_aside = false;                   ///< it is put into place by a move

 private:
  /// A loop that is there in part, `step` apart, and those within it, which are whole.
  template <class Visit>
  void visit_loops(std::size_t outer, std::span<const std::size_t> inner, std::int64_t step,
                   const Visit& visit) const {
    if (outer == none) return;
    visit(outer, step);
    for (const std::size_t loop : inner) visit(loop, step /= extent(loop));
  }
};

/// What a step of a program takes beside the moves of its blocks, in nanoseconds an element.
float cost_of(const PassProgram::Step& step);
/// The same of all its steps.
float program_cost(const PassProgram& program);

/// Blocks are 2^shrink times smaller than suits the caches.
CutPiece cut_piece(const Pass& pass, const ComputedPiece& planned, int shrink,
                   const BlockSteps& steps);

}  // namespace weft
