// SPDX-License-Identifier: Apache-2.0
// Patterns of axes: what is malformed, any bytes, and random ones against their meaning.
#include "ops/expect.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "ops/drawn_pattern.h"

using namespace weft;
using namespace weft::testing;

namespace {

/// Where the pattern is malformed: the caret.
void is_malformed(const std::string& pattern, const std::string& why, std::size_t at,
                  Where where = Where::current()) {
  refuses<ParameterError>(
      "bad_pattern", fmt::format("rearrange: {}\n  {}\n  {}^", why, pattern, std::string(at, ' ')),
      [&] {
        iota<int>({2, 3}).rearrange(pattern);
      },
      where);
}

using Groups = std::vector<std::vector<std::string>>;

/// The groups of one side of a pattern that is well-formed, without the ones. An ellipsis in
/// parentheses is called "merged".
Groups groups_of(const std::string& side) {
  Groups groups;
  bool is_open = false;
  for (std::size_t at = 0; at < side.size(); ++at) {
    if (side[at] == ' ') continue;
    if (side[at] == '(' || side[at] == ')') {
      is_open = side[at] == '(';
      if (is_open) groups.emplace_back();
      continue;
    }
    const std::size_t end = std::min(side.find_first_of(" ()", at), side.size());
    const std::string word = side.substr(at, end - at);
    if (!is_open) groups.emplace_back();
    if (word != "1") groups.back().push_back(is_open && word == "..." ? "merged" : word);
    at = end - 1;
  }
  return groups;
}

/// What a pattern means: the element of every index of the result, where all axes have a name.
class Meaning {
 public:
  Meaning(const DrawnPattern& pattern, const List& shape)
      : extents_(pattern.extents()), from_(shape.begin(), shape.end()) {
    const std::string text = pattern.text();
    left_ = groups_of(text.substr(0, text.find("->")));
    right_ = groups_of(text.substr(text.find("->") + 2));
    spell_out_ellipsis();
    for (auto& group : right_)
      for (std::string& name : group)
        if (name[0] >= '0' && name[0] <= '9') {
          const std::int64_t extent = std::stoll(name);
          name = fmt::format("new {}", extents_.size());
          extents_[name] = extent;
        }
  }

  Shape shape() const {
    Shape shape;
    for (const auto& group : right_) {
      shape.push_back(1);
      for (const std::string& name : group) shape.back() *= extents_.at(name);
    }
    return shape;
  }

  std::int64_t source(Index index) const {
    std::map<std::string, std::int64_t> at;
    for (std::size_t axis = 0; axis < right_.size(); ++axis)
      for (std::size_t k = right_[axis].size(); k-- > 0;) {
        const std::string& name = right_[axis][k];
        at[name] = index[axis] % extents_.at(name);
        index[axis] /= extents_.at(name);
      }
    Index source(left_.size(), 0);
    for (std::size_t axis = 0; axis < left_.size(); ++axis)
      for (const std::string& name : left_[axis])
        source[axis] = source[axis] * extents_.at(name) + at.at(name);
    return linear_index(source, from_);
  }

 private:
  void spell_out_ellipsis() {
    const std::vector<std::string> dots{"..."};
    const auto place = std::find(left_.begin(), left_.end(), dots);
    if (place == left_.end()) return;
    const std::size_t first = static_cast<std::size_t>(place - left_.begin());
    std::vector<std::string> names;
    for (std::size_t k = 0; k < from_.size() + 1 - left_.size(); ++k) {
      names.push_back(fmt::format("dot {}", k));
      extents_[names.back()] = from_[first + k];
    }
    for (Groups* side : {&left_, &right_}) {
      Groups groups;
      for (const auto& group : *side) {
        if (group == dots) {
          for (const std::string& name : names) groups.push_back({name});
          continue;
        }
        groups.emplace_back();
        for (const std::string& name : group) {
          if (name != "merged") groups.back().push_back(name);
          else groups.back().insert(groups.back().end(), names.begin(), names.end());
        }
      }
      *side = groups;
    }
  }

  std::map<std::string, std::int64_t> extents_;
  Groups left_, right_;
  Shape from_;
};

using Function = Tensor (*)(const Tensor&, const std::string&, const AxisSizes&);

/// A call of any bytes throws an error of weft with three lines at most, or makes a tensor; and
/// what is said before shapes and sizes are known agrees with that.
void is_safe(Function function, const Shape& shape, const std::string& pattern,
             const AxisSizes& sizes) {
  const Tensor x = full(shape, std::uint8_t{1});
  std::vector<std::int64_t> numbers;
  for (std::size_t k = 0; k < sizes.sizes().size(); ++k) numbers.push_back(sizes.sizes()[k]);
  const AxisSizes open_sizes(sizes.names(), placeholder(i64, {std::ssize(numbers)}));
  std::optional<Shape> result;
  try {
    result = function(x, pattern, sizes).shape();
  } catch (const Error& error) {
    const std::string message = error.what();
    const bool is_text = std::all_of(message.begin(), message.end(),
                                     [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); });
    if (!is_text || message.size() > 1000 || std::count(message.begin(), message.end(), '\n') > 2)
      FAIL_CHECK(message);
  }
  for (const PartialShape& said :
       {PartialShape::any(), PartialShape::of_rank(shape.size()), PartialShape(shape)})
    for (const AxisSizes& given : {sizes, open_sizes}) {
      try {
        const PartialShape inferred =
            function(placeholder(u8, said), pattern, given).partial_shape();
        if (result && !can_be_equal(inferred, *result))
          FAIL_CHECK(pattern, ": ", to_string(inferred), " is inferred of ", to_string(*result));
      } catch (const Error& error) {
        if (result) FAIL_CHECK(pattern, ": ", error.what());
      }
    }
}

std::string mutated(std::string text, Random& random) {
  static const std::string pieces[] = {"(",
                                       ")",
                                       "->",
                                       "...",
                                       "1",
                                       "2",
                                       " ",
                                       "a",
                                       "b1",
                                       "_",
                                       ".",
                                       "-",
                                       ">",
                                       "\n",
                                       "0",
                                       "é",
                                       "h",
                                       "((",
                                       "()",
                                       "p q",
                                       "a->",
                                       "9223372036854775807",
                                       "99999999999999999999"};
  for (std::int64_t k = random.in(1, 3); k > 0; --k) {
    const std::size_t at = random.below(text.size() + 1);
    switch (random.below(4)) {
      case 0:
        text.erase(at, random.below(4));
        break;
      case 1:
        text.insert(at, pieces[random.below(std::size(pieces))]);
        break;
      case 2:
        if (at < text.size()) text[at] = static_cast<char>(random.below(256));
        break;
      default:
        text.insert(at, text.substr(random.below(text.size() + 1), random.below(6)));
        break;
    }
  }
  return text;
}

std::string random_bytes(Random& random) {
  static const std::string likely = "abcp ()->.1 2_0 ";
  std::string text;
  const bool is_likely = random.one_in(2);
  for (std::int64_t k = random.in(0, 40); k > 0; --k)
    text += is_likely ? likely[random.below(likely.size())] : static_cast<char>(random.below(256));
  return text;
}

}  // namespace

TEST_CASE("patterns: sizes are names and numbers, in braces or apart") {
  const AxisSizes sizes{{"p", 4}, {"q", std::uint8_t{5}}};
  CHECK(sizes.names() == "p q");
  CHECK(sizes.sizes().text() == "[4, 5]");
  const AxisSizes one{{"p", 9223372036854775808u}};
  CHECK(one.sizes().text() == "[9223372036854775808]");
  const AxisSizes apart("p q", {4, 5});
  CHECK(apart.names() == "p q");
  CHECK(apart.sizes().text() == "[4, 5]");
  CHECK(AxisSizes().names().empty());
  CHECK(AxisSizes().sizes().size() == 0);
  const Tensor x = iota<int>(4);
  CHECK_THROWS_AS(x.rearrange("(p q) -> p q", {{"", 2}}), ParameterError);
  CHECK_THROWS_AS(x.rearrange("(p q) -> p q", {{"p q", 2}}), ParameterError);
  CHECK_THROWS_AS(x.rearrange("(p q) -> p q", {{"(p", 2}}), ParameterError);
  CHECK_THROWS_AS(x.rearrange("(p q) -> p q", {{"\xff\n", 2}}), ParameterError);
}

TEST_CASE("patterns: arrows") {
  is_malformed("", "there is no \"->\"", 0);
  is_malformed("h w", "there is no \"->\"", 3);
  is_malformed("h w > w h", "there is no \"->\"", 9);
  is_malformed("h w -> w h -> h", "there is a second \"->\"", 11);
  is_malformed("h w ->-> w h", "there is a second \"->\"", 6);
}

TEST_CASE("patterns: parentheses") {
  is_malformed("h (w -> h w", "this \"(\" is not closed", 2);
  is_malformed("h w -> (h w", "this \"(\" is not closed", 7);
  is_malformed("h w) -> h w", "no \"(\" is open here", 3);
  is_malformed("h w -> )h w(", "no \"(\" is open here", 7);
  is_malformed("(h (w)) -> h w", "parentheses within parentheses", 3);
}

TEST_CASE("patterns: ellipses") {
  is_malformed("... h ... -> h ...", "the ellipsis is named twice on the left", 6);
  is_malformed("... h -> h ... (...)", "the ellipsis is named twice on the right", 16);
  is_malformed("(... h) -> ... h", "an ellipsis in parentheses is only allowed on the right", 1);
  is_malformed("h .. -> .. h", "dots stand only for an ellipsis of three, apart from names", 2);
  is_malformed("h .... -> h", "dots stand only for an ellipsis of three, apart from names", 2);
  is_malformed("h... -> h...", "dots stand only for an ellipsis of three, apart from names", 1);
}

TEST_CASE("patterns: names") {
  is_malformed("h h -> h", "axis h is named twice on the left", 2);
  is_malformed("h w -> (h w) h", "axis h is named twice on the right", 13);
  is_malformed("h 2w -> h 2w", "axis 2w starts with a digit", 2);
  is_malformed("h _w -> h _w", "axis _w starts or ends with an underscore", 2);
  is_malformed("h w_ -> h w_", "axis w_ starts or ends with an underscore", 2);
  is_malformed("_ w -> _ w", "axis _ starts or ends with an underscore", 0);
}

TEST_CASE("patterns: stray characters") {
  is_malformed("h, w -> h w", "character ',' has no meaning", 1);
  is_malformed("h w --> h w", "character '-' has no meaning", 4);
  is_malformed("h w ->> h w", "character '>' has no meaning", 6);
  is_malformed("h w -> h [w]", "character '[' has no meaning", 9);
  refuses<ParameterError>("bad_pattern", "rearrange: byte 0x09 has no meaning\n  h?w -> h w\n   ^",
                          [] {
                            iota<int>({2, 3}).rearrange("h\tw -> h w");
                          });
  refuses<ParameterError>("bad_pattern",
                          "rearrange: byte 0xc3 has no meaning\n  h ?? -> h ??\n    ^", [] {
                            iota<int>({2, 3}).rearrange("h \xc3\xa9 -> h \xc3\xa9");
                          });
  refuses<ParameterError>("bad_pattern", "rearrange: byte 0x00 has no meaning\n  h?w -> h w\n   ^",
                          [] {
                            iota<int>({2, 3}).rearrange(std::string("h\0w -> h w", 10));
                          });
}

TEST_CASE("patterns: long ones are shown in part") {
  const std::string spaces(1000000, ' ');
  const Tensor x = iota<int>({2, 3});
  expect_same(x.rearrange(spaces + "a" + spaces + "b->b a" + spaces), x.transpose());
  refuses<ParameterError>("bad_pattern",
                          "rearrange: axis a is only on the left\n  [...]" + std::string(40, ' ') +
                              "a b-> c" + std::string(33, ' ') + "[...]\n" + std::string(47, ' ') +
                              "^",
                          [&] { x.rearrange(spaces + "a b-> c" + spaces); });
  const std::string name(1000000, 'n');
  refuses<ParameterError>("bad_pattern",
                          "rearrange: axis " + std::string(40, 'n') +
                              "[...] is only on the left\n  a " + std::string(78, 'n') +
                              "[...]\n    ^",
                          [&] { x.rearrange("a " + name + " -> a"); });
  expect_same(x.rearrange("a " + name + "->" + name + " a"), x.transpose());
  refuses<ParameterError>("bad_pattern",
                          "rearrange: a size is given for axis " + std::string(40, 'n') +
                              "[...], which is not in the pattern\n  a b -> b a",
                          [&] {
                            x.rearrange("a b -> b a", {{name, 2}});
                          });
  CHECK_THROWS_AS(x.rearrange(std::string(1000000, '(') + "->"), ParameterError);
  CHECK_THROWS_AS(x.rearrange(std::string(1000000, '1') + "->"), ParameterError);
  std::string many_names, many_ones;
  for (int k = 0; k < 100000; ++k) {
    many_names += fmt::format("a{} ", k);
    many_ones += "() ";
  }
  CHECK_THROWS_AS(x.rearrange(many_names + "->" + many_names), ParameterError);
  CHECK_THROWS_AS(x.repeat("a b -> (" + many_names + ")"), ParameterError);
  CHECK_THROWS_AS(x.repeat("a b -> " + many_ones), ParameterError);
  CHECK_THROWS_AS(x.rearrange("a b -> b a", AxisSizes(many_names, {1})), ParameterError);
}

TEST_CASE("patterns: random ones mean what they say") {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    CAPTURE(seed);
    Drawing drawing(seed);
    const List shape = drawing.random_shape();
    drawing.leaf(shape);
    const bool has_new_axes = seed % 2 == 1;
    const DrawnPattern pattern(drawing, has_new_axes);
    CAPTURE(pattern.text());
    const AxisSizes sizes(pattern.names(), pattern.sizes());
    const Tensor x = iota<int>(shape);
    const Tensor got =
        has_new_axes ? x.repeat(pattern.text(), sizes) : x.rearrange(pattern.text(), sizes);
    const Meaning meaning(pattern, shape);
    std::vector<int> expected;
    for (std::int64_t k = 0; k < element_count(meaning.shape()); ++k)
      expected.push_back(static_cast<int>(meaning.source(unravel_index(k, meaning.shape()))));
    expect<int>(got, meaning.shape(), expected);
  }
}

TEST_CASE("patterns: any bytes are safe") {
  Random random(20240611);
  const Function functions[] = {weft::rearrange, weft::repeat};
  for (int k = 0; k < 4000; ++k) {
    CAPTURE(k);
    Drawing drawing(random.bits());
    List shape = drawing.random_shape();
    drawing.leaf(shape);
    const DrawnPattern pattern(drawing, random.one_in(2));
    std::string text = random.one_in(5) ? random_bytes(random) : pattern.text();
    std::string names = pattern.names();
    List sizes = pattern.sizes();
    if (!random.one_in(10)) text = mutated(text, random);
    if (random.one_in(10)) names = mutated(names, random);
    if (random.one_in(10) && !sizes.empty()) sizes[random.below(sizes.size())] = random.in(-1, 7);
    if (random.one_in(20) && !sizes.empty())
      sizes[random.below(sizes.size())] = random.one_in(2) ? lowest : highest;
    if (random.one_in(10)) shape.push_back(2);
    is_safe(functions[random.below(2)], Shape(shape.begin(), shape.end()), text,
            AxisSizes(names, sizes));
  }
}
