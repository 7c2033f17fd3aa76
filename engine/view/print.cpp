// SPDX-License-Identifier: Apache-2.0
// Printing tensors as NumPy prints arrays: brackets, lines, and what a summary leaves out.
#include <weft/engine/view/print.h>

#include <cstring>
#include <ostream>
#include <utility>
#include <vector>

#include <weft/engine/run/part_options.h>
#include <weft/engine/view/print_number.h>
#include <weft/engine/view/region.h>

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

  /// Whether elements are left out, or would be if axes were longer.
  bool is_summary() const { return is_summary_; }

  /// The elements that are shown, row-major. Of a tensor without a value only these are computed.
  std::vector<std::byte> shown(const Tensor& tensor, const EvalOptions& options) const {
    const std::size_t size = static_cast<std::size_t>(tensor.dtype().size());
    Shape shown;
    for (std::size_t axis = 0; axis < shape_.size(); ++axis) shown.push_back(items(axis));
    std::vector<std::byte> elements(static_cast<std::size_t>(element_count(shown)) * size);
    for (std::size_t corner = 0; corner >> shape_.size() == 0; ++corner)
      if (is_corner(corner)) copy_corner(tensor, corner, shown, size, elements.data(), options);
    return elements;
  }

  /// The text, from the words of the elements shown.
  std::string text(const std::vector<std::string>& words) {
    word_ = words.begin();
    write(0);
    return std::move(text_);
  }

 private:
  bool is_cut(std::size_t axis) const { return is_summary_ && shape_[axis] > 2 * edge_items; }

  /// A corner has a bit for each axis: whether it is at the tail, which only axes that are cut
  /// have.
  bool is_corner(std::size_t corner) const {
    for (std::size_t axis = 0; axis < shape_.size(); ++axis)
      if ((corner >> axis & 1) != 0 && !is_cut(axis)) return false;
    return true;
  }

  void copy_corner(const Tensor& tensor, std::size_t corner, const Shape& shown, std::size_t size,
                   std::byte* to, const EvalOptions& options) const {
    Index start, place;  // in the tensor, and among what is shown
    Shape extents;
    for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
      const bool is_tail = (corner >> axis & 1) != 0;
      extents.push_back(is_cut(axis) ? edge_items : shape_[axis]);
      start.push_back(is_tail ? shape_[axis] - edge_items : 0);
      place.push_back(is_tail ? edge_items : 0);
    }
    const Tensor part = eval_region(tensor, start, extents, options);
    const std::byte* from = part.node().value().get();
    for (std::int64_t i = 0; i < part.size(); ++i) {
      Index at = unravel_index(i, extents);
      for (std::size_t axis = 0; axis < at.size(); ++axis) at[axis] += place[axis];
      std::memcpy(to + static_cast<std::size_t>(linear_index(at, shown)) * size,
                  from + static_cast<std::size_t>(i) * size, size);
    }
  }

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

std::string to_string(const Tensor& tensor) { return to_string(tensor, {}); }

std::string to_string(const Tensor& tensor, std::string_view format, const EvalOptions& given) {
  const EvalOptions options = silent(given);
  tensor.held("to_string");
  if (tensor.size() == 0) return "[]";
  if (tensor.rank() == 0)
    return scalar_word(tensor.dtype(), tensor.eval(options).node().value().get(), format);
  Layout layout(tensor.shape());
  if (!layout.is_summary()) tensor.eval(options);
  const std::vector<std::byte> elements = layout.shown(tensor, options);
  return layout.text(array_words(tensor.dtype(), elements, format));
}

std::ostream& operator<<(std::ostream& stream, const Tensor& tensor) {
  return stream << to_string(tensor);
}
std::ostream& operator<<(std::ostream& stream, const Shape& shape) {
  return stream << to_string(shape);
}
std::ostream& operator<<(std::ostream& stream, const PartialShape& shape) {
  return stream << to_string(shape);
}
std::ostream& operator<<(std::ostream& stream, DType dtype) { return stream << dtype.name(); }

}  // namespace weft
