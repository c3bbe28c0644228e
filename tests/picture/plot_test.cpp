// A plot as an SVG document: its curves, where they are, and what it says in words.
#include "picture/plot.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <pugixml.hpp>
#include <regex>
#include <string>
#include <vector>

namespace plimsoll::picture {
namespace {

Plot parabola() {
  Plot plot;
  plot.title = "Arms of a < b & \"c\".stl";
  plot.x_label = "heel";
  plot.y_label = "arm [m]";
  plot.x_is_angle = true;
  plot.curves.emplace_back();
  for (int i = 0; i <= 90; ++i)
    plot.curves[0].push_back({static_cast<double>(i), 1e-4 * i * (90 - i)});
  plot.marks.push_back({{45, 0.2025}, "largest 0.203 m at 45.0°"});
  return plot;
}

struct Path {
  double width;  // of the line; 0 where it is filled
  std::vector<PlotPoint> points;
};

std::vector<Path> paths_of(const pugi::xml_document& document) {
  static const std::regex width("stroke-width:([0-9.]+)"), number("-?[0-9.]+");
  std::vector<Path> paths;
  for (const auto& found : document.child("svg").select_nodes("//path")) {
    const std::string style = found.node().attribute("style").value();
    const std::string d = found.node().attribute("d").value();
    std::smatch match;
    Path path{std::regex_search(style, match, width) ? std::stod(match[1]) : 0, {}};
    std::vector<double> numbers;
    for (std::sregex_iterator i(d.begin(), d.end(), number), end; i != end; ++i)
      numbers.push_back(std::stod(i->str()));
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
      path.points.push_back({numbers[i], numbers[i + 1]});
    paths.push_back(std::move(path));
  }
  return paths;
}

pugi::xml_document parsed(const Plot& plot) {
  pugi::xml_document document;
  const std::string text = svg_document(plot);
  REQUIRE(document.load_buffer(text.data(), text.size()));
  REQUIRE(std::string(document.document_element().name()) == "svg");
  return document;
}

std::vector<Path> of_width(const std::vector<Path>& paths, double width) {
  std::vector<Path> found;
  for (const Path& path : paths)
    if (path.width == width) found.push_back(path);
  return found;
}

constexpr double kCurve = 2.5;
constexpr double kGrain = 0.01;  // Cairo keeps 1/256 pixels: half of that here, and at the ends

TEST_CASE("each piece of a curve is one line through its points, in proportion") {
  Plot plot = parabola();
  const std::vector<Path> whole = of_width(paths_of(parsed(plot)), kCurve);
  REQUIRE(whole.size() == 1);
  REQUIRE(whole[0].points.size() == 91);
  const PlotPoint a = whole[0].points[0], b = whole[0].points[45];
  const PlotPoint from = plot.curves[0][0], top = plot.curves[0][45];
  CHECK(b.y < a.y);  // up
  for (std::size_t i = 0; i < 91; ++i) {
    const PlotPoint p = plot.curves[0][i], seen = whole[0].points[i];
    const double x = a.x + (b.x - a.x) * (p.x - from.x) / (top.x - from.x);
    const double y = a.y + (b.y - a.y) * (p.y - from.y) / (top.y - from.y);
    CHECK(std::max(std::abs(seen.x - x), std::abs(seen.y - y)) <= kGrain);
  }
  plot.curves.push_back({{100, -0.1}, {120, -0.2}});
  CHECK(of_width(paths_of(parsed(plot)), kCurve).size() == 2);
}

// Else a line would go on from where the text before it ended.
TEST_CASE("lines of the grid have two ends, along or across") {
  const std::vector<Path> lines = of_width(paths_of(parsed(parabola())), 1);
  CHECK(lines.size() > 10);
  for (const Path& line : lines) {
    REQUIRE(line.points.size() == 2);
    CHECK((line.points[0].x == line.points[1].x || line.points[0].y == line.points[1].y));
  }
}

// From 0 to 90 degrees by tens and from 0 to 0.25 m by twentieths: 10 lines up and 6 across, all at
// equal distances from one end of the axes to the other, with one more for either axis.
TEST_CASE("the grid has a line for each step of an axis, from its first number to its last") {
  std::vector<double> up, across;
  PlotPoint low{1e9, 1e9}, high{-1e9, -1e9};
  for (const Path& line : of_width(paths_of(parsed(parabola())), 1)) {
    const PlotPoint a = line.points[0], b = line.points[1];
    if (a.x == b.x)
      up.push_back(a.x);
    else
      across.push_back(a.y);
    low = {std::min({low.x, a.x, b.x}), std::min({low.y, a.y, b.y})};
    high = {std::max({high.x, a.x, b.x}), std::max({high.y, a.y, b.y})};
  }
  const auto check_steps = [](std::vector<double>& lines, std::size_t steps, double from,
                              double to) {
    std::sort(lines.begin(), lines.end());
    REQUIRE(lines.size() == steps + 2);
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    REQUIRE(lines.size() == steps + 1);
    for (std::size_t i = 0; i <= steps; ++i)
      CHECK(std::abs(lines[i] - (from + (to - from) * static_cast<double>(i) /
                                            static_cast<double>(steps))) <= kGrain);
  };
  check_steps(up, 9, low.x, high.x);
  check_steps(across, 5, low.y, high.y);
  // The curve begins where the axes meet and ends at the far end of that of angles.
  const std::vector<Path> curve = of_width(paths_of(parsed(parabola())), kCurve);
  CHECK(std::abs(curve[0].points.front().x - low.x) <= kGrain);
  CHECK(std::abs(curve[0].points.front().y - high.y) <= kGrain);
  CHECK(std::abs(curve[0].points.back().x - high.x) <= kGrain);
}

TEST_CASE("its title and description are text, whatever letters they have") {
  const Plot plot = parabola();
  const pugi::xml_document document = parsed(plot);
  CHECK(document.child("svg").child_value("title") == plot.title);
  CHECK(std::string(document.child("svg").child_value("desc")) ==
        "heel, from 0° to 90°; arm [m], from 0 to 0.25; largest 0.203 m at 45.0°");
}

TEST_CASE("it has the size that it says, in pixels") {
  const pugi::xml_document document = parsed(parabola());
  CHECK(std::string(document.child("svg").attribute("width").value()) == "900px");
  CHECK(std::string(document.child("svg").attribute("viewBox").value()) == "0 0 900 560");
}

TEST_CASE("a level curve, and one of a point, are plots") {
  Plot level;
  level.curves = {{{0, 0}, {90, 0}}};
  CHECK(of_width(paths_of(parsed(level)), kCurve).size() == 1);
  Plot point;
  point.curves = {{{1, 1e-300}}};
  CHECK(svg_document(point).find("nan") == std::string::npos);
}

}  // namespace
}  // namespace plimsoll::picture
