// SPDX-License-Identifier: Apache-2.0
// Pictures are laid out in layers: a box is in the one below the lowest that points to it, and as
// near as it can be to the middle of those.
#include <weft/engine/view/picture.h>

#include <algorithm>
#include <fmt/format.h>

#include <weft/graph/value/error.h>

namespace weft {
namespace {

// In pixels; letters of a monospaced font of 12 are as wide.
constexpr double letter = 7.3, padding = 10, box_height = 40, between_boxes = 16,
                 between_layers = 36, title_height = 28;

std::string escaped(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (c == '&') all += "&amp;";
    else if (c == '<') all += "&lt;";
    else if (c == '>') all += "&gt;";
    else if (c == '"') all += "&quot;";
    else all += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return all;
}

std::string quoted(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return all;
}

/// A box, or a place that an arrow goes through on its way past a layer.
struct Place {
  std::size_t layer = 0;
  double x = 0, y = 0, width = 0;
  double middle() const { return x + width / 2; }
};

struct Layout {
  std::vector<Place> places;                     // of the boxes, then of arrows
  std::vector<std::vector<std::size_t>> arrows;  // the places that each goes through
  double width = 0, height = 0;
};

/// Boxes below those that point to them, and arrows through all layers in between.
Layout in_layers(const Picture& picture) {
  Layout layout;
  for (const Picture::Box& box : picture.boxes) {
    Place place;
    for (const std::size_t from : box.from)
      place.layer = std::max(place.layer, layout.places[from].layer + 1);
    place.width =
        letter * static_cast<double>(std::max(box.title.size(), box.text.size())) + 2 * padding;
    layout.places.push_back(place);
  }
  for (std::size_t b = 0; b < picture.boxes.size(); ++b)
    for (const std::size_t from : picture.boxes[b].from) {
      std::vector<std::size_t>& arrow = layout.arrows.emplace_back();
      arrow.push_back(from);
      for (std::size_t k = layout.places[from].layer + 1; k < layout.places[b].layer; ++k) {
        arrow.push_back(layout.places.size());
        layout.places.push_back({k});
      }
      arrow.push_back(b);
    }
  return layout;
}

Layout layout_of(const Picture& picture) {
  Layout layout = in_layers(picture);
  std::vector<Place>& places = layout.places;
  std::vector<std::vector<std::size_t>> layers, above(places.size());
  for (std::size_t p = 0; p < places.size(); ++p) {
    if (places[p].layer >= layers.size()) layers.resize(places[p].layer + 1);
    layers[places[p].layer].push_back(p);
  }
  for (const std::vector<std::size_t>& arrow : layout.arrows)
    for (std::size_t k = 1; k < arrow.size(); ++k) above[arrow[k]].push_back(arrow[k - 1]);
  std::vector<double> wanted(places.size(), 0), widths;
  double y = title_height;
  for (std::vector<std::size_t>& layer : layers) {
    for (const std::size_t p : layer)
      for (const std::size_t from : above[p])
        wanted[p] += places[from].middle() / static_cast<double>(above[p].size());
    std::stable_sort(layer.begin(), layer.end(),
                     [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
    double x = 0;
    for (const std::size_t p : layer) {
      places[p].x = x;
      places[p].y = y;
      x += places[p].width + between_boxes;
    }
    widths.push_back(x - between_boxes);
    layout.width = std::max(layout.width, widths.back());
    y += box_height + between_layers;
  }
  for (Place& place : places) place.x += (layout.width - widths[place.layer]) / 2;
  layout.height = layers.empty() ? title_height : y - between_layers;
  return layout;
}

std::string drawn(const Picture& picture, const Layout& layout, double top) {
  std::string svg = fmt::format(
      "<g transform=\"translate({0:.0f} {1:.0f})\">\n<text x=\"0\" y=\"14\" "
      "font-weight=\"bold\">{2}</text>\n",
      padding, top, escaped(picture.title));
  for (const std::vector<std::size_t>& arrow : layout.arrows) {
    svg += "<path d=\"";
    for (std::size_t k = 0; k + 1 < arrow.size(); ++k) {
      const Place &begin = layout.places[arrow[k]], &end = layout.places[arrow[k + 1]];
      const double start = begin.y + box_height, bend = between_layers / 2;
      svg += fmt::format("{6}{0:.1f} {1:.1f}C{0:.1f} {2:.1f} {3:.1f} {4:.1f} {3:.1f} {5:.1f}",
                         begin.middle(), start, start + bend, end.middle(), end.y - bend,
                         k + 2 < arrow.size() ? end.y : end.y - 1, k == 0 ? "M" : "L");
    }
    svg += "\" fill=\"none\" stroke=\"#555\" marker-end=\"url(#arrow)\"/>\n";
  }
  for (std::size_t b = 0; b < picture.boxes.size(); ++b) {
    const Place& place = layout.places[b];
    svg += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" rx=\"4\" fill=\"#fff\" "
        "stroke=\"#333\"/>\n",
        place.x, place.y, place.width, box_height);
    svg += fmt::format(
        "<text x=\"{0:.1f}\" y=\"{1:.1f}\" text-anchor=\"middle\">{3}</text>\n"
        "<text x=\"{0:.1f}\" y=\"{2:.1f}\" text-anchor=\"middle\" fill=\"#666\">{4}</text>\n",
        place.middle(), place.y + 16, place.y + 32, escaped(picture.boxes[b].title),
        escaped(picture.boxes[b].text));
  }
  return svg + "</g>\n";
}

}  // namespace

std::string dot_of(std::span<const Picture> pictures) {
  std::string dot = "digraph weft {\n  node [shape=box, fontname=\"monospace\"];\n";
  for (std::size_t p = 0; p < pictures.size(); ++p) {
    dot +=
        fmt::format("  subgraph cluster_{} {{\n    label=\"{}\";\n", p, quoted(pictures[p].title));
    for (std::size_t b = 0; b < pictures[p].boxes.size(); ++b) {
      const auto& [title, text, from] = pictures[p].boxes[b];
      dot += fmt::format("    b{}_{} [label=\"{}\\n{}\"];\n", p, b, quoted(title), quoted(text));
      for (const std::size_t f : from) dot += fmt::format("    b{0}_{1} -> b{0}_{2};\n", p, f, b);
    }
    dot += "  }\n";
  }
  return dot + "}\n";
}

std::string svg_of(std::span<const Picture> pictures) {
  std::size_t boxes = 0;
  for (const Picture& picture : pictures) boxes = std::max(boxes, picture.boxes.size());
  if (boxes > most_drawn)
    throw ParameterError("too_large",
                         fmt::format("draw: {} boxes, an SVG has {} at most; DOT has all of them",
                                     boxes, most_drawn));
  std::string body;
  double width = 0, top = padding;
  for (const Picture& picture : pictures) {
    const Layout layout = layout_of(picture);
    body += drawn(picture, layout, top);
    width = std::max(width, layout.width);
    top += layout.height + between_layers;
  }
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
             "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"monospace\" font-size=\"12\">\n"
             "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
             "markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" "
             "fill=\"#555\"/></marker></defs>\n"
             "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
             width + 2 * padding, top - between_layers + padding) +
         body + "</svg>\n";
}

}  // namespace weft
