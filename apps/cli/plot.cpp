#include "plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "text.h"

namespace plimsoll::cli {
namespace {

constexpr double kWidth = 800, kHeight = 500;
constexpr double kLeft = 80, kRight = 20, kTop = 50, kBottom = 60;

/// An axis with round steps: 1, 2 or 5 times a power of ten, four to ten of them.
struct Axis {
  double low, high, step;
};
Axis round_axis(double low, double high) {
  if (!(high > low)) {
    low -= 0.5;
    high += 0.5;
  }
  const double power = std::pow(10.0, std::floor(std::log10((high - low) / 4)));
  double step = power;
  for (const double factor : {2.0, 5.0, 10.0})
    if ((high - low) / step > 10) step = factor * power;
  return {std::floor(low / step) * step, std::ceil(high / step) * step, step};
}

class Drawing {
 public:
  Drawing(const Axis& x, const Axis& y) : x_(x), y_(y) {
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" font-family=\"sans-serif\" font-size=\"14\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        kWidth, kHeight);
  }

  [[nodiscard]] double px(double x) const {
    return kLeft + (x - x_.low) / (x_.high - x_.low) * (kWidth - kLeft - kRight);
  }
  [[nodiscard]] double py(double y) const {
    return kHeight - kBottom - (y - y_.low) / (y_.high - y_.low) * (kHeight - kTop - kBottom);
  }
  void line(double x0, double y0, double x1, double y1, const char* style) {
    text_ += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" {}/>\n", x0,
                         y0, x1, y1, style);
  }
  void label(double x, double y, const char* style, const std::string& content) {
    text_ += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" {}>{}</text>\n", x, y, style,
                         xml_attribute(content));
  }
  void curve(const std::vector<PlotPoint>& points) {
    text_ += "<polyline fill=\"none\" stroke=\"#0b5394\" stroke-width=\"2.5\" points=\"";
    for (const PlotPoint& p : points) text_ += fmt::format("{:.2f},{:.2f} ", px(p.x), py(p.y));
    text_ += "\"/>\n";
  }
  void mark(const PlotMark& mark) {
    text_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"4\" fill=\"#cc0000\"/>\n",
                         px(mark.at.x), py(mark.at.y));
    const bool is_right = px(mark.at.x) > kWidth / 2;
    label(px(mark.at.x) + (is_right ? -8 : 8), py(mark.at.y) - 8,
          is_right ? "text-anchor=\"end\"" : "", mark.text);
  }
  void grid() {
    const char* fine = "stroke=\"#dddddd\"";
    for (double x = x_.low; x <= x_.high + x_.step / 2; x += x_.step) {
      line(px(x), py(y_.low), px(x), py(y_.high), fine);
      label(px(x), kHeight - kBottom + 20, "text-anchor=\"middle\"", tick(x, x_.step));
    }
    for (double y = y_.low; y <= y_.high + y_.step / 2; y += y_.step) {
      line(px(x_.low), py(y), px(x_.high), py(y), fine);
      label(kLeft - 8, py(y) + 5, "text-anchor=\"end\"", tick(y, y_.step));
    }
    line(px(x_.low), py(std::max(y_.low, std::min(0.0, y_.high))), px(x_.high),
         py(std::max(y_.low, std::min(0.0, y_.high))), "stroke=\"black\"");
  }
  [[nodiscard]] std::string finished() { return text_ + "</svg>\n"; }

 private:
  static std::string tick(double value, double step) {
    return fmt::format("{:.6g}", std::fabs(value) < step / 2 ? 0.0 : value);
  }

  Axis x_, y_;
  std::string text_;
};

}  // namespace

std::string svg_document(const Plot& plot) {
  PlotPoint low{std::numeric_limits<double>::infinity(), 0};
  PlotPoint high{-low.x, 0};
  for (const auto& curve : plot.curves)
    for (const PlotPoint& p : curve) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  Drawing drawing(round_axis(low.x, high.x), round_axis(low.y, high.y));
  drawing.grid();
  drawing.label(kWidth / 2, kTop / 2 + 5, "text-anchor=\"middle\" font-size=\"18\"", plot.title);
  drawing.label(kWidth / 2, kHeight - 15, "text-anchor=\"middle\"", plot.x_label);
  drawing.label(
      0, 0,
      fmt::format("text-anchor=\"middle\" transform=\"translate(20 {}) rotate(-90)\"", kHeight / 2)
          .c_str(),
      plot.y_label);
  if (plot.tangent.size() == 2)
    drawing.line(drawing.px(plot.tangent[0].x), drawing.py(plot.tangent[0].y),
                 drawing.px(plot.tangent[1].x), drawing.py(plot.tangent[1].y),
                 "stroke=\"#888888\" stroke-dasharray=\"6 4\"");
  for (const auto& curve : plot.curves) drawing.curve(curve);
  for (const PlotMark& mark : plot.marks) drawing.mark(mark);
  return drawing.finished();
}

}  // namespace plimsoll::cli
