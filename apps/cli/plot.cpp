#include "plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "text.h"

namespace plimsoll::cli {
namespace {

constexpr double kWidth = 900, kHeight = 560;
constexpr double kLeft = 84, kRight = 28, kTop = 56, kBottom = 64;
constexpr double kFont = 14;

/// An axis with round steps.
struct Axis {
  double low, high, step;
};

/// Ten steps at most: 1, 2 or 5 times a power of ten.
double round_step(double range) {
  const double power = std::pow(10.0, std::floor(std::log10(range / 4)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (range / (factor * power) <= 10) return factor * power;
  return 10 * power;
}

/// Of degrees: parts of a circle.
double angle_step(double range) {
  for (const double step : {1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 45.0, 90.0})
    if (range / step <= 13 && range / step >= 3) return step;
  return round_step(range);
}

Axis axis_of(double low, double high, bool is_angle) {
  const double size = std::max(std::fabs(low), std::fabs(high));
  if (!(high - low > 1e-12 * size)) {
    low -= 0.5;
    high += 0.5;
  }
  const double step = is_angle ? angle_step(high - low) : round_step(high - low);
  return {std::floor(low / step + 1e-9) * step, std::ceil(high / step - 1e-9) * step, step};
}

struct Rectangle {
  double x, y, width, height;  // of pixels; (x, y) the upper left corner

  [[nodiscard]] bool holds(const PlotPoint& p) const {
    return p.x >= x && p.x <= x + width && p.y >= y && p.y <= y + height;
  }
  [[nodiscard]] bool meets(const Rectangle& r) const {
    return x < r.x + r.width && r.x < x + width && y < r.y + r.height && r.y < y + height;
  }
};

/// What has been drawn where, so that labels keep clear of it. In pixels.
class Places {
 public:
  explicit Places(const Rectangle& inside) : inside_(inside) {}

  void add_line(const PlotPoint& a, const PlotPoint& b) {
    const int steps = 1 + static_cast<int>(std::hypot(b.x - a.x, b.y - a.y) / 3);
    for (int i = 0; i <= steps; ++i)
      points_.push_back({a.x + (b.x - a.x) * i / steps, a.y + (b.y - a.y) * i / steps});
  }

  /// Takes the place near one of the anchors where a text of that size covers least.
  Rectangle take(std::span<const PlotPoint> anchors, double width, double height) {
    Rectangle best{};
    double least = std::numeric_limits<double>::infinity();
    for (const PlotPoint& anchor : anchors)
      for (const double away : {8.0, 13.0, 20.0, 30.0, 42.0})
        for (int k = 0; k < 16; ++k) {
          const double angle = (2 * k + 1) * std::acos(-1.0) / 16;
          const double x = std::cos(angle), y = -std::sin(angle);
          const Rectangle place{anchor.x + away * x + (x - 1) / 2 * width,
                                anchor.y + away * y + (y - 1) / 2 * height, width, height};
          const double cost = away + covered(place);
          if (cost < least) best = place;
          least = std::min(least, cost);
        }
    taken_.push_back(best);
    return best;
  }

 private:
  [[nodiscard]] double covered(const Rectangle& place) const {
    constexpr double kRoom = 4;
    const Rectangle wide{place.x - kRoom, place.y - kRoom, place.width + 2 * kRoom,
                         place.height + 2 * kRoom};
    double cost = 0;
    for (const PlotPoint& p : points_) cost += wide.holds(p) ? 20 : 0;
    for (const Rectangle& other : taken_) cost += wide.meets(other) ? 2000 : 0;
    const bool is_inside = inside_.holds({wide.x, wide.y}) &&
                           inside_.holds({wide.x + wide.width, wide.y + wide.height});
    return is_inside ? cost : cost + 10'000;
  }

  Rectangle inside_;
  std::vector<PlotPoint> points_;
  std::vector<Rectangle> taken_;
};

class Drawing {
 public:
  Drawing(const Axis& x, const Axis& y)
      : x_(x), y_(y), places_({kLeft, kTop, kWidth - kLeft - kRight, kHeight - kTop - kBottom}) {
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" font-family=\"Helvetica, Arial, DejaVu Sans, sans-serif\" "
        "font-size=\"{2}\" fill=\"#222222\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        kWidth, kHeight, kFont);
  }

  void grid(bool is_angle) {
    const char* fine = "stroke=\"#e4e4e4\"";
    for (double x = x_.low; x <= x_.high + x_.step / 2; x += x_.step) {
      line({x, y_.low}, {x, y_.high}, fine);
      label({px(x), kHeight - kBottom + 20}, "text-anchor=\"middle\"",
            tick(x, x_.step) + (is_angle ? "°" : ""));
    }
    for (double y = y_.low; y <= y_.high + y_.step / 2; y += y_.step) {
      line({x_.low, y}, {x_.high, y}, fine);
      label({kLeft - 10, py(y) + 5}, "text-anchor=\"end\"", tick(y, y_.step));
    }
    line({x_.low, y_.low}, {x_.low, y_.high}, "stroke=\"#222222\"");
    line({x_.low, 0}, {x_.high, 0}, "stroke=\"#222222\"");
    places_.add_line(pixel({x_.low, 0}), pixel({x_.high, 0}));
    below_ = std::exchange(text_, "");
  }

  void titles(const Plot& plot) {
    label({kLeft, kTop - 22}, "font-size=\"18\" font-weight=\"bold\"", plot.title);
    label({(kLeft + kWidth - kRight) / 2, kHeight - 16}, "text-anchor=\"middle\"", plot.x_label);
    const std::string turned = fmt::format(
        "text-anchor=\"middle\" transform=\"translate(24 {}) rotate(-90)\"", kHeight / 2);
    label({0, 0}, turned.c_str(), plot.y_label);
  }

  void curve(const std::vector<PlotPoint>& points) {
    text_ +=
        "<polyline fill=\"none\" stroke=\"#0b5394\" stroke-width=\"2.5\" stroke-linejoin=\"round\" "
        "points=\"";
    for (std::size_t i = 0; i < points.size(); ++i) {
      text_ += fmt::format("{:.2f},{:.2f} ", px(points[i].x), py(points[i].y));
      places_.add_line(pixel(points[i == 0 ? 0 : i - 1]), pixel(points[i]));
    }
    text_ += "\"/>\n";
  }

  /// The part within the axes.
  void dashed(PlotLine& of) {
    const double rise = of.to.y - of.from.y;
    const double limit = rise > 0 ? y_.high : y_.low;
    double share = rise == 0 ? 1 : std::min(1.0, (limit - of.from.y) / rise);
    share = std::min(share, (x_.high - of.from.x) / (of.to.x - of.from.x));
    of.to = {of.from.x + share * (of.to.x - of.from.x), of.from.y + share * rise};
    line(of.from, of.to, "stroke=\"#777777\" stroke-width=\"1.5\" stroke-dasharray=\"7 4\"");
    places_.add_line(pixel(of.from), pixel(of.to));
  }

  void border(const PlotBorder& at) {
    line({at.x, y_.low}, {at.x, y_.high},
         "stroke=\"#b45f06\" stroke-width=\"1.5\" stroke-dasharray=\"2 4\"");
    places_.add_line(pixel({at.x, y_.low}), pixel({at.x, y_.high}));
  }

  void mark(const PlotMark& mark) {
    text_ += fmt::format(
        "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"4.5\" fill=\"{}\" stroke=\"#cc0000\" "
        "stroke-width=\"1.5\"/>\n",
        px(mark.at.x), py(mark.at.y), mark.is_ring ? "white" : "#cc0000");
    const PlotPoint at = pixel(mark.at);
    places_.add_line({at.x - 5, at.y - 5}, {at.x + 5, at.y + 5});
  }

  /// Near one of these points, on a patch of paper so that the grid does not cross it; after
  /// everything else.
  void name(const std::string& text, std::span<const PlotPoint> points) {
    if (text.empty()) return;
    std::vector<PlotPoint> anchors;
    for (const PlotPoint& p : points) anchors.push_back(pixel(p));
    constexpr double kLetter = 0.58 * kFont;  // as wide as those of DejaVu Sans are
    std::size_t letters = 0;                  // not the bytes that continue one
    for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
    const double width = kLetter * static_cast<double>(letters), height = kFont;
    const Rectangle place = places_.take(anchors, width, height);
    below_ += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"white\" "
        "fill-opacity=\"0.85\"/>\n",
        place.x - 2, place.y - 2, width + 4, height + 4);
    label({place.x + width / 2, place.y + height - 2}, "text-anchor=\"middle\"", text);
  }

  /// Points along the part of a line that has to be named.
  [[nodiscard]] static std::array<PlotPoint, 6> along(const PlotPoint& from, const PlotPoint& to) {
    std::array<PlotPoint, 6> points;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double share = 1 - 0.08 * static_cast<double>(i);
      points[i] = {from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
    }
    return points;
  }

  void name_border(const PlotBorder& at) { name(at.text, along({at.x, y_.low}, {at.x, y_.high})); }

  [[nodiscard]] std::string finished() { return below_ + text_ + "</svg>\n"; }

 private:
  [[nodiscard]] double px(double x) const {
    return kLeft + (x - x_.low) / (x_.high - x_.low) * (kWidth - kLeft - kRight);
  }
  [[nodiscard]] double py(double y) const {
    return kHeight - kBottom - (y - y_.low) / (y_.high - y_.low) * (kHeight - kTop - kBottom);
  }
  [[nodiscard]] PlotPoint pixel(const PlotPoint& p) const { return {px(p.x), py(p.y)}; }

  void line(const PlotPoint& a, const PlotPoint& b, const char* style) {
    text_ += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" {}/>\n",
                         px(a.x), py(a.y), px(b.x), py(b.y), style);
  }
  void label(const PlotPoint& at, const char* style, const std::string& content) {
    text_ += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" {}>{}</text>\n", at.x, at.y, style,
                         xml_attribute(content));
  }

  static std::string tick(double value, double step) {
    return fmt::format("{:.6g}", std::fabs(value) < step / 2 ? 0.0 : value);
  }

  Axis x_, y_;
  Places places_;
  std::string below_;  // the grid, and paper over it where names will stand
  std::string text_;
};

struct Range {
  PlotPoint low, high;
};
Range range_of(const Plot& plot) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Range range{{kFar, 0}, {-kFar, 0}};
  const auto extend = [&](const PlotPoint& p) {
    range.low = {std::min(range.low.x, p.x), std::min(range.low.y, p.y)};
    range.high = {std::max(range.high.x, p.x), std::max(range.high.y, p.y)};
  };
  for (const auto& curve : plot.curves) std::for_each(curve.begin(), curve.end(), extend);
  for (const PlotMark& mark : plot.marks) extend(mark.at);
  // Room for a label above the highest point, and below the lowest.
  const double room = 0.06 * (range.high.y - range.low.y);
  if (range.high.y > 0) range.high.y += room;
  if (range.low.y < 0) range.low.y -= room;
  return range;
}

}  // namespace

std::string svg_document(const Plot& plot) {
  const Range range = range_of(plot);
  Drawing drawing(axis_of(range.low.x, range.high.x, plot.x_is_angle),
                  axis_of(range.low.y, range.high.y, false));
  drawing.grid(plot.x_is_angle);
  drawing.titles(plot);
  std::vector<PlotLine> lines = plot.lines;
  for (PlotLine& line : lines) drawing.dashed(line);
  for (const PlotBorder& border : plot.borders) drawing.border(border);
  for (const auto& curve : plot.curves) drawing.curve(curve);
  for (const PlotMark& mark : plot.marks) drawing.mark(mark);
  // Names last, when it is known what is in the way.
  for (const PlotMark& mark : plot.marks) drawing.name(mark.text, {&mark.at, 1});
  for (const PlotLine& line : lines) drawing.name(line.text, Drawing::along(line.from, line.to));
  for (const PlotBorder& border : plot.borders) drawing.name_border(border);
  return drawing.finished();
}

}  // namespace plimsoll::cli
