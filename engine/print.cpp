// SPDX-License-Identifier: Apache-2.0
// Printing tensors as NumPy prints arrays: brackets, lines, and what a summary leaves out.
#include <weft/engine/print.h>

#include <utility>
#include <vector>

#include <weft/engine/print_number.h>

namespace weft {
namespace {

// NumPy's default print options.
constexpr std::int64_t threshold = 1000;
constexpr std::int64_t edge_items = 3;
constexpr std::size_t line_width = 75;

/// Lays out a tensor of rank 1 or more that is not empty.
class Layout {
 public:
  explicit Layout(const Shape& shape)
      : shape_(shape), is_summary_(element_count(shape) > threshold) {}

  /// The positions of the elements that are shown, row-major.
  std::vector<std::int64_t> shown() const {
    std::vector<std::int64_t> positions{0}, next;
    for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
      next.clear();
      for (const std::int64_t position : positions)
        for (std::int64_t i = 0; i < items(axis); ++i) {
          const bool is_tail = is_cut(axis) && i >= edge_items;
          next.push_back(position * shape_[axis] + (is_tail ? i - items(axis) + shape_[axis] : i));
        }
      positions.swap(next);
    }
    return positions;
  }

  /// The text, from the words of the elements shown.
  std::string text(const std::vector<std::string>& words) {
    word_ = words.begin();
    write(0);
    return std::move(text_);
  }

 private:
  bool is_cut(std::size_t axis) const { return is_summary_ && shape_[axis] > 2 * edge_items; }

  /// How many items an axis shows, not counting the dots in their middle.
  std::int64_t items(std::size_t axis) const {
    return is_cut(axis) ? 2 * edge_items : shape_[axis];
  }

  /// Recursion ends at rank 16.
  void write(std::size_t axis) {
    const std::size_t axes_left = shape_.size() - axis;
    text_ += '[';
    for (std::int64_t i = 0; i < items(axis); ++i) {
      const bool has_dots = is_cut(axis) && i == edge_items;
      if (axes_left == 1) {
        if (i > 0) text_ += ' ';
        if (has_dots) write_word("...", axis), text_ += ' ';
        write_word(*word_++, axis);
      } else {
        if (i > 0) break_line(axes_left - 1, axis);
        if (has_dots) text_ += "...", break_line(axes_left - 1, axis);
        write(axis + 1);
      }
    }
    text_ += ']';
  }

  void write_word(const std::string& word, std::size_t axis) {
    // Room is kept for the brackets that may close after the word. A first word never wraps.
    const std::size_t column = text_.size() - line_start_;
    if (column + word.size() > line_width - shape_.size() && column > axis + 1) {
      text_.erase(text_.find_last_not_of(' ') + 1);
      break_line(1, axis);
    }
    text_ += word;
  }

  void break_line(std::size_t lines, std::size_t axis) {
    text_.append(lines, '\n');
    line_start_ = text_.size();
    text_.append(axis + 1, ' ');
  }

  const Shape& shape_;
  const bool is_summary_;
  std::vector<std::string>::const_iterator word_;
  std::string text_;
  std::size_t line_start_ = 0;
};

}  // namespace

std::string to_string(const Tensor& tensor) {
  tensor.held("to_string");
  if (tensor.size() == 0) return "[]";
  const std::byte* elements = tensor.eval().node().value().get();
  if (tensor.rank() == 0) return scalar_word(tensor.dtype(), elements);
  Layout layout(tensor.shape());
  return layout.text(array_words(tensor.dtype(), elements, layout.shown()));
}

}  // namespace weft
